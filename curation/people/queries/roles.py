"""Reads of the people of a benchmark, their roles, and the permission table."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import JSONObject

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import OUTSIDER, OWNER
from curation.core.operations import OPERATIONS, Entry, Reach
from curation.core.pages import cut_page
from curation.people import access
from curation.people.models import Consent, Invitation, Person, RoleGrant
from curation.people.queries.links import may_set_password
from curation.people.rules import Grant, Member, reach
from curation.people.shapes import (
    ConsentRow,
    GrantRow,
    PastGrant,
    PersonDetail,
    PersonPage,
    PersonRow,
    person_brief,
    team_brief,
)


def roles_in(person: Person, benchmark_id: int) -> list[str]:
    """Codes of the roles that a person holds in a benchmark, the site's owner included."""
    return sorted({g.role for g in person.grants if g.benchmark_id in (benchmark_id, None)})


def person_page(
    person: Person,
    benchmark_slug: str,
    *,
    page_size: int,
    cursor: str | None = None,
    search: str = "",
    role: str | None = None,
    team: int | None = None,
) -> PersonPage:
    """List a benchmark's people with the roles they hold; people whose roles all ended are included.

    Args:
        person: The reader.
        benchmark_slug: The benchmark.
        page_size: Rows a page.
        cursor: ``next`` of the previous page.
        search: Only people with this text in their name or user name.
        role: Only people who hold this role now.
        team: Only people who hold a role in this team now.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "person_list")
    rows = people_with(benchmark, search) if search else access.people_of(benchmark)
    if role is not None or team is not None:
        held = RoleGrant.objects.filter(benchmark=benchmark, ended_at=None)
        held = held.filter(role=role) if role is not None else held
        held = held.filter(team_id=team) if team is not None else held
        rows = rows.filter(pk__in=held.values("person_id"))
    people, facts = cut_page(_with_grants(rows, benchmark), by="pk", cursor=cursor, page_size=page_size)
    return {**facts, "results": [_person_row(each) for each in people]}


def people_with(benchmark: Benchmark, search: str) -> QuerySet[Person]:
    """A benchmark's people with a text in their name or user name."""
    rows = access.people_of(benchmark)
    return rows.filter(Q(name__icontains=search) | Q(username__icontains=search))


def member_row(person: Person, member: Member) -> PersonRow:
    """A member whose roles ``person`` changed, as in the list of people."""
    benchmark = Benchmark.objects.select_related("protocol").get(pk=member.benchmark_id)
    return _person_row(_with_grants(Person.objects.all(), benchmark).get(pk=member.person_id))


