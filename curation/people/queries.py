"""Reads about people and what they did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import JSONObject
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core.models import AuditEvent
from curation.core.operations import OPERATIONS, Entry, Reach
from curation.core.pages import COUNT_LIMIT, page
from curation.people import access
from curation.people.models import ApiToken, Consent, Invitation, Notice, Person, RoleGrant, Team
from curation.people.rules import Grant, reach


def benchmarks_of(person: Person) -> list[dict[str, Any]]:
    """The benchmarks somebody takes part in: roles and operations there, consent, teams. One statement."""
    mine = RoleGrant.objects.filter(person=person, ended_at=None, team__isnull=False).values("team_id")
    teams = Team.objects.filter(benchmark=OuterRef("pk"), closed_at=None, pk__in=mine).order_by("pk")
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


def roles_in(person: Person, benchmark_id: int) -> list[str]:
    """Names of the roles somebody holds in a benchmark, the site's owner included."""
    return sorted({g.role for g in person.grants if g.benchmark_id in (benchmark_id, None)})


def people_page(
    person: Person,
    slug: str,
    *,
    search: str | None,
    role: str | None,
    team: int | None,
    cursor: str | None,
    page_size: int,
) -> dict[str, Any]:
    """A page of a benchmark's people, those whose roles all ended included, with the roles they hold.

    Args:
        person: Who asks.
        slug: The benchmark.
        search: Part of a name or user name.
        role: Only who holds this role now.
        team: Only who holds a role in this team now.
        cursor: What the page before called ``next``.
        page_size: Rows a page.
    """
    benchmark = access.benchmark_for(person, slug, "person_list")
    rows = access.people_of(benchmark)
    if search:
        rows = rows.filter(Q(name__icontains=search) | Q(username__icontains=search))
    if role is not None or team is not None:
        held = RoleGrant.objects.filter(benchmark=benchmark, ended_at=None)
        held = held.filter(role=role) if role is not None else held
        held = held.filter(team_id=team) if team is not None else held
        rows = rows.filter(pk__in=held.values("person_id"))
    found = page(_with_grants(rows, benchmark), by="pk", cursor=cursor, page_size=page_size)
    return {**found, "results": [_person_json(p) for p in found["results"]]}


def person_in(person_id: int, **benchmark: Any) -> dict[str, Any]:
    """One person as the list of a benchmark (``pk=`` or ``slug=``) shows them; whoever asks was let in before."""
    here = Benchmark.objects.select_related("protocol").get(**benchmark)
    return _person_json(_with_grants(access.people_of(here), here).get(pk=person_id))


def person_detail(person: Person, slug: str, person_id: int) -> dict[str, Any]:
    """One person with every role they held in the benchmark and what they agreed to.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, slug, "person_show")
    found = access.member_of(benchmark, person_id)
    history = RoleGrant.objects.filter(benchmark=benchmark, person=found).select_related(
        "team", "granted_by", "ended_by"
    )
    return {
        **person_in(found.pk, pk=benchmark.pk),
        "history": list(history.order_by("-pk")[:500]),
        "consents": list(Consent.objects.filter(benchmark=benchmark, person=found).order_by("-no")[:100]),
    }


def account_row(person: Person) -> dict[str, Any]:
    """An account as the owner's answer shows it."""
    return {"id": person.pk, "username": person.username, "name": person.name, "active": person.is_active}


def _with_grants(rows: QuerySet[Person], benchmark: Benchmark) -> QuerySet[Person]:
    held = RoleGrant.objects.filter(person=OuterRef("pk"), benchmark=benchmark, ended_at=None).order_by("pk")
    agreed = Consent.objects.filter(person=OuterRef("pk"), benchmark=benchmark).order_by("-no")
    text = Case(When(given=True, then="text_sha256"), default=Value("-"))
    return rows.annotate(
        asked=Value(benchmark.protocol.consent_sha256 if benchmark.protocol else ""),
        agreed=Subquery(agreed.annotate(text=text).values("text")[:1]),
        held=ArraySubquery(
            held.values(
                row=JSONObject(id="id", role="role", team_id="team_id", team_name="team__name", granted_at="granted_at")
            )
        ),
    )


