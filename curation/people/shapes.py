"""Answers about the session, people, roles, teams, links, consent, tokens, notices and the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, cast

from typing_extensions import TypedDict

from curation.benchmarks.rules import Pair
from curation.core.shapes import LocalisedText, OneOf, Paged, PersonBrief, localised_text
from curation.people.models import Invitation, Person, Team
from curation.people.rules import INVITATION_STATES, LANGUAGES, NOTICES


class TeamBrief(TypedDict):
    """A team as other pages name it."""

    id: int
    name: str


class BenchmarkBrief(TypedDict):
    """A benchmark as links and notices name it."""

    slug: str
    title: LocalisedText


class CodeName(TypedDict):
    """A code of the protocol and its name in the interface languages."""

    code: str
    name: LocalisedText


def person_brief(person: Person) -> PersonBrief:
    """A person as other pages name them."""
    return {"id": person.pk, "name": person.name}


def team_brief(team: Team) -> TeamBrief:
    """A team as other pages name it."""
    return {"id": team.pk, "name": team.name}


# --- The session and accounts


class Me(TypedDict):
    """The signed-in person; ``language_chosen``: they chose their language, so a sign-in page in another keeps it."""

    id: int
    username: str
    name: str
    language: Annotated[str, OneOf(LANGUAGES)]
    language_chosen: bool


class ConsentState(TypedDict):
    """Whether a benchmark requires consent, and whether the person agreed to its current text."""

    needed: bool
    given: bool


class MyTeam(TypedDict):
    """A team of the signed-in person; ``lead``: they lead it."""

    id: int
    name: str
    lead: bool


class MyBenchmark(TypedDict):
    """A benchmark in which the signed-in person takes part, and what they may do there."""

    slug: str
    title: LocalisedText
    roles: list[str]
    operations: list[str]
    kinds: list[str]
    consent: ConsentState
    teams: list[MyTeam]


class SessionAnswer(TypedDict):
    """Who is signed in and what they may do; ``build`` names the running version, ``live`` is where pages take events.

    ``submits_to`` are the benchmarks in which they take no part and may submit predictions.
    """

    person: Me
    is_owner: bool
    benchmarks: list[MyBenchmark]
    submits_to: list[str]
    build: str
    live: str


class AccountRow(TypedDict):
    """An account after it was closed or opened."""

    id: int
    username: str
    name: str
    active: bool


class DemoLogIn(TypedDict):
    """An account of the demo with its public password."""

    username: str
    password: str
    role: str


# --- People and roles


class GrantRow(TypedDict):
    """A role in force."""

    id: int
    role: str
    team: TeamBrief | None
    granted_at: datetime


class PersonRow(TypedDict):
    """A person in a benchmark's list; ``grants`` is empty when all their roles ended."""

    id: int
    username: str
    name: str
    active: bool
    last_seen: datetime | None
    consented: bool
    grants: list[GrantRow]


class PersonPage(Paged):
    """A page of a benchmark's people."""

    results: list[PersonRow]


class PastGrant(TypedDict):
    """A role from grant to end; the end is null for a role in force."""

    role: str
    team: TeamBrief | None
    granted_at: datetime
    granted_by: PersonBrief | None
    ended_at: datetime | None
    ended_by: PersonBrief | None


class ConsentRow(TypedDict):
    """Consent that was given or withdrawn."""

    given: bool
    text_version: int
    at: datetime


class PersonDetail(PersonRow):
    """A person with every role they held in the benchmark and every consent, newest first.

    ``available_actions`` are the operations about the person or their roles that are open to the reader.
    """

    history: list[PastGrant]
    consents: list[ConsentRow]
    available_actions: list[str]


# --- Teams


class TeamMember(TypedDict):
    """A member of a team with their roles in it; ``id`` and ``name`` are null where colleagues' names are hidden."""

    id: int | None
    name: str | None
    roles: list[str]


class PairRow(TypedDict):
    """A language as it is spoken in a country; ``tag`` is its BCP 47 tag."""

    slug: str
    tag: str
    country: LocalisedText
    language: LocalisedText
    continent: str
    script: str


def pair_row(pair: Pair) -> PairRow:
    """A pair of a protocol's list."""
    return cast(PairRow, pair.model_dump(mode="json", by_alias=True))