def person_detail(person: Person, benchmark_slug: str, person_id: int) -> PersonDetail:
    """Show a person with every role they held in the benchmark and every consent.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "person_show")
    member = access.member_of(benchmark, person_id)
    history = RoleGrant.objects.filter(benchmark=benchmark, person=member).order_by("-pk")
    history = history.select_related("team", "granted_by", "ended_by")
    consents = Consent.objects.filter(benchmark=benchmark, person=member).order_by("-no")
    return {
        **member_row(person, Member(member.pk, benchmark.pk)),
        "history": [_past_grant(grant) for grant in history[:500]],
        "consents": [_consent_row(consent) for consent in consents[:100]],
        "available_actions": _actions(person, member, benchmark),
    }


def _actions(person: Person, member: Person, benchmark: Benchmark) -> list[str]:
    if member.pk == person.pk:
        return []
    allowed = {
        "role_grant": member.is_active and person.may(benchmark.pk, "role_grant"),
        "role_end": person.may(benchmark.pk, "role_end"),
        "password_link": may_set_password(person, member, benchmark),
        "account_close": member.is_active and person.may(None, "account_close"),
        "account_open": not member.is_active and person.may(None, "account_open"),
    }
    return [operation for operation, may in allowed.items() if may]


def people_who_may(benchmark: Benchmark, operation: str, kind: str | None = None) -> QuerySet[RoleGrant, int]:
    """Ids of the people whose role in a benchmark opens an operation, for a kind of work.

    Closed accounts are left out, and so is the site's owner, who may do much in every benchmark.
    """
    roles = benchmark.protocol.content.get("roles", []) if benchmark.protocol else []
    opening = [
        role["code"]
        for role in roles
        if reach([Grant(None, None, role["code"], capabilities=tuple(role["capabilities"]))], None, operation, kind)
        is not Reach.NONE
    ]
    held = RoleGrant.objects.filter(benchmark=benchmark, role__in=opening, ended_at=None, person__is_active=True)
    return held.values_list("person_id", flat=True).distinct()


def heads_of(benchmark: Benchmark) -> list[int]:
    """Ids of the people who may adopt a benchmark's protocol, the site's owners included."""
    owners = RoleGrant.objects.filter(role=OWNER, ended_at=None, person__is_active=True)
    return [*people_who_may(benchmark, "protocol_adopt"), *owners.values_list("person_id", flat=True)]


def appointed_by_owner(person: Person, benchmark: Benchmark, operation: str) -> bool:
    """Whether the site's owner decided that the person may use an operation in a benchmark.

    That is so for an owner, and for people who hold a role that opens the operation, granted or invited to by an owner
    or by a command of the server's operator, which names nobody. It is so no more if the person's password was set by a
    link of someone else since: that one may know it.
    """
    if person.owns_site:
        return True
    opening = {g.role for g in person.grants if reach([g], benchmark.pk, operation) is not Reach.NONE}
    held = RoleGrant.objects.filter(person=person, benchmark=benchmark, role__in=opening, ended_at=None)
    links = Invitation.objects.filter(purpose=Invitation.Purpose.PASSWORD, person=person)
    by_others = links.filter(used_at__gt=OuterRef("granted_at")).exclude(invited_by__role_grants__role=OWNER)
    return held.filter(Q(granted_by=None) | Q(granted_by__role_grants__role=OWNER)).exclude(Exists(by_others)).exists()


def is_barred(person: Person, benchmark: Benchmark) -> bool:
    """Whether an administrator ended the role by which the person submitted predictions from outside the team."""
    held = RoleGrant.objects.filter(person=person, benchmark=benchmark, role=OUTSIDER)
    return held.exclude(ended_at=None).exists() and not held.filter(ended_at=None).exists()


def permission_rows() -> list[tuple[str, str, str]]:
    """The permission table as rows (operation, capability, reach), as in the golden file.

    ``signed_in`` is everyone who is signed in, ``link`` everyone who has a link.
    """
    rows = []
    for name, operation in OPERATIONS.items():
        if operation.entry is Entry.ROLE:
            rows += [(name, capability, reach.value) for capability, reach in operation.reaches.items()]
        else:
            rows.append((name, operation.entry.value, "own"))
    return rows


def _with_grants(rows: QuerySet[Person], benchmark: Benchmark) -> QuerySet[Person]:
    held = RoleGrant.objects.filter(person=OuterRef("pk"), benchmark=benchmark, ended_at=None).order_by("pk")
    consents = Consent.objects.filter(person=OuterRef("pk"), benchmark=benchmark).order_by("-no")
    text = Case(When(given=True, then="text_sha256"), default=Value("-"))
    return rows.annotate(
        required_consent=Value(benchmark.protocol.consent_sha256 if benchmark.protocol else ""),
        newest_consent=Subquery(consents.annotate(text=text).values("text")[:1]),
        held=ArraySubquery(
            held.values(
                row=JSONObject(id="id", role="role", team_id="team_id", team_name="team__name", granted_at="granted_at")
            )
        ),
    )


def _person_row(person: Any) -> PersonRow:
    """A row of :func:`_with_grants`."""
    return {
        "id": person.pk,
        "username": person.username,
        "name": person.name,
        "active": person.is_active,
        "last_seen": person.last_login,
        "consented": person.required_consent in ("", person.newest_consent),
        "grants": [_grant_row(grant) for grant in person.held],
    }


def _grant_row(grant: dict[str, Any]) -> GrantRow:
    return {
        "id": grant["id"],
        "role": grant["role"],
        "team": {"id": grant["team_id"], "name": grant["team_name"]} if grant["team_id"] is not None else None,
        "granted_at": datetime.fromisoformat(grant["granted_at"]),
    }


def _past_grant(grant: RoleGrant) -> PastGrant:
    return {
        "role": grant.role,
        "team": team_brief(grant.team) if grant.team else None,
        "granted_at": grant.granted_at,
        "granted_by": person_brief(grant.granted_by) if grant.granted_by else None,
        "ended_at": grant.ended_at,
        "ended_by": person_brief(grant.ended_by) if grant.ended_by else None,
    }


def _consent_row(consent: Consent) -> ConsentRow:
    return {"given": consent.given, "text_version": consent.text_version, "at": consent.at}
