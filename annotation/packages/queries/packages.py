"""Packages as JSON, one by one and by the page."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone

from annotation.items.models import Item
from annotation.kinds.registry import KINDS
from annotation.packages import access
from annotation.packages.models import Package, PackageItem
from annotation.tallies import queries as tallies
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import PackageTrack
from curation.core.pages import page
from curation.people.access import benchmark_for
from curation.people.models import Person

IN_HANDS = (
    Package.State.ASSIGNED,
    Package.State.WORKING,
    Package.State.HANDED_OVER,
    Package.State.REVIEWING,
    Package.State.INSPECTING,
    Package.State.RETURNED,
)


def stall_days(benchmark: Benchmark) -> int:
    """After how many days without a move a package in somebody's hands counts as stalled."""
    track = benchmark.protocol.content.get("tracks", {}).get("package") if benchmark.protocol else None
    return PackageTrack.model_validate(track).stall_days if track else PackageTrack.model_fields["stall_days"].default


def is_stalled(benchmark: Benchmark) -> Q:
    """The condition on packages that are in somebody's hands and have not moved for too long."""
    return Q(state__in=IN_HANDS, state_changed_at__lt=stalled_since(benchmark))


def stalled_since(benchmark: Benchmark) -> datetime:
    """What has not moved since then counts as stalled."""
    return timezone.now() - timedelta(days=stall_days(benchmark))


def with_counts(rows: QuerySet[Package]) -> QuerySet[Package]:
    """Add how many items a package has, how many are written, how many ticked, within the same statement."""
    members = PackageItem.objects.filter(package_id=OuterRef("pk"), active=True).order_by().values("package_id")
    # A subquery, because a page of grouped rows would count those of every package before the page is cut.
    counted = JSONObject(
        size=Count("item_id"),
        written=Count("item_id", filter=~Q(item__state__in=[Item.State.TODO, Item.State.RETURNED])),
        checked=Count("item_id", filter=Q(checked_no=F("item__revision_no"))),
    )
    return rows.select_related("assignee", "reviewer").annotate(
        counted=Subquery(members.annotate(counted=counted).values("counted"))
    )


_EMPTY = {"size": 0, "written": 0, "checked": 0}


def package_json(package: Any, viewer: Person) -> dict[str, Any]:
    """A package of :func:`with_counts` as JSON."""
    shown = access.names_shown(viewer, package.benchmark_id, package.protocol_id)
    return {
        "id": package.pk,
        "number": package.number,
        "label": package.label,
        "kind": package.kind,
        "state": package.state,
        "round": package.round,
        "revision": package.revision,
        **(package.counted or _EMPTY),
        "assignee": access.brief_for(viewer, package.assignee, shown=shown),
        "reviewer": access.brief_for(viewer, package.reviewer, shown=shown),
        "state_changed_at": package.state_changed_at,
        "available_actions": access.actions(viewer, package),
    }


def counted(person: Person, package_id: int, operation: str) -> Package:
    """One package with its counts, when the operation reaches it: one statement.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return access.package_for(person, package_id, operation, rows=with_counts(Package.objects.all()))


def one(person: Person, package_id: int, operation: str) -> dict[str, Any]:
    """As :func:`counted`, as JSON."""
    return package_json(counted(person, package_id, operation), person)


def packages_json(rows: QuerySet[Package], viewer: Person, limit: int = 50) -> list[dict[str, Any]]:
    """Some packages, oldest change first."""
    return [package_json(p, viewer) for p in with_counts(rows).order_by("state_changed_at", "pk")[:limit]]


def package_page(
    person: Person,
    slug: str,
    *,
    state: str | None,
    kind: str | None,
    assignee: int | None,
    stalled: bool,
    cursor: str | None,
    page_size: int,
) -> dict[str, Any]:
    """A page of a benchmark's packages by number, with the number in each state.

    Args:
        person: Who looks.
        slug: The benchmark.
        state: Only packages in this state; the counts show all.
        kind: Only packages of this kind.
        assignee: Only packages of this person; where colleagues' names are hidden, only one's own can be asked for.
        stalled: Only packages in somebody's hands that have not moved for the protocol's days.
        cursor: What the page before called ``next``.
        page_size: Rows a page.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, "package_list")
    visible = access.packages_visible_to(person, benchmark, "package_list")
    kinds = KINDS if kind is None else [kind]
    # Of all packages the numbers are kept; what is in somebody's hands, or stalls, is little and is counted.
    kept = assignee is None and not stalled and access.sees_all(person, benchmark, "package_list", kinds)
    if kind is not None:
        visible = visible.filter(kind=kind)
    if assignee is not None:
        hidden = assignee != person.pk and not access.names_shown(person, benchmark.pk, benchmark.protocol_id)
        visible = visible.none() if hidden else visible.filter(assignee_id=assignee)
    if stalled:
        visible = visible.filter(is_stalled(benchmark))
    if kept:
        counts = tallies.counts(benchmark.pk, "state", of="package", kind__in=list(kinds))
    else:
        counts = dict(visible.order_by().values_list("state").annotate(n=Count("pk")))
    rows = visible if state is None else visible.filter(state=state)
    # Of one kind the numbers are unique; over all kinds a page cut at a number would lose its namesakes.
    by = "number" if kind is not None else "id"
    found = page(with_counts(rows), by=by, cursor=cursor, page_size=page_size, count=False)
    total = sum(counts.values()) if state is None else counts.get(state, 0)
    return {
        **found,
        "results": [package_json(p, person) for p in found["results"]],
        "total": total,
        "counts": {s.value: counts.get(s.value, 0) for s in Package.State},
    }


def build_json(made: list[Package], left_over: int, viewer: Person) -> dict[str, Any]:
    """What a build made."""
    rows = with_counts(Package.objects.filter(pk__in=[p.pk for p in made])).order_by("number")
    packages = [package_json(p, viewer) for p in rows]
    return {"made": packages, "items": sum(p["size"] for p in packages), "left_over": left_over}
