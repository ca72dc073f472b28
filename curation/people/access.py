"""Permission checks, and the rows of people, sessions and benchmarks that a person may use."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import CharField, DateTimeField, Q, QuerySet
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import OUTSIDER, Capability, is_blind
from curation.core.errors import NotFound, OperationNotAllowed
from curation.core.models import Job
from curation.core.operations import OPERATIONS, Reach
from curation.core.shapes import PersonBrief
from curation.lib.statements import Param, Prepared
from curation.people.errors import (
    ConsentMissing,
    InvitationExpired,
    InvitationRevoked,
    InvitationUnknown,
    InvitationUsed,
)
from curation.people.models import ApiToken, Invitation, Person, PersonSession, RoleGrant, Team, grants_in_force
from curation.people.rules import Grant, narrowed

_SESSION = Prepared(
    lambda: (
        PersonSession.objects.filter(
            session_key=Param("key", CharField()), expire_date__gt=Param("now", DateTimeField())
        )
        .select_related("person")
        .annotate(held=grants_in_force("curation_personsession.person_id"))
    )
)


def load_session(key: str | None) -> PersonSession | None:
    """Load a session that has not expired, with its person and their grants, in one statement."""
    if not key:
        return None
    row = _SESSION.row(key=key, now=timezone.now())
    if row is not None and row.person is not None:
        row.person.grants = tuple(Grant.from_row(held) for held in row.held)
    return row


def load_token(prefix: str) -> ApiToken | None:
    """Load a token in force with its person and their grants in one statement."""
    row = (
        ApiToken.objects.filter(prefix=prefix, revoked_at=None, expires_at__gt=timezone.now())
        .select_related("person", "benchmark")
        .annotate(held=grants_in_force("curation_apitoken.person_id"))
        .first()
    )
    if row is not None:
        held = (Grant.from_row(grant) for grant in row.held)
        row.person.grants = narrowed(
            held, benchmark_id=row.benchmark_id, slug=row.benchmark.slug, operations=row.operations
        )
    return row


def record_use(token: ApiToken) -> None:
    """Update the time of a token's last use, at most once a minute."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def person_signed_in(person_id: int) -> Person | None:
    """The account of a session that was created in this request."""
    return Person.objects.filter(pk=person_id).first()


def benchmark_for(person: Person, slug: str, operation: str, kind: str | None = None) -> Benchmark:
    """The benchmark, if the person may do ``operation`` in it.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
        OperationNotAllowed: They take part, but no role of theirs opens the operation.
        ConsentMissing: It is a contribution, and they have not agreed to the consent text.
    """
    benchmark = Benchmark.objects.select_related("protocol").filter(slug=slug).first()
    if benchmark is None:
        raise NotFound
    require(person, benchmark.pk, operation, kind)
    return benchmark


def require(person: Person, benchmark_id: int, operation: str, kind: str | None = None) -> Reach:
    """How far an operation reaches for the person in a benchmark, for one kind of work or for any.

    Raises:
        NotFound: The person takes no part in the benchmark, or is an outsider, to whom the operation is not open.
        OperationNotAllowed: None of their roles opens the operation.
        ConsentMissing: It is a contribution, and they have not agreed to the consent text.
    """
    reach = person.reach(benchmark_id, operation, kind)
    if reach is Reach.NONE:
        raise OperationNotAllowed(operation=operation) if person.knows(benchmark_id) else NotFound
    if OPERATIONS[operation].contributes and not person.consented(benchmark_id):
        raise ConsentMissing(benchmark=next(g.slug for g in person.grants if g.benchmark_id == benchmark_id))
    return reach


def names_visible(person: Person, benchmark_id: int, protocol: Mapping[str, Any] | None) -> bool:
    """Whether a person may see their colleagues' names in a benchmark.

    Where a track of the protocol is ``blind``, only people who administer may; everyone sees their own name.

    Args:
        person: The reader.
        benchmark_id: The benchmark.
        protocol: The content of the protocol version under which the rows were made.
    """
    if not is_blind(protocol):
        return True
    heads = {Capability.OWN.value, Capability.ADMINISTER.value}
    here = (g for g in person.grants if g.benchmark_id in (benchmark_id, None))
    return any(heads.intersection(g.capabilities) for g in here)


def brief_for(viewer: Person, colleague: Mapping[str, Any] | Person | None, *, show_names: bool) -> PersonBrief | None:
    """A person as answers show them, ``{"id", "name"}``; None for no person and for one whose name is hidden.

    Args:
        viewer: The person who reads the answer; they always see their own name.
        colleague: A person, or ``{"id", "name"}`` from a query.
        show_names: The result of :func:`names_visible`.
    """
    if colleague is None:
        return None
    id_, name = (
        (colleague.pk, colleague.name) if isinstance(colleague, Person) else (colleague["id"], colleague["name"])
    )
    return {"id": id_, "name": name} if id_ is not None and (show_names or id_ == viewer.pk) else None


