"""The results of spot checks, and the drawn items that wait to be judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from annotation.draws.models import Draw, Drawn, PopulationItem
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import (
    comments_on,
    picture,
    protocol_content,
    protocol_with,
    rules_for,
    text_language,
    with_pictures,
)
from annotation.judging.models import Verdict
from annotation.peer import access
from annotation.peer.rules import PURPOSE, SPOT_CHECK
from annotation.peer.shapes import SpotCheck, SpotCheckItem, SpotChecks, SpotCheckSheet, TeamDraw, TeamSpotCheck
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import track_content
from curation.core.operations import Reach
from curation.core.pages import cut_page
from curation.lib.intervals import interval
from curation.lib.sampling import sample_size
from curation.people.access import benchmark_for, brief_for, names_visible
from curation.people.models import Person, Team
from curation.people.shapes import team_brief

SHOWN: Final = 50  # drawn items to judge in one answer
PAGE: Final = 20


def spot_checks(
    person: Person,
    benchmark_slug: str,
    *,
    kind: str,
    preview: bool = False,
    cursor: str | None = None,
    page_size: int = PAGE,
) -> SpotChecks:
    """Show the spot checks of a kind: members see their own teams' results, others those of all teams.

    Args:
        person: The person who asks.
        benchmark_slug: The benchmark.
        kind: Kind of work.
        preview: Whether to count what would be drawn now, which reads all accepted items.
        cursor: ``next`` of the previous page.
        page_size: Draws per page.

    Raises:
        KindNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "spot_check_list", kind)
    return _spot_checks(person, benchmark, kind, preview=preview, cursor=cursor, page_size=page_size)


def changed_spot_checks(person: Person, drawn: tuple[Benchmark, str]) -> SpotChecks:
    """The spot checks of a kind after one was drawn."""
    return _spot_checks(person, *drawn, preview=True, cursor=None, page_size=PAGE)


def _spot_checks(
    person: Person, benchmark: Benchmark, kind: str, *, preview: bool, cursor: str | None, page_size: int
) -> SpotChecks:
    settings = track_content(protocol_with(benchmark, kind).content, Item.Track.PEER, kind) or {}
    draws = Draw.objects.filter(benchmark=benchmark, kind=kind, purpose=SPOT_CHECK)
    rows, page = cut_page(draws, by="-id", cursor=cursor, page_size=page_size)
    teams = Team.objects.filter(benchmark=benchmark)
    if person.reach(benchmark.pk, "spot_check_list", kind) is not Reach.ALL:
        teams = teams.filter(pk__in=access.teams_of(person, benchmark.pk, kind))
    percent = settings.get("spot_check_percent", 0)
    may_draw = bool(percent) and person.may(benchmark.pk, "spot_check_draw", kind)
    may_judge = person.may(benchmark.pk, "item_spot_check", kind)
    return {
        **page,
        "kind": kind,
        "percent": percent,
        "to_judge": _to_judge(person, benchmark, kind).count() if may_judge else 0,
        "preview": _preview(benchmark, kind, percent) if preview and may_draw else [],
        "available_actions": ["spot_check_draw"] if may_draw else [],
        "results": _with_results(rows, {team.pk: team for team in teams}),
    }


def _accepted_since_last_draw(benchmark: Benchmark, kind: str) -> QuerySet[Item]:
    """Accepted items of which no spot check has drawn from the accepted revision yet.

    Times are not compared: an item may be accepted by a transaction that started before a draw and ended after it.
    """
    earlier = PopulationItem.objects.filter(item_id=OuterRef("pk"), revision_no=OuterRef("accepted_no"))
    accepted = Item.objects.filter(benchmark=benchmark, kind=kind, track=Item.Track.PEER, state=Item.State.ACCEPTED)
    return accepted.exclude(Exists(earlier))


def next_population(benchmark: Benchmark, kind: str) -> dict[int, dict[int, int]]:
    """By team, the accepted revision of each item from which no spot check has drawn yet."""
    teams: dict[int, dict[int, int]] = {}
    rows: Any = _accepted_since_last_draw(benchmark, kind).values_list("team_id", "pk", "accepted_no")
    for team_id, item_id, no in rows:
        teams.setdefault(team_id, {})[item_id] = no
    return teams


def _preview(benchmark: Benchmark, kind: str, percent: int) -> list[TeamDraw]:
    accepted = _accepted_since_last_draw(benchmark, kind)
    counted: Any = accepted.values_list("team_id").annotate(n=Count("pk")).order_by()
    populations = dict[int, int](counted)
    teams = Team.objects.filter(pk__in=list(populations)).order_by("name", "pk")
    return [
        {
            "team": team_brief(team),
            "population": populations[team.pk],
            "size": sample_size(populations[team.pk], percent),
        }
        for team in teams
    ]


