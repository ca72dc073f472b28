"""Credit for accepted items, and who meets the protocol's conditions of authorship."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from django.db.models import Count

from annotation.items.models import Item
from annotation.peer import access
from annotation.peer.rules import MANAGED
from annotation.peer.shapes import Credit, CreditRow
from curation.benchmarks.models import Benchmark
from curation.core.operations import Reach
from curation.people.access import benchmark_for, names_visible
from curation.people.models import Person, RoleGrant, Team
from curation.people.shapes import person_brief, team_brief

COLUMNS: Final = ("person_id", "person", "team_id", "team", "validated_in_team", "validated", "teams_led", "earned")


def credit(person: Person, benchmark_slug: str) -> Credit:
    """Count the accepted items of teams by the author of their first revision, over all kinds.

    Heads see everyone, members the people of their own teams; where names are hidden from a member, only their own row.
    One's own row has all teams, also those that one left. Whether credit is earned counts all teams. An item that
    repeats the text of a discarded one counts for that one's first author (``services.crediting``).

    Raises:
        NotFound, OperationNotAllowed.
    """
    return _credit(person, benchmark_for(person, benchmark_slug, "credit_list"), "credit_list")


def credit_lines(person: Person, benchmark_slug: str) -> Iterator[list[Any]]:
    """The cells of the credit file, a line for each person and team; what is shown is as in :func:`credit`.

    Raises:
        NotFound, OperationNotAllowed.
    """
    answer = _credit(person, benchmark_for(person, benchmark_slug, "credit_file"), "credit_file")
    return _lines(answer)


def _lines(answer: Credit) -> Iterator[list[Any]]:
    for row in answer["results"]:
        for share in row["teams"]:
            who, team = row["person"], share["team"]
            cells = [who["id"], who["name"], team["id"], team["name"], share["validated"]]
            yield [*cells, row["validated"], row["teams_led"], "yes" if row["earned"] else "no"]


def _credit(person: Person, benchmark: Benchmark, operation: str) -> Credit:
    content = benchmark.protocol.content if benchmark.protocol else {}
    conditions = (content.get("people") or {}).get("credit") or {}
    counts, imported = _validated(benchmark)
    teams = {team.pk: team for team in Team.objects.filter(benchmark=benchmark).order_by("pk")}
    leads: dict[int, set[int]] = {}
    for team in teams.values():
        if team.lead_id is not None and team.closed_at is None:
            leads.setdefault(team.lead_id, set()).add(team.pk)
    shown = set(teams)
    if person.reach(benchmark.pk, operation) is not Reach.ALL:
        shown &= access.teams_of(person, benchmark.pk)
    people = Person.objects.filter(pk__in={*counts, *leads})
    if not names_visible(person, benchmark.pk, content):
        people = people.filter(pk=person.pk)
    held = RoleGrant.objects.filter(benchmark=benchmark, ended_at=None, team__isnull=False)
    members = set(held.values_list("person_id", "team_id"))
    rows = [
        _row(
            who,
            counts.get(who.pk, {}),
            leads.get(who.pk, set()),
            conditions,
            {pk: team for pk, team in teams.items() if who.pk == person.pk or pk in shown},
            members,
        )
        for who in people
    ]
    rows = [row for row in rows if row["teams"]]
    return {
        "validated_items": conditions.get("validated_items"),
        "teams_to_lead": _teams_to_lead(conditions),
        "imported": sum(n for team_id, n in imported.items() if team_id in shown),
        "results": sorted(rows, key=lambda row: (-row["validated"], row["person"]["name"], row["person"]["id"])),
    }


def _validated(benchmark: Benchmark) -> tuple[dict[int, dict[int, int]], dict[int, int]]:
    """The number of accepted items by first author and team; by team, the number of imported ones."""
    accepted = Item.objects.filter(benchmark=benchmark, track=Item.Track.PEER, state=Item.State.ACCEPTED)
    counted: Any = (
        accepted.annotate(author=access.credited_author())
        .values_list("author", "team_id")
        .annotate(n=Count("pk"))
        .order_by()
    )
    found: dict[int, dict[int, int]] = {}
    imported: dict[int, int] = {}
    for author_id, team_id, n in counted:
        of = imported if author_id is None else found.setdefault(author_id, {})
        of[team_id] = n
    return found, imported


def _teams_to_lead(conditions: Mapping[str, Any]) -> int | None:
    return MANAGED if conditions.get("or_manages_subsets") else None


def _row(
    who: Person,
    counts: Mapping[int, int],
    leads: set[int],
    conditions: Mapping[str, Any],
    shown: Mapping[int, Team],
    members: Collection[tuple[int, int | None]],
) -> CreditRow:
    validated = sum(counts.values())
    required = conditions.get("validated_items")
    to_lead = _teams_to_lead(conditions)
    enough = required is not None and validated >= required
    leads_enough = to_lead is not None and len(leads) >= to_lead
    return {
        "person": person_brief(who),
        "teams": [
            {
                "team": team_brief(shown[team_id]),
                "validated": counts.get(team_id, 0),
                "leads": team_id in leads,
                "member": (who.pk, team_id) in members,
            }
            for team_id in sorted({*counts, *leads})
            if team_id in shown
        ],
        "validated": validated,
        "teams_led": len(leads),
        "earned": enough or leads_enough,
    }