def made_within(person: Person, benchmark_id: int, reach: Reach, maker: str, team: str | None = None) -> Q:
    """The condition on rows that a reach covers, for rows with the person who made them.

    Args:
        person: The person with that reach.
        benchmark_id: The rows' benchmark.
        reach: The result of :func:`require`.
        maker: The rows' field with the person who made them.
        team: The rows' field with the team that they belong to; None for rows that belong to no team.
    """
    match reach:
        case Reach.ALL:
            return Q()
        case Reach.TEAM if team is not None:
            return Q(**{maker: person.pk}) | Q(**{f"{team}__in": person.team_ids(benchmark_id)})
        case Reach.NONE:
            return Q(pk__in=[])
        case _:
            return Q(**{maker: person.pk})


def reaches(person: Person, benchmark_id: int, reach: Reach, maker_id: int, team_id: int | None = None) -> bool:
    """As :func:`made_within`, for one row; runs no statement."""
    if reach is Reach.ALL or (reach is not Reach.NONE and maker_id == person.pk):
        return True
    return reach is Reach.TEAM and team_id is not None and team_id in person.team_ids(benchmark_id)


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


def invitations_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Invitation]:
    """A benchmark's links to join: all, or those into teams the person leads.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = Invitation.objects.filter(benchmark=benchmark, purpose=Invitation.Purpose.JOIN)
    if require(person, benchmark.pk, operation) is Reach.ALL:
        return rows
    return rows.filter(team__lead=person)


def lock_invitation_for(person: Person, invitation_id: int, operation: str) -> Invitation:
    """A link to join, locked, if the operation reaches it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = Invitation.objects.select_related("team").select_for_update(of=("self",), no_key=True)
    invitation = rows.filter(pk=invitation_id, purpose=Invitation.Purpose.JOIN).first()
    if invitation is None:
        raise NotFound
    reach = require(person, invitation.benchmark_id, operation)
    if reach is not Reach.ALL and (invitation.team is None or invitation.team.lead_id != person.pk):
        raise NotFound
    return invitation


def open_invitation(token_sha256: str, *, lock: bool = False) -> Invitation:
    """The link with this hash, if it is neither used, revoked nor expired.

    Raises:
        InvitationUnknown, InvitationUsed, InvitationRevoked, InvitationExpired.
    """
    rows = Invitation.objects.select_related("benchmark__protocol", "team", "person", "invited_by")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    invitation = rows.filter(token_sha256=token_sha256).first()
    if invitation is None:
        raise InvitationUnknown
    if invitation.used_at is not None:
        raise InvitationUsed
    if invitation.revoked_at is not None:
        raise InvitationRevoked
    if invitation.expires_at <= timezone.now():
        raise InvitationExpired
    return invitation


def lock_open_invitation(token_sha256: str) -> Invitation:
    """As :func:`open_invitation`, locked: of two people who use a link at once, the second gets ``InvitationUsed``.

    Everything that the use of a link locks is locked before the link, because revoking locks links last: two that
    lock in different orders would wait for each other.
    """
    link = open_invitation(token_sha256)
    with connection.cursor() as cursor:
        # The lock that a new role takes on its benchmark; adopting a protocol waits for it.
        cursor.execute("select 1 from curation_benchmark where id = %s for key share", [link.benchmark_id])
    if link.team_id is not None:
        Team.objects.select_for_update(no_key=True).get(pk=link.team_id)
    if link.person_id is not None:
        lock_person(link.person_id)
    if link.lead:  # The former lead's links are revoked.
        list(Invitation.objects.select_for_update(no_key=True).filter(team=link.team_id).order_by("pk"))
    return open_invitation(token_sha256, lock=True)


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


def benchmark_known_to(person: Person, slug: str) -> Benchmark:
    """A benchmark in which the person takes part.

    Raises:
        NotFound.
    """
    benchmark = benchmarks_known_to(person).filter(slug=slug).first()
    if benchmark is None:
        raise NotFound
    return benchmark


def benchmarks_known_to(person: Person) -> QuerySet[Benchmark]:
    """The benchmarks in which a person takes part; all of them for a site's owner."""
    known = Benchmark.objects.all()
    if person.owns_site:
        return known
    return known.filter(pk__in=[g.benchmark_id for g in person.grants if g.is_member])


def job_for(person: Person, job_id: int) -> Job:
    """Background work of a benchmark; only the site's owner may read that of the site.

    Raises:
        NotFound, OperationNotAllowed.
    """
    job = Job.objects.filter(pk=job_id).first()
    if job is None:
        raise NotFound
    if job.benchmark_id is None:
        if not person.owns_site:
            raise NotFound
    else:
        require(person, job.benchmark_id, "job_show")
    return job
