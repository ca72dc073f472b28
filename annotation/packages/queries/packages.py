"""Single packages and pages of packages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone

from annotation.items.models import Item
from annotation.items.queries import names_visible
from annotation.kinds.registry import KINDS, package_of_label
from annotation.packages import access
from annotation.packages.models import Package, PackageItem
from annotation.packages.shapes import BuildAnswer, ClaimAnswer, PackagePage, PackageRow
from annotation.tallies import queries as tallies
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import PackageTrack
from curation.core.pages import cut_page, in_blocks
from curation.people.access import benchmark_for, brief_for
from curation.people.models import Person

IN_PROGRESS = (
    Package.State.ASSIGNED,
    Package.State.WORKING,
    Package.State.HANDED_OVER,
    Package.State.REVIEWING,
    Package.State.INSPECTING,
    Package.State.RETURNED,
)


def stall_days(benchmark: Benchmark) -> int:
    """The number of days in one state after which a package in progress counts as stalled."""
    track = benchmark.protocol.content.get("tracks", {}).get("package") if benchmark.protocol else None
    return PackageTrack.model_validate(track).stall_days if track else PackageTrack.model_fields["stall_days"].default


def is_stalled(benchmark: Benchmark) -> Q:
    """The condition on stalled packages: in progress, and in one state for too long."""
    return Q(state__in=IN_PROGRESS, state_changed_at__lt=stalled_since(benchmark))


def stalled_since(benchmark: Benchmark) -> datetime:
    """The time before which a package must have entered its state to count as stalled."""
    return timezone.now() - timedelta(days=stall_days(benchmark))


def with_counts(rows: QuerySet[Package]) -> QuerySet[Package]:
    """Add how many items each package has, how many are written and how many ticked, within the same statement."""
    members = PackageItem.objects.filter(package_id=OuterRef("pk"), active=True).order_by().values("package_id")
    # A subquery, because grouping would count the items of every package before the page is cut.
    counted = JSONObject(
        size=Count("item_id"),
        written=Count("item_id", filter=~Q(item__state__in=[Item.State.TODO, Item.State.RETURNED])),
        checked=Count("item_id", filter=Q(checked_no=F("item__revision_no"))),
    )
    return rows.select_related("assignee", "reviewer").annotate(
        counted=Subquery(members.annotate(counted=counted).values("counted"))
    )


_EMPTY = {"size": 0, "written": 0, "checked": 0}


def package_row(package: Any, viewer: Person) -> PackageRow:
    """A package of :func:`with_counts` as answers show it."""
    show_names = names_visible(viewer, package.benchmark_id, package.protocol_id)
    counts = package.counted or _EMPTY
    return {
        "id": package.pk,
        "number": package.number,
        "label": package.label,
        "kind": package.kind,
        "state": package.state,
        "round": package.round,
        "revision": package.revision,
        "size": counts["size"],
        "written": counts["written"],
        "checked": counts["checked"],
        "assignee": brief_for(viewer, package.assignee, show_names=show_names),
        "reviewer": brief_for(viewer, package.reviewer, show_names=show_names),
        "state_changed_at": package.state_changed_at,
        "available_actions": access.actions(viewer, package),
    }


def package_with_counts(person: Person, package_id: int, operation: str) -> Package:
    """Fetch a package with its counts, if the operation reaches it; one statement.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return access.package_for(person, package_id, operation, rows=with_counts(Package.objects.all()))


def updated_package(person: Person, package: Package) -> PackageRow:
    """A package after a command."""
    return package_row(package_with_counts(person, package.pk, "package_show"), person)


def claim_answer(person: Person, claimed: tuple[Package, bool]) -> ClaimAnswer:
    """The claimed package, and whether the person held it before."""
    package, already_held = claimed
    return {**updated_package(person, package), "already_held": already_held}


def package_rows(rows: QuerySet[Package], viewer: Person, limit: int = 50) -> list[PackageRow]:
    """The first ``limit`` packages, the one that moved longest ago first."""
    return [package_row(p, viewer) for p in with_counts(rows).order_by("state_changed_at", "pk")[:limit]]


@dataclass(frozen=True, slots=True)
class PackageFilters:
    """Which packages a list has, on its page, in its file and for actions on all of them.

    Attributes:
        state: Only packages in this state.
        kind: Only packages of this kind.
        assignee: Only packages of this person. Where names are hidden, no packages unless this is the reader.
        stalled: Only packages in progress that have not moved for the protocol's number of days.
        search: Only packages with this label or number, or with this text in their annotator's name. Where names are
            hidden, labels and numbers only.
    """

    state: str | None = None
    kind: str | None = None
    assignee: int | None = None
    stalled: bool = False
    search: str = ""


_ALL: Final = PackageFilters()


