"""Accepted items and their pictures by team and category."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from django.db import connection

from annotation.items.models import Item
from annotation.items.queries import protocol_with
from annotation.kinds.categories import category_sql
from annotation.peer import access
from annotation.peer.shapes import TeamCounts, TeamStatistics
from curation.benchmarks.rules import track_content
from curation.core.operations import Reach
from curation.people.access import benchmark_for
from curation.people.models import Person, Team
from curation.people.shapes import team_brief, team_pair

# A picture may have items of several categories, so a team's pictures are no sum over categories.
_COUNTS: Final = f"""
    with accepted as (
        select i.team_id, i.image_id, {category_sql("r.content", "c.slug")} as category
        from annotation_item i
        join annotation_itemrevision r on r.item_id = i.id and r.no = i.accepted_no
        join curation_image p on p.id = i.image_id
        left join curation_category c on c.id = p.category_id
        where i.benchmark_id = %(benchmark)s and i.kind = %(kind)s and i.track = %(track)s and i.state = 'accepted'
        and (%(teams)s::bigint[] is null or i.team_id = any(%(teams)s::bigint[])))
    select team_id, category, count(*), count(distinct image_id)
    from accepted group by grouping sets ((team_id, category), (team_id)) order by team_id, category
"""  # noqa: S608  (constants of this module; values are parameters)


class _Count(NamedTuple):
    """Accepted items and their pictures; ``category`` is None for all of a team's."""

    team_id: int
    category: str | None
    items: int
    pictures: int


def team_statistics(person: Person, benchmark_slug: str, *, kind: str) -> TeamStatistics:
    """Count the accepted items of teams and the pictures that have some, by category; by team name.

    Members see their own teams, others all: the open ones, and closed ones with accepted items. Three statements for
    any number of teams.

    Raises:
        KindNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "team_statistics", kind)
    settings = track_content(protocol_with(benchmark, kind).content, Item.Track.PEER, kind) or {}
    sees_all = person.reach(benchmark.pk, "team_statistics", kind) is Reach.ALL
    own = None if sees_all else sorted(access.teams_of(person, benchmark.pk, kind))
    counts: dict[int, list[_Count]] = {}
    for count in _counts(benchmark.pk, kind, own):
        counts.setdefault(count.team_id, []).append(count)
    teams = Team.objects.filter(benchmark=benchmark).order_by("name", "pk")
    if own is not None:
        teams = teams.filter(pk__in=own)
    return {
        "kind": kind,
        "required": settings.get("items_per_team", 0),
        "teams": [
            _team_counts(team, counts.get(team.pk, [])) for team in teams if team.closed_at is None or team.pk in counts
        ],
    }


def _counts(benchmark_id: int, kind: str, teams: list[int] | None) -> Iterator[_Count]:
    parameters: dict[str, Any] = {"benchmark": benchmark_id, "kind": kind, "track": Item.Track.PEER, "teams": teams}
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, parameters)
        yield from map(_Count._make, cursor.fetchall())


def _team_counts(team: Team, counts: list[_Count]) -> TeamCounts:
    total = next((count for count in counts if count.category is None), None)
    return {
        "team": team_brief(team),
        "pair": team_pair(team),
        "items": total.items if total else 0,
        "pictures": total.pictures if total else 0,
        "categories": [
            {"category": count.category, "items": count.items, "pictures": count.pictures}
            for count in counts
            if count.category is not None
        ],
    }
