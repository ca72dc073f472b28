"""The only ways to get at items under review or inspection."""

from __future__ import annotations

from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.items.models import ItemRevision
from annotation.packages.access import track_settings
from annotation.packages.models import Package, PackageItem
from annotation.quality.errors import PoolNotInProtocol
from annotation.quality.models import Inspection, Verdict
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import Pool
from curation.core.errors import NotFound, OperationNotAllowed, OwnWork
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
    """Packages in a pool that somebody must not judge in: their own; at an inspection also where they reviewed."""
    rows = Package.objects.filter(benchmark_id=benchmark_id, kind=kind)
    if purpose == "review":
        return rows.filter(state=Package.State.REVIEWING, assignee=person).values_list("pk", flat=True)
    wrote = ItemRevision.objects.filter(author=person, item__memberships__package=OuterRef("pk"))
    judged = Verdict.objects.filter(package=OuterRef("pk"), judge=person, stage="review")
    took_part = Q(assignee=person) | Q(reviewer=person) | Exists(wrote) | Exists(judged)
    return rows.filter(took_part, state=Package.State.INSPECTING).values_list("pk", flat=True)


def lock_member_for(person: Person, item_id: int, operation: str, state: str) -> PackageItem:
    """An item of a package in ``state``, the item locked, for somebody whose roles open the operation.

    Raises:
        NotFound, OperationNotAllowed.
    """
    member = (
        PackageItem.objects.select_related("item", "package")
        .select_for_update(of=("item",), no_key=True)
        .filter(item_id=item_id, active=True, package__state=state)
        .first()
    )
    if member is None:
        raise NotFound
    require(person, member.package.benchmark_id, operation, member.package.kind)
    return member


def took_part(person: Person, package: Package) -> bool:
    """Whether somebody wrote or reviewed in a package, now or in an earlier round."""
    if person.pk in {package.assignee_id, package.reviewer_id}:
        return True
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
    if not inspection.outcome and took_part(person, package):
        raise OwnWork
    return inspection