def _person_json(person: Any) -> dict[str, Any]:
    return {
        "id": person.pk,
        "username": person.username,
        "name": person.name,
        "active": person.is_active,
        "last_seen": person.last_login,
        "consented": person.asked in ("", person.agreed),
        "grants": [
            {
                "id": g["id"],
                "role": g["role"],
                "team": {"id": g["team_id"], "name": g["team_name"]} if g["team_id"] is not None else None,
                "granted_at": g["granted_at"],
            }
            for g in person.held
        ],
    }


def teams_of(person: Person, slug: str) -> list[dict[str, Any]]:
    """The open teams of a benchmark that the person may see, by name.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, slug, "team_list")
    rows = access.teams_visible_to(person, benchmark, "team_list").order_by("name", "pk")
    shown = access.names_visible(person, benchmark.pk, benchmark.protocol.content if benchmark.protocol else None)
    return _teams_json(rows[:500], benchmark, hidden_from=None if shown else person)


def team_json(team: Team) -> dict[str, Any]:
    """One team as the list shows it; whoever asks was let in before."""
    benchmark = Benchmark.objects.select_related("protocol").get(pk=team.benchmark_id)
    return _teams_json(Team.objects.filter(pk=team.pk), benchmark)[0]


def _teams_json(rows: QuerySet[Team], benchmark: Benchmark, hidden_from: Person | None = None) -> list[dict[str, Any]]:
    """Teams with their members; to whom names are hidden sees their own name and the others' roles."""

    def is_shown(person_id: int | None) -> bool:
        return hidden_from is None or person_id == hidden_from.pk

    teams = (benchmark.protocol.content if benchmark.protocol else {}).get("teams") or {}
    held = RoleGrant.objects.filter(ended_at=None).select_related("person").order_by("person_id", "pk")
    found = []
    for team in rows.select_related("lead").prefetch_related(Prefetch("role_grants", queryset=held)):
        members: dict[int, dict[str, Any]] = {}
        for grant in team.role_grants.all():
            named = (grant.person_id, grant.person.name) if is_shown(grant.person_id) else (None, None)
            member = members.setdefault(grant.person_id, {"id": named[0], "name": named[1], "roles": []})
            member["roles"].append(grant.role)
        found.append(
            {
                "id": team.pk,
                "name": team.name,
                "lead": brief(team.lead) if is_shown(team.lead_id) else None,
                "members": list(members.values()),
                "size_maximum": teams.get("size_maximum"),
                "closed": team.closed_at is not None,
            }
        )
    return found


