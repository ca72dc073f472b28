"""Reads of teams."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet

from curation.benchmarks.models import Benchmark
from curation.people import access
from curation.people.models import Person, RoleGrant, Team
from curation.people.shapes import TeamMember, TeamRow, person_brief, team_pair


def team_rows(person: Person, benchmark_slug: str) -> list[TeamRow]:
    """List a benchmark's open teams with their members, by name; a member without further rights gets their own.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "team_list")
    rows = access.teams_visible_to(person, benchmark, "team_list").order_by("name", "pk")
    names_visible = access.names_visible(
        person, benchmark.pk, benchmark.protocol.content if benchmark.protocol else None
    )
    return _team_rows(rows[:500], benchmark, hidden_from=None if names_visible else person)


def team_row(person: Person, team: Team) -> TeamRow:
    """A team that ``person`` changed, as in the list."""
    benchmark = Benchmark.objects.select_related("protocol").get(pk=team.benchmark_id)
    return _team_rows(Team.objects.filter(pk=team.pk), benchmark)[0]


def _team_rows(rows: QuerySet[Team], benchmark: Benchmark, hidden_from: Person | None = None) -> list[TeamRow]:
    """Teams with their members; ``hidden_from`` gets no names but their own."""

    def is_visible(person_id: int | None) -> bool:
        return hidden_from is None or person_id == hidden_from.pk

    size_maximum = ((benchmark.protocol.content if benchmark.protocol else {}).get("teams") or {}).get("size_maximum")
    held = RoleGrant.objects.filter(ended_at=None).select_related("person").order_by("person_id", "pk")
    teams: list[TeamRow] = []
    for team in rows.select_related("lead").prefetch_related(Prefetch("role_grants", queryset=held)):
        members: dict[int, TeamMember] = {}
        for grant in team.role_grants.all():
            visible = is_visible(grant.person_id)
            member = members.setdefault(
                grant.person_id,
                {
                    "id": grant.person_id if visible else None,
                    "name": grant.person.name if visible else None,
                    "roles": [],
                },
            )
            member["roles"].append(grant.role)
        teams.append(
            {
                "id": team.pk,
                "name": team.name,
                "pair": team_pair(team),
                "lead": person_brief(team.lead) if team.lead and is_visible(team.lead_id) else None,
                "members": list(members.values()),
                "size_maximum": size_maximum,
                "closed": team.closed_at is not None,
            }
        )
    return teams
