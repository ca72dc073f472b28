"""The results of spot checks, and the drawn items that wait to be judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import Count, F, OuterRef, Q, Subquery

from annotation.draws.models import Draw, Drawn
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import protocol_with
from annotation.judging.models import Verdict
from annotation.peer import access
from annotation.peer.rules import SPOT_CHECK
from annotation.peer.shapes import OpenSpotCheck, SpotCheck, SpotChecks, TeamSpotCheck
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import track_content
from curation.core.operations import Reach
from curation.core.pages import cut_page
from curation.lib.intervals import interval
from curation.people.access import benchmark_for
from curation.people.models import Person, Team
from curation.people.shapes import team_brief

SHOWN: Final = 100  # drawn items to judge in one answer
PAGE: Final = 20


def spot_checks(
    person: Person, benchmark_slug: str, *, kind: str, cursor: str | None = None, page_size: int = PAGE
) -> SpotChecks:
    """Show the spot checks of a kind: members see their own teams' results, others those of all teams.

    Raises:
        KindNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "spot_check_list", kind)
    return _spot_checks(person, benchmark, kind, cursor, page_size)


def changed_spot_checks(person: Person, drawn: tuple[Benchmark, str]) -> SpotChecks:
    """The spot checks of a kind after one was drawn."""
    return _spot_checks(person, *drawn, cursor=None, page_size=PAGE)


def _spot_checks(person: Person, benchmark: Benchmark, kind: str, cursor: str | None, page_size: int) -> SpotChecks:
    settings = track_content(protocol_with(benchmark, kind).content, Item.Track.PEER, kind) or {}
    draws = Draw.objects.filter(benchmark=benchmark, kind=kind, purpose=SPOT_CHECK)
    rows, page = cut_page(draws, by="-id", cursor=cursor, page_size=page_size)
    teams = Team.objects.filter(benchmark=benchmark)
    if person.reach(benchmark.pk, "spot_check_list", kind) is not Reach.ALL:
        teams = teams.filter(pk__in=access.teams_of(person, benchmark.pk, kind))
    may_draw = person.may(benchmark.pk, "spot_check_draw", kind)
    return {
        **page,
        "kind": kind,
        "percent": settings.get("spot_check_percent", 0),
        "to_judge": _to_judge(person, benchmark, kind) if person.may(benchmark.pk, "item_spot_check", kind) else [],
        "available_actions": ["spot_check_draw"] if may_draw and settings.get("spot_check_percent") else [],
        "results": _with_results(rows, {team.pk: team for team in teams}),
    }


def _to_judge(person: Person, benchmark: Benchmark, kind: str) -> list[OpenSpotCheck]:
    author = ItemRevision.objects.filter(item_id=OuterRef("item_id"), no=OuterRef("revision_no")).values("author_id")
    rows = access.open_spot_checks().filter(draw__benchmark=benchmark, draw__kind=kind)
    rows = rows.alias(author=Subquery(author)).exclude(author=person.pk).select_related("item__benchmark", "item__team")
    return [
        {
            "item": row.item_id,
            "label": row.item.label,
            "team": team_brief(row.item.team),
            "revision_no": row.revision_no,
        }
        for row in rows.order_by("draw_id", "ordinal")[:SHOWN]
        if row.item.team is not None
    ]


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
    population = len(draw.criteria["teams"][str(team.pk)])
    judged = row["right"] + row["wrong"]
    share = interval(row["right"], judged, population) if judged and not row["open"] else None
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