def invitations_page(person: Person, slug: str, *, cursor: str | None, page_size: int) -> dict[str, Any]:
    """A page of a benchmark's links to join, newest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, slug, "invitation_list")
    rows = access.invitations_visible_to(person, benchmark, "invitation_list")
    found = page(rows.select_related("team", "invited_by", "used_by"), by="-id", cursor=cursor, page_size=page_size)
    return {**found, "results": [invitation_json(i) for i in found["results"]]}


def invitation_json(invitation: Invitation) -> dict[str, Any]:
    """A link as its list shows it: everything but its secret, which nobody has any more."""
    if invitation.used_at is not None:
        state = "used"
    elif invitation.revoked_at is not None:
        state = "revoked"
    else:
        state = "expired" if invitation.expires_at <= timezone.now() else "open"
    return {
        "id": invitation.pk,
        "note": invitation.note,
        "roles": invitation.roles,
        "team": brief(invitation.team),
        "lead": invitation.lead,
        "invited_by": brief(invitation.invited_by),
        "created_at": invitation.created_at,
        "expires_at": invitation.expires_at,
        "state": state,
        "used_by": brief(invitation.used_by),
    }


def link_json(token_sha256: str) -> dict[str, Any]:
    """What a link opens, for whoever brings it.

    Raises:
        InvitationUnknown, InvitationUsed, InvitationRevoked, InvitationExpired.
    """
    link = access.open_invitation(token_sha256)
    content = link.benchmark.protocol.content if link.benchmark.protocol else {}
    names = {role["code"]: role["name"] for role in content.get("roles", [])}
    return {
        "purpose": link.purpose,
        "benchmark": {"slug": link.benchmark.slug, "title": link.benchmark.title},
        "roles": [{"code": code, "name": names[code]} for code in link.roles if code in names],
        "team": brief(link.team),
        "invited_by": brief(link.invited_by),
        "expires_at": link.expires_at,
        "username": link.person.username if link.person else None,
    }


def consent_json(person: Person, slug: str) -> dict[str, Any]:
    """What a benchmark asks people to agree to, and whether this person did.

    Raises:
        NotFound.
    """
    benchmark = access.benchmark_for(person, slug, "consent_show")
    version = benchmark.protocol
    newest = Consent.objects.filter(person=person, benchmark=benchmark).order_by("-no").first()
    if version is None or not version.consent_sha256:
        asked: dict[str, Any] = {"version": 0, "text": None, "eligibility": [], "donors": None}
        return asked | {"text_sha256": "", "given_at": None, "needed": False}
    asked = version.content["consent"]
    given = newest is not None and newest.given and newest.text_sha256 == version.consent_sha256
    return {
        "version": asked["version"],
        "text": asked["text"],
        "text_sha256": version.consent_sha256,
        "eligibility": asked.get("eligibility", []),
        "donors": asked.get("donors"),
        "given_at": newest.at if newest is not None and given else None,
        "needed": not given,
    }


def tokens_of(person: Person) -> list[ApiToken]:
    """Somebody's own tokens, newest first."""
    return list(ApiToken.objects.filter(person=person).select_related("benchmark").order_by("-pk")[:200])


def notices_page(person: Person, *, unread: bool, cursor: str | None, page_size: int) -> dict[str, Any]:
    """A page of somebody's own notices, newest first, with the number unread.

    Who did it is left out where the protocol hides colleagues' names and the reader does not administer.
    """
    rows = access.notices_of(person)
    rows = rows.filter(read_at=None) if unread else rows
    found = page(rows.select_related("actor"), by="-id", cursor=cursor, page_size=page_size)
    places = Benchmark.objects.filter(pk__in={n.benchmark_id for n in found["results"]} - {None})
    tracks = F("protocol__content__tracks")
    where = {row["id"]: dict(row) for row in places.values("id", "slug", "title", tracks=tracks)}
    return {
        **found,
        "results": [_notice_json(n, where.get(n.benchmark_id), person) for n in found["results"]],
        "unread": unread_notices(person),
    }


def unread_notices(person: Person) -> int:
    """How many notices somebody has not read; counted up to 10,000."""
    return access.notices_of(person).filter(read_at=None)[:COUNT_LIMIT].count()


def _notice_json(notice: Notice, where: dict[str, Any] | None, reader: Person) -> dict[str, Any]:
    shown = where is None or access.names_visible(reader, where["id"], {"tracks": where["tracks"]})
    return {
        "id": notice.pk,
        "code": notice.code,
        "params": notice.params,
        "benchmark": {"slug": where["slug"], "title": where["title"]} if where else None,
        "actor": brief(notice.actor) if shown else None,
        "target_type": notice.target_type,
        "target_id": notice.target_id,
        "created_at": notice.created_at,
        "read_at": notice.read_at,
    }