def _to_judge(person: Person, benchmark: Benchmark, kind: str) -> QuerySet[Drawn]:
    """Drawn items that wait to be judged, in the order of the draws; not those whose newest text the person wrote."""
    rows = access.open_spot_checks().filter(draw__benchmark=benchmark, draw__kind=kind)
    by_others = rows.alias(author=access.author_of("item_id", "revision_no")).exclude(author=person.pk)
    ordered: QuerySet[Drawn] = by_others.order_by("draw_id", "ordinal")
    return ordered


def spot_check_sheet(person: Person, benchmark_slug: str, *, kind: str) -> SpotCheckSheet:
    """Show the drawn items that a person may judge, oldest draw first; the statements do not grow with the items.

    Raises:
        KindNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "spot_check_sheet", kind)
    protocol_id = protocol_with(benchmark, kind).pk
    ids = list(_to_judge(person, benchmark, kind).values_list("item_id", flat=True))
    rows = {row.pk: row for row in _drawn_items(person).filter(pk__in=ids[:SHOWN])}
    show_names = names_visible(person, benchmark.pk, protocol_content(protocol_id))
    return {
        "kind": kind,
        "rules": rules_for(protocol_id, kind),
        "total": len(ids),
        "items": [_drawn_item(person, rows[pk], protocol_id, show_names=show_names) for pk in ids if pk in rows],
    }


def _drawn_items(person: Person) -> QuerySet[Any]:
    """Rows of ``access.team_items`` with picture, comments, and what the person did on them earlier."""
    written = ItemRevision.objects.filter(item_id=OuterRef("pk"), author=person)
    starred = Verdict.objects.filter(item_id=OuterRef("pk"), stage=PURPOSE, outcome="star", judge=person)
    rows: QuerySet[Any] = with_pictures(access.team_items(person.pk), "image_id").annotate(
        comment_count=comments_on("pk"), reader_edited=Exists(written), reader_starred=Exists(starred)
    )
    return rows.select_related("image__category")


def _drawn_item(person: Person, row: Any, protocol_id: int, *, show_names: bool) -> SpotCheckItem:
    newest = row.newest
    author = {"id": newest["author_id"], "name": newest["author_name"]}
    return {
        "id": row.pk,
        "label": row.label,
        "team": team_brief(row.team),
        "state": row.state,
        "revision_no": row.revision_no,
        "image": picture(row.image, row.renditions),
        "language": text_language(protocol_id, row.team),
        "content": newest["content"],
        "findings": newest["findings"],
        "reasons": newest["reasons"],
        "author": brief_for(person, author, show_names=show_names),
        "comments": row.comment_count,
        "reader_edited": row.reader_edited,
        "reader_starred": row.reader_starred,
    }


def _with_results(draws: Sequence[Draw], teams: dict[int, Team]) -> list[SpotCheck]:
    verdict = Verdict.objects.filter(
        item_id=OuterRef("item_id"), revision_no=OuterRef("revision_no"), stage=SPOT_CHECK
    ).values("outcome")
    drawn = Drawn.objects.filter(draw__in=draws, item__team_id__in=teams).alias(outcome=Subquery(verdict[:1]))
    unjudged = Q(outcome=None)
    current = Q(item__accepted_no=F("revision_no"))
    counted = drawn.values("draw_id", "item__team_id").annotate(
        drawn=Count("item_id"),
        right=Count("item_id", filter=Q(outcome="right")),
        wrong=Count("item_id", filter=Q(outcome="wrong")),
        open=Count("item_id", filter=unjudged & current),
    )
    of: dict[int, list[Mapping[str, Any]]] = {}
    for row in counted.order_by("item__team_id"):
        of.setdefault(row["draw_id"], []).append(row)
    return [
        {
            "id": draw.pk,
            "drawn_at": draw.drawn_at,
            "percent": draw.criteria["percent"],
            "teams": [_result(draw, row, teams[row["item__team_id"]]) for row in of.get(draw.pk, [])],
        }
        for draw in draws
    ]


def _result(draw: Draw, row: Mapping[str, Any], team: Team) -> TeamSpotCheck:
    population = draw.criteria["populations"][str(team.pk)]
    judged = row["right"] + row["wrong"]
    # The items that are left over when some changed are no random sample of the population.
    share = interval(row["right"], judged, population) if judged == row["drawn"] else None
    return {
        "team": team_brief(team),
        "population": population,
        "drawn": row["drawn"],
        "right": row["right"],
        "wrong": row["wrong"],
        "open": row["open"],
        "changed": row["drawn"] - judged - row["open"],
        "interval": {"method": share.method, "low": share.low, "high": share.high} if share else None,
    }
