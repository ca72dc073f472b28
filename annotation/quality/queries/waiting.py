"""The home page: the work that waits for the person."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.items.models import Item, ItemRevision
from annotation.items.queries import kinds_open_to
from annotation.kinds.registry import is_doubled
from annotation.packages import queries as packages
from annotation.packages.access import packages_ready_for
from annotation.packages.models import Package
from annotation.packages.shapes import PackageRow
from annotation.quality.access import JUDGES, kinds_with_pool
from annotation.quality.queries.statistics import accepted_first_time
from annotation.quality.shapes import PoolWaiting, WaitingAnswer, WeekRow
from annotation.seats.models import Seat
from annotation.tallies import queries as tallies
from curation.benchmarks.models import Benchmark
from curation.core.operations import Reach
from curation.images.queries import images_to_judge
from curation.people.access import benchmark_for
from curation.people.models import Person


def waiting(person: Person, benchmark_slug: str) -> WaitingAnswer:
    """Show the person's open work in a benchmark, their week, and the board if they may list all packages."""
    benchmark = benchmark_for(person, benchmark_slug, "waiting_show")

    def may(operation: str) -> bool:
        return person.may(benchmark.pk, operation)

    def open_to_me(operation: str) -> Q:
        return Q(kind__in=kinds_open_to(person, benchmark.pk, operation))

    def ready(operation: str) -> Q:
        return packages_ready_for(person, operation)

    in_benchmark = Package.objects.filter(benchmark=benchmark)
    # Drawn items with open seats are inspected one by one from the pool.
    in_pools = Seat.objects.filter(purpose="inspection").exclude(state=Seat.State.DONE).values("group_id")
    claimable = kinds_open_to(person, benchmark.pk, "package_claim")
    free = tallies.counts(benchmark.pk, "kind", of="package", state=Package.State.AVAILABLE, kind__in=claimable)
    # Packages with the other item of a double of theirs are for someone else.
    own = dict(packages.own_doubles_available(person, benchmark, [kind for kind in free if is_doubled(kind)]))
    free = {kind: left for kind, count in free.items() if (left := count - own.get(kind, 0)) > 0}

    sees_all = person.reach(benchmark.pk, "package_list") is Reach.ALL

    def listed(operation: str, rows: QuerySet[Package]) -> list[PackageRow]:
        return packages.package_rows(rows.filter(open_to_me(operation)), person, 20) if may(operation) else []

    return {
        "assigned": listed("package_claim", in_benchmark.filter(ready("package_claim"), assignee=person)),
        "working": listed("item_submit", in_benchmark.filter(ready("item_submit"))),
        "returned": listed("package_resume", in_benchmark.filter(ready("package_resume"))),
        "available": sum(free.values()) if may("package_claim") else None,
        "available_by_kind": dict(sorted(free.items())) if may("package_claim") else None,
        "to_review": listed(
            "package_review_take", in_benchmark.filter(ready("package_review_take") | ready("item_review"))
        ),
        "to_inspect": listed("item_inspect", in_benchmark.filter(ready("item_inspect")).exclude(pk__in=in_pools)),
        "pools": _pools(person, benchmark),
        "images_to_judge": images_to_judge(person, benchmark) if may("image_judge") else None,
        "week": _week(person, benchmark.pk) if may("work_next") else None,
        "board": packages.board(benchmark.pk) if sees_all else None,
    }


def _pools(person: Person, benchmark: Benchmark) -> list[PoolWaiting]:
    """The pools from which a person may judge, with the free seats and those they hold; at most one statement."""
    content = benchmark.protocol.content if benchmark.protocol else {}
    open_pools = [
        (purpose, kind)
        for purpose, operation in JUDGES.items()
        for kind in kinds_with_pool(content, purpose)
        if kind in kinds_open_to(person, benchmark.pk, operation)
    ]
    if not open_pools:
        return []
    counted = Seat.objects.filter(benchmark=benchmark).values_list("purpose", "kind")
    rows = counted.annotate(
        free=Count("pk", filter=Q(state=Seat.State.FREE)),
        mine=Count("pk", filter=Q(state=Seat.State.HELD, holder=person)),
    ).order_by()
    counts = {(purpose, kind): (free, mine) for purpose, kind, free, mine in rows}
    pools: list[PoolWaiting] = []
    for purpose, kind in open_pools:
        free, mine = counts.get((purpose, kind), (0, 0))
        pools.append({"purpose": purpose, "kind": kind, "free": free, "mine": mine})
    return pools


def _week(person: Person, benchmark_id: int) -> WeekRow:
    """The items that a person wrote in the last seven days, by day in their time zone, with verdicts and time spent."""
    zone = ZoneInfo(person.zone)
    today = timezone.localdate(timezone=zone)
    days = [today - timedelta(days=n) for n in range(6, -1, -1)]
    since = datetime.combine(days[0], time.min, tzinfo=zone)
    rows = ItemRevision.objects.filter(
        author=person, item__benchmark_id=benchmark_id, origin="annotator", created_at__gte=since
    )
    written = dict(
        rows.annotate(day=TruncDate("created_at", tzinfo=zone))
        .values_list("day")
        .annotate(n=Count("item_id", distinct=True))
        .order_by()
    )
    now_accepted = Q(item__state=Item.State.ACCEPTED, no=F("item__accepted_no"))
    sums = rows.aggregate(accepted=Count("pk", filter=now_accepted), active_ms=Sum("active_ms"))
    judged, first = accepted_first_time(person, benchmark_id, since)
    return {
        "written": sum(written.values()),
        "accepted": sums["accepted"],
        "judged": judged,
        "accepted_first": first,
        "active_ms": sums["active_ms"] or 0,
        "by_day": [{"day": d, "written": written.get(d, 0)} for d in days],
    }
