"""Access to packages and items under review or inspection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.items.models import ItemRevision
from annotation.items.queries import picture_facts
from annotation.items.states import Relation
from annotation.judging.models import Verdict
from annotation.kinds.registry import KINDS
from annotation.packages import access as packages
from annotation.packages import states
from annotation.packages.models import Package, PackageItem
from annotation.quality.errors import PoolNotInProtocol
from annotation.quality.models import Inspection
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import Pool, track_content, work_of
from curation.core.errors import NotFound, OperationNotAllowed, OwnWork
from curation.core.transitions import relations_for, sources_of
from curation.people.access import benchmark_for, require
from curation.people.models import Person

# The operation that judging from a pool requires.
JUDGES: Final = {"review": "item_review", "inspection": "item_inspect"}


def pool_for(
    person: Person, slug: str, operation: str, purpose: str, kind: str | None = None
) -> tuple[Benchmark, Pool]:
    """Fetch a benchmark and the protocol's settings of one of its pools, if the person may judge in it.

    Raises:
        NotFound: The benchmark or the purpose does not exist.
        OperationNotAllowed: The person's roles do not allow the purpose's operation.
        PoolNotInProtocol: The protocol has no such pool.
    """
    if purpose not in JUDGES:
        raise NotFound
    benchmark = benchmark_for(person, slug, operation, kind)
    if not person.has_role_for(benchmark.pk, JUDGES[purpose], kind):
        raise OperationNotAllowed(operation=JUDGES[purpose])
    content = benchmark.protocol.content if benchmark.protocol else {}
    kinds = kinds_with_pool(content, purpose)
    if not kinds or (kind is not None and kind not in kinds):
        raise PoolNotInProtocol(purpose=purpose)
    return benchmark, pool_settings(content, kind or kinds[0], purpose)


def kinds_with_pool(content: Mapping[str, Any], purpose: str) -> list[str]:
    """The kinds of a protocol whose work is judged in a pool of this purpose."""
    in_packages = (k for k in KINDS if k in content.get("kinds", {}) and work_of(content, k).track == "package")
    return [kind for kind in in_packages if (track_content(content, "package", kind) or {}).get(f"{purpose}_pool")]


def pool_settings(content: Mapping[str, Any], kind: str, purpose: str) -> Pool:
    """The settings of a kind's pool."""
    return Pool.model_validate((track_content(content, "package", kind) or {})[f"{purpose}_pool"])


def packages_barred(person: Person, benchmark_id: int, kind: str, purpose: str) -> QuerySet[Package, int]:
    """Packages in which a person may not judge from a pool: those they write; for inspection, all they worked on."""
    table, operation = states.table_with(review_pool=True, inspection_pool=True), JUDGES[purpose]
    stages = sources_of(table, operation)
    barred = Q(assignee=person)
    if any(Relation.UNINVOLVED in relations_for(table, operation, stage) for stage in stages):
        written = ItemRevision.objects.filter(author=person, item__memberships__package=OuterRef("pk"))
        judged = Verdict.objects.filter(package_id=OuterRef("pk"), judge=person, stage="review")
        barred |= Q(reviewer=person) | Exists(written) | Exists(judged)
    rows = Package.objects.filter(barred, benchmark_id=benchmark_id, kind=kind, state__in=sorted(stages))
    return rows.values_list("pk", flat=True)


def lock_item_to_judge(person: Person, item_id: int, operation: str) -> Any:
    """Lock an item whose package is in a state for judging it, if the person's roles allow the operation.

    The row's ``picture`` comes from ``picture_facts``.

    Raises:
        NotFound, OperationNotAllowed.
    """
    member = (
        PackageItem.objects.select_related("item", "package")
        .select_for_update(of=("item",), no_key=True)
        .filter(item_id=item_id, active=True, package__state__in=sorted(sources_of(states.TABLE, operation)))
        .annotate(picture=picture_facts("item__image"))
        .first()
    )
    if member is None:
        raise NotFound
    require(person, member.package.benchmark_id, operation, member.package.kind)
    return member


def lock_for(person: Person, package_id: int, operation: str) -> Package:
    """Like ``packages.access.lock_for``, but involvement in earlier rounds counts too.

    Raises:
        NotFound, OwnWork, OperationNotAllowed.
    """
    package = packages.package_for(person, package_id, operation, lock=True)
    check_relation(person, package, operation)
    return package


def check_relation(person: Person, package: Package, operation: str, *, state: str | None = None) -> tuple[str, ...]:
    """Like ``packages.access.check_relation``, but involvement in earlier rounds counts too.

    Raises:
        NotFound, OwnWork.
    """
    required = packages.check_relation(person, package, operation, state=state)
    if Relation.UNINVOLVED in required and _was_involved(person, package):
        raise OwnWork
    return required


def _was_involved(person: Person, package: Package) -> bool:
    """Whether a person wrote or reviewed an item of a package in any round."""
    written = ItemRevision.objects.filter(author=person, item__memberships__package=package)
    judged = Verdict.objects.filter(package_id=package.pk, judge=person, stage="review")
    return written.exists() or judged.exists()


def inspection_for(person: Person, package: Package) -> Inspection:
    """Fetch the package's newest inspection; before its result, only for people who are not involved in the package.

    Raises:
        NotFound: There was no draw yet.
        OwnWork: The person wrote or reviewed in the package, and there is no result yet.
    """
    inspection = (
        Inspection.objects.select_related("inspector", "draw").filter(package=package).order_by("-round").first()
    )
    if inspection is None:
        raise NotFound
    # The inspection's outcome decides, because the draw may have happened after the package's row was read.
    state = package.state if inspection.outcome else Package.State.INSPECTING
    check_relation(person, package, "inspection_show", state=state)
    return inspection