def audit_page(person: Person, slug: str, *, cursor: str | None, page_size: int, **filters: Any) -> dict[str, Any]:
    """A page of a benchmark's audit log, newest first, with the names of people and teams as they are now.

    Where the protocol hides colleagues' names, whoever does not administer reads who did what of themselves alone.
    """
    benchmark = access.benchmark_for(person, slug, "audit_list")
    found = page(_audit_rows(person, benchmark, filters), by="-id", cursor=cursor, page_size=page_size)
    return {**found, "results": _named(found["results"], _only(person, benchmark))}


def audit_rows(person: Person, slug: str, **filters: Any) -> Iterator[Any]:
    """All of a benchmark's audit log that filters leave, oldest first, read a thousand rows at a time."""
    benchmark = access.benchmark_for(person, slug, "audit_file")
    return _read_on(_audit_rows(person, benchmark, filters).order_by("id"), _only(person, benchmark))


def _only(person: Person, benchmark: Benchmark) -> int | None:
    """The only person whose name a reader of the log may see; None: everybody's."""
    content = benchmark.protocol.content if benchmark.protocol else None
    return None if access.names_visible(person, benchmark.pk, content) else person.pk


def _read_on(rows: QuerySet[AuditEvent], only: int | None, at_once: int = 1_000) -> Iterator[Any]:
    last = 0
    while found := list(rows.filter(pk__gt=last)[:at_once]):
        yield from _named(found, only)
        last = found[-1].pk


def _audit_rows(reader: Person, benchmark: Benchmark, filters: dict[str, Any]) -> QuerySet[AuditEvent]:
    columns = {"since": "at__gte", "until": "at__lt"}
    wanted = {columns.get(name, name): value for name, value in filters.items() if value is not None}
    rows = AuditEvent.objects.filter(benchmark_id=benchmark.pk, **wanted)
    # What a colleague did cannot be asked for where it is not shown.
    hidden = wanted.get("actor_id", reader.pk) != reader.pk and _only(reader, benchmark) is not None
    return rows.none() if hidden else rows


def _named(events: Iterable[Any], only: int | None) -> list[Any]:
    """Put names beside the ids: the log itself holds none, because it cannot be erased.

    With ``only``, all other people are nobody.
    """
    found = list(events)
    about = {e.target_id for e in found if e.target_type == "person"}
    names = names_of({e.actor_id for e in found} | about)
    teams = dict(
        Team.objects.filter(pk__in={e.target_id for e in found if e.target_type == "team"}).values_list("pk", "name")
    )
    for event in found:
        shown = event.actor_id and only in (None, event.actor_id)
        event.actor = {"id": event.actor_id, "name": names[event.actor_id]} if shown else None
        if event.target_type == "person":
            event.label = names.get(event.target_id, "") if only in (None, event.target_id) else ""
        elif event.target_type == "team":
            event.label = teams.get(event.target_id, "")
    return found


def people_who_may(benchmark: Benchmark, operation: str, kind: str | None = None) -> QuerySet[RoleGrant, int]:
    """Ids of those to whom a role in a benchmark opens an operation, on work of a kind; closed accounts left out.

    The site's owner, who may do much everywhere, is not among them.
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


def brief(row: Person | Team | None) -> dict[str, Any] | None:
    """A person or a team as others see them: ``{"id", "name"}``."""
    return {"id": row.pk, "name": row.name} if row else None


def names_of(ids: set[int | None]) -> dict[int | None, str]:
    """Names by id."""
    return dict(Person.objects.filter(pk__in=[i for i in ids if i is not None]).values_list("pk", "name"))


def permission_rows() -> list[tuple[str, str, str]]:
    """The permission table flat: (operation, capability, reach); what the golden file holds.

    ``signed_in`` and ``link`` stand for whoever is signed in and whoever brings a link.
    """
    rows = []
    for name, operation in OPERATIONS.items():
        if operation.entry is Entry.ROLE:
            rows += [(name, capability, reach.value) for capability, reach in operation.reaches.items()]
        else:
            rows.append((name, operation.entry.value, "own"))
    return rows
