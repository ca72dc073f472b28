"""Reads of the session and of accounts."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, OuterRef, Value, When
from django.db.models.functions import JSONObject

from curation.core.shapes import JobAnswer, job_answer
from curation.people import access
from curation.people.models import Person, RoleGrant, Team
from curation.people.queries.roles import roles_in
from curation.people.rules import DEMO_LOG_INS
from curation.people.shapes import AccountRow, DemoLogIn, MyBenchmark, SessionAnswer


def session_answer(person: Person) -> SessionAnswer:
    """Show the signed-in person, their benchmarks and what they may do there. One statement."""
    return {
        "person": {
            "id": person.pk,
            "username": person.username,
            "name": person.name,
            "language": person.language,
            "language_chosen": person.language_chosen,
        },
        "is_owner": person.owns_site,
        "benchmarks": _my_benchmarks(person),
        "submits_to": sorted({g.slug for g in person.grants if g.slug and not person.knows(g.benchmark_id)}),
        "build": settings.BUILD,
        "live": f"{settings.LIVE_ORIGIN}/events/",
    }


def updated_session(person: Person, updated: Person) -> SessionAnswer:
    """The session of a person who changed their own account."""
    return session_answer(updated)


def account_row(person: Person, account: Person) -> AccountRow:
    """An account that ``person`` closed or opened."""
    return {
        "id": account.pk,
        "username": account.username,
        "name": account.name,
        "active": account.is_active,
    }


def job_page(person: Person, job_id: int) -> JobAnswer:
    """Show the progress of background work.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return job_answer(access.job_for(person, job_id))


def demo_log_ins() -> list[DemoLogIn]:
    """List the demo's accounts with their passwords."""
    return [{"username": each["username"], "password": each["password"], "role": each["role"]} for each in DEMO_LOG_INS]


def _my_benchmarks(person: Person) -> list[MyBenchmark]:
    own_teams = RoleGrant.objects.filter(person=person, ended_at=None, team__isnull=False).values("team_id")
    teams = Team.objects.filter(benchmark=OuterRef("pk"), closed_at=None, pk__in=own_teams).order_by("pk")
    leads = Case(When(lead=person, then=Value(True)), default=Value(False))
    rows = access.benchmarks_known_to(person).select_related("protocol")
    rows = rows.annotate(my_teams=ArraySubquery(teams.values(row=JSONObject(id="id", name="name", lead=leads))))
    return [
        {
            "slug": b.slug,
            "title": b.title,
            "roles": roles_in(person, b.pk),
            "operations": person.operations(b.pk),
            "kinds": sorted((b.protocol.content if b.protocol else {}).get("kinds", {})),
            "consent": {
                "needed": bool(b.protocol and b.protocol.consent_sha256),
                "given": person.consented(b.pk),
            },
            "teams": b.my_teams,
        }
        for b in rows.order_by("pk")
    ]
