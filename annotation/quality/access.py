"""The only ways to get at items under review or inspection."""

from __future__ import annotations

from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.items.models import ItemRevision
from annotation.items.states import Relation
from annotation.packages import access as packages
from annotation.packages import states
from annotation.packages.access import track_settings
from annotation.packages.models import Package, PackageItem
from annotation.quality.errors import PoolNotInProtocol
from annotation.quality.models import Inspection, Verdict
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import Pool
from curation.core.errors import NotFound, OperationNotAllowed, OwnWork
from curation.core.transitions import relations_for, sources_of
from curation.people.access import benchmark_for, require
from curation.people.models import Person

# What judging from a pool means for the permission table.
JUDGES: Final = {"review": "item_review", "inspection": "item_inspect"}


def pool_for(
    person: Person, slug: str, operation: str, purpose: str, kind: str | None = None
) -> tuple[Benchmark, Pool]:
    """A benchmark with the protocol's numbers of one of its pools, for somebody who may judge there.

    Raises:
        NotFound: No such benchmark or purpose.
        OperationNotAllowed: The person's roles do not open this purpose's judging.
        PoolNotInProtocol: The protocol has no such pool.
    """
    if purpose not in JUDGES:
        raise NotFound
    benchmark = benchmark_for(person, slug, operation, kind)
    if not person.may(benchmark.pk, JUDGES[purpose], kind):
        raise OperationNotAllowed(operation=JUDGES[purpose])
    protocol = benchmark.protocol
    if protocol is None or not protocol.content.get("tracks", {}).get("package"):
        raise PoolNotInProtocol(purpose=purpose)
    settings = track_settings(protocol.pk)
    pool = settings.review_pool if purpose == "review" else settings.inspection_pool
    if pool is None or (kind is not None and kind not in protocol.content["kinds"]):
        raise PoolNotInProtocol(purpose=purpose)
    return benchmark, pool


def packages_barred(person: Person, benchmark_id: int, kind: str, purpose: str) -> QuerySet[Package, int]:
    """Packages in a pool that somebody must not judge in: their own; at an inspection all they were involved in."""
    table, operation = states.table_with(review_pool=True, inspection_pool=True), JUDGES[purpose]
    stages = sources_of(table, operation)
    barred = Q(assignee=person)
    if any(Relation.UNINVOLVED in relations_for(table, operation, stage) for stage in stages):
        wrote = ItemRevision.objects.filter(author=person, item__memberships__package=OuterRef("pk"))
        judged = Verdict.objects.filter(package=OuterRef("pk"), judge=person, stage="review")
        barred |= Q(reviewer=person) | Exists(wrote) | Exists(judged)
    rows = Package.objects.filter(barred, benchmark_id=benchmark_id, kind=kind, state__in=sorted(stages))
    return rows.values_list("pk", flat=True)


def lock_item_to_judge(person: Person, item_id: int, operation: str) -> PackageItem:
    """An item, locked, whose package is in a state for judging it, for somebody whose roles open the operation.

    Raises:
        NotFound, OperationNotAllowed.
    """
    member = (
        PackageItem.objects.select_related("item", "package")
        .select_for_update(of=("item",), no_key=True)
        .filter(item_id=item_id, active=True, package__state__in=sorted(sources_of(states.TABLE, operation)))
        .first()
    )
    if member is None:
        raise NotFound
    require(person, member.package.benchmark_id, operation, member.package.kind)
    return member


def lock_for(person: Person, package_id: int, operation: str) -> Package:
    """As ``packages.access.lock_for``; involvement in earlier rounds counts too.

    Raises:
        NotFound, OwnWork, OperationNotAllowed.
    """
    package = packages.package_for(person, package_id, operation, lock=True)
    check_relation(person, package, operation)
    return package


def check_relation(person: Person, package: Package, operation: str, *, state: str | None = None) -> tuple[str, ...]:
    """As ``packages.access.check_relation``; involvement in earlier rounds counts too.

    Raises:
        NotFound, OwnWork.
    """
    asked = packages.check_relation(person, package, operation, state=state)
    if Relation.UNINVOLVED in asked and _was_involved(person, package):
        raise OwnWork
    return asked


def _was_involved(person: Person, package: Package) -> bool:
    """Whether somebody wrote or reviewed an item of a package in any round."""
    wrote = ItemRevision.objects.filter(author=person, item__memberships__package=package)
    judged = Verdict.objects.filter(package=package, judge=person, stage="review")
    return wrote.exists() or judged.exists()


def inspection_for(person: Person, package: Package) -> Inspection:
    """The package's newest draw; before its result only for people who had no part in the package.

    Raises:
        NotFound: Nothing was drawn yet.
        OwnWork: The person wrote or reviewed in it, and the result is not out.
    """
    inspection = Inspection.objects.select_related("inspector").filter(package=package).order_by("-round").first()
    if inspection is None:
        raise NotFound
    # The draw's own outcome decides: it may have been drawn after the package's row was read.
    state = package.state if inspection.outcome else Package.State.INSPECTING
    check_relation(person, package, "inspection_show", state=state)
    return inspection