def package_page(
    person: Person,
    benchmark_slug: str,
    *,
    filters: PackageFilters = _ALL,
    sort: str = "number",
    cursor: str | None = None,
    page_size: int,
) -> PackagePage:
    """List a benchmark's packages by number, with the number of packages in each state, whatever the filter by state.

    Args:
        person: The person who asks.
        benchmark_slug: The benchmark.
        filters: Which packages.
        sort: ``number`` or ``since``, the time of the last change of state; a leading ``-`` reverses the order.
        cursor: ``next`` of the previous page in the same order.
        page_size: Rows per page.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "package_list")
    kinds = KINDS if filters.kind is None else [filters.kind]
    visible = _in_any_state(person, benchmark, "package_list", filters)
    # The tallies have the numbers of all packages; those of one assignee or stalled ones are few, and counted here.
    if replace(filters, kind=None, state=None) == _ALL and access.sees_all(person, benchmark, "package_list", kinds):
        counts = tallies.counts(benchmark.pk, "state", of="package", kind__in=list(kinds))
    else:
        counts = dict(visible.order_by().values_list("state").annotate(n=Count("pk")))
    rows = with_counts(_in_state(visible, filters))
    packages, page = cut_page(rows, **_order(filters.kind, sort), cursor=cursor, page_size=page_size, count=False)
    return {
        **page,
        "results": [package_row(p, person) for p in packages],
        "total": sum(counts.values()) if filters.state is None else counts.get(filters.state, 0),
        "counts": {s.value: counts.get(s.value, 0) for s in Package.State},
    }


PACKAGE_COLUMNS: Final = (
    "id",
    "label",
    "kind",
    "state",
    "round",
    "items",
    "written",
    "checked",
    "annotator",
    "reviewer",
    "state_changed_at",
)


def package_cells(
    person: Person, benchmark_slug: str, *, filters: PackageFilters = _ALL, sort: str = "number"
) -> Iterator[list[Any]]:
    """All rows of a list of packages, in the order of :func:`package_page`, as cells of a file.

    Raises:
        NotFound, OperationNotAllowed: At once, not at the first row.
    """
    benchmark = benchmark_for(person, benchmark_slug, "package_file")
    rows = with_counts(_in_state(_in_any_state(person, benchmark, "package_file", filters), filters))
    blocks = in_blocks(rows, **_order(filters.kind, sort))
    return (_cells(person, package) for block in blocks for package in block)


def listed_package_ids(
    person: Person,
    benchmark: Benchmark,
    *,
    limit: int,
    ids: Sequence[int] | None = None,
    filters: PackageFilters = _ALL,
) -> list[int]:
    """The ids of a list of packages, or of those with ``ids``, at most ``limit``.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = _in_state(_in_any_state(person, benchmark, "package_list", filters), filters)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:limit])


def _cells(person: Person, package: Package) -> list[Any]:
    row = package_row(package, person)
    people = [one["name"] if one else "" for one in (row["assignee"], row["reviewer"])]
    facts = [row["id"], row["label"], row["kind"], row["state"], row["round"]]
    return [*facts, row["size"], row["written"], row["checked"], *people, row["state_changed_at"].isoformat()]


def _in_any_state(person: Person, benchmark: Benchmark, operation: str, filters: PackageFilters) -> QuerySet[Package]:
    """The packages that the filters leave, except for the one by state."""
    rows = access.packages_visible_to(person, benchmark, operation)
    if filters.kind is not None:
        rows = rows.filter(kind=filters.kind)
    if filters.assignee is not None:
        hidden = filters.assignee != person.pk and not names_visible(person, benchmark.pk, benchmark.protocol_id)
        rows = rows.none() if hidden else rows.filter(assignee_id=filters.assignee)
    if filters.stalled:
        rows = rows.filter(is_stalled(benchmark))
    if filters.search:
        rows = rows.filter(_searched(person, benchmark, filters.search))
    return rows


def _in_state(rows: QuerySet[Package], filters: PackageFilters) -> QuerySet[Package]:
    return rows if filters.state is None else rows.filter(state=filters.state)


def _order(kind: str | None, sort: str) -> dict[str, Any]:
    """The arguments of :func:`cut_page`.

    Numbers are unique within one kind only, so a page over all kinds that ends at a number would lose packages.
    """
    column = "state_changed_at" if sort.endswith("since") else "number" if kind is not None else "id"
    return {"by": f"-{column}" if sort.startswith("-") else column, "by_time": column == "state_changed_at"}


def _searched(person: Person, benchmark: Benchmark, search: str) -> Q:
    if label := package_of_label(search):
        kind, number = label
        return Q(number=number, kind=kind) if kind else Q(number=number)
    if not names_visible(person, benchmark.pk, benchmark.protocol_id):
        return Q(pk__in=[])
    return Q(assignee__name__icontains=search.strip())


def own_doubles_available(person: Person, benchmark: Benchmark, kinds: Sequence[str]) -> list[tuple[str, int]]:
    """Count by kind the free packages that a person may not claim, having the other item of a double in them."""
    if not kinds:
        return []
    rows = Package.objects.filter(benchmark=benchmark, kind__in=kinds, state=Package.State.AVAILABLE)
    counted = rows.filter(access.has_double_of(person)).order_by().values_list("kind").annotate(Count("pk"))
    return list(counted)


def build_answer(person: Person, built: tuple[list[Package], int]) -> BuildAnswer:
    """The packages of a build, and how many items were left over."""
    made, left_over = built
    rows = with_counts(Package.objects.filter(pk__in=[p.pk for p in made])).order_by("number")
    packages = [package_row(p, person) for p in rows]
    return {"made": packages, "items": sum(p["size"] for p in packages), "left_over": left_over}