def team_pair(team: Team) -> PairRow | None:
    """The pair of country and language that a team is for; None for a team without one."""
    if not team.pair:
        return None
    return {
        "slug": team.pair,
        "tag": team.language,
        "country": localised_text(team.country or {}),
        "language": localised_text(team.language_name or {}),
        "continent": team.continent,
        "script": team.script,
    }


class TeamRow(TypedDict):
    """A team; ``size_maximum`` is the protocol's, null without a limit.

    ``pair`` is the country and language that it is for, null for a team without them.
    """

    id: int
    name: str
    pair: PairRow | None
    lead: PersonBrief | None
    members: list[TeamMember]
    size_maximum: int | None
    closed: bool


# --- Links


class InvitationRow(TypedDict):
    """A link by which one person joins a benchmark."""

    id: int
    note: str
    roles: list[str]
    team: TeamBrief | None
    lead: bool
    invited_by: PersonBrief
    created_at: datetime
    expires_at: datetime
    state: Annotated[str, OneOf(INVITATION_STATES)]
    used_by: PersonBrief | None


class InvitationPage(Paged):
    """A page of a benchmark's links to join."""

    results: list[InvitationRow]


class CreatedInvitation(InvitationRow):
    """A new link with its secret, which is in no other answer; null when the request is a repeat."""

    token: str | None
    replayed: bool


class LinkAnswer(TypedDict):
    """What a link is for; ``username`` is the account whose password it sets."""

    purpose: Annotated[str, OneOf(Invitation.Purpose)]
    benchmark: BenchmarkBrief
    roles: list[CodeName]
    team: TeamBrief | None
    invited_by: PersonBrief
    expires_at: datetime
    username: str | None


class JoinAnswer(TypedDict):
    """The benchmark that a person joined, and their account; ``is_outsider``: they may only submit predictions."""

    slug: str
    username: str
    is_outsider: bool


class PasswordLinkAnswer(TypedDict):
    """A link that sets a password; its secret is in no other answer, and null when the request is a repeat."""

    token: str | None
    expires_at: datetime


class PasswordAnswer(TypedDict):
    """The account whose password was set."""

    username: str


# --- Consent


class ConsentAnswer(TypedDict):
    """What a benchmark requires people to agree to.

    A benchmark that requires nothing has version 0 and a null text. ``eligibility`` lists the declarations that people
    make about themselves.
    """

    version: int
    text: LocalisedText | None
    text_sha256: str
    eligibility: list[CodeName]
    donors: dict[str, str] | None
    given_at: datetime | None
    needed: bool


# --- Tokens


class TokenRow(TypedDict):
    """An API token; ``benchmark`` is the slug."""

    id: int
    name: str
    prefix: str
    benchmark: str
    operations: list[str]
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    last_used_at: datetime | None


class CreatedToken(TokenRow):
    """A new token with the text that programs send, which is in no other answer; null when the request is a repeat."""

    token: str | None


class PasswordChanged(TypedDict):
    """The person changed their password; ``tokens_revoked`` counts their API tokens that were revoked with it."""

    tokens_revoked: int


# --- Notices


class NoticeRow(TypedDict):
    """A notice to the signed-in person; ``params`` fills the sentence of ``code``.

    ``actor`` is null where colleagues' names are hidden.
    """

    id: int
    code: Annotated[str, OneOf(NOTICES)]
    params: dict[str, Any]
    benchmark: BenchmarkBrief | None
    actor: PersonBrief | None
    target_type: str
    target_id: int
    created_at: datetime
    read_at: datetime | None


class NoticePage(Paged):
    """A page of the signed-in person's notices; ``unread`` counts all unread ones, at most 1,000."""

    results: list[NoticeRow]
    unread: int


class UnreadNotices(TypedDict):
    """How many notices are still unread."""

    unread: int


# --- The audit log


class AuditRow(TypedDict):
    """One decision; ``actor`` is null for the application itself and where names are hidden."""

    id: int
    at: datetime
    actor: PersonBrief | None
    action: str
    target_type: str
    target_id: int
    label: str
    state_from: str
    state_to: str
    data: dict[str, Any]


class AuditPage(Paged):
    """A page of a benchmark's audit log."""

    results: list[AuditRow]
