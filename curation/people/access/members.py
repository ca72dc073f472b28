"""The people of a benchmark, their accounts, roles and tokens."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import OUTSIDER
from curation.core.errors import NotFound
from curation.people.access.permissions import require
from curation.people.models import ApiToken, Person, RoleGrant, Team, grants_in_force
from curation.people.rules import Grant


def people_of(benchmark: Benchmark) -> QuerySet[Person]:
    """Everyone who holds or held a role in a benchmark, without outsiders."""
    return Person.objects.filter(pk__in=_memberships(benchmark).values("person_id"))


def _memberships(benchmark: Benchmark) -> QuerySet[RoleGrant]:
    return RoleGrant.objects.filter(benchmark=benchmark).exclude(role=OUTSIDER)


def with_grants(rows: QuerySet[Person]) -> list[Person]:
    """People with the roles they hold, so that checking what each may do takes no further statement."""
    people: list[Any] = list(rows.annotate(held=grants_in_force("curation_person.id")))
    for person in people:
        person.grants = tuple(Grant.from_row(held) for held in person.held)
    return people


def member_of(benchmark: Benchmark, person_id: int) -> Person:
    """A person who holds or held a role in a benchmark.

    Raises:
        NotFound.
    """
    person = people_of(benchmark).filter(pk=person_id).first()
    if person is None:
        raise NotFound
    return person


def lock_member_of(benchmark: Benchmark, person_id: int, *, in_force: bool = False) -> Person:
    """As :func:`member_of`, with the account locked; ``in_force`` requires a role in force.

    Raises:
        NotFound.
    """
    held = _memberships(benchmark).filter(person_id=person_id)
    if not (held.filter(ended_at=None) if in_force else held).exists():
        raise NotFound
    return lock_person(person_id)


def lock_person(person_id: int) -> Person:
    """An account, locked until the transaction ends.

    Raises:
        NotFound.
    """
    person = Person.objects.select_for_update(no_key=True).filter(pk=person_id).first()
    if person is None:
        raise NotFound
    return person


def lock_grant_for(person: Person, grant_id: int, operation: str) -> tuple[RoleGrant, int]:
    """A role in a benchmark, in force or ended, locked, with its person; and the benchmark's id.

    Raises:
        NotFound: There is none, or it is the site owner's.
        OperationNotAllowed.
    """
    # The team is locked first, as in ``close_team``: two requests with different orders would wait for each other.
    Team.objects.select_for_update(no_key=True).filter(role_grants=grant_id).first()
    rows = RoleGrant.objects.select_related("person").select_for_update(of=("self",), no_key=True)
    grant = rows.filter(pk=grant_id).first()
    if grant is None or grant.benchmark_id is None:
        raise NotFound
    require(person, grant.benchmark_id, operation)
    return grant, grant.benchmark_id


def lock_token_of(person: Person, token_id: int) -> ApiToken:
    """A token of the person's own, locked.

    Raises:
        NotFound.
    """
    rows = ApiToken.objects.select_related("benchmark").select_for_update(of=("self",), no_key=True)
    token = rows.filter(pk=token_id, person=person).first()
    if token is None:
        raise NotFound
    return token
