"""The teams that a person may use."""

from __future__ import annotations

from django.db.models import QuerySet

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.people.access.permissions import require
from curation.people.models import Person, Team


def teams_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Team]:
    """The open teams that an operation reaches: all, or the person's own teams.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = Team.objects.filter(benchmark=benchmark, closed_at=None)
    if require(person, benchmark.pk, operation) is Reach.ALL:
        return rows
    return rows.filter(pk__in=person.team_ids(benchmark.pk))


def lock_team_of(benchmark: Benchmark, team_id: int) -> Team:
    """An open team of a benchmark, locked; members are counted only under this lock.

    Raises:
        NotFound.
    """
    team = Team.objects.select_for_update(no_key=True).filter(pk=team_id, benchmark=benchmark, closed_at=None).first()
    if team is None:
        raise NotFound
    return team


def lock_team_for(person: Person, team_id: int, operation: str, *, closed: bool = False) -> Team:
    """A team, locked, if the operation is open to the person in its benchmark.

    ``closed`` accepts a closed team, too.

    Raises:
        NotFound, OperationNotAllowed.
    """
    team = Team.objects.select_for_update(no_key=True).filter(pk=team_id).first()
    if team is None:
        raise NotFound
    require(person, team.benchmark_id, operation)
    if team.closed_at is not None and not closed:
        raise NotFound
    return team
