"""People, what they may do where, their sessions and consents."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import LANGUAGE_TAG, OUTSIDER, OWNER
from curation.core.models import AppendOnly
from curation.core.operations import Reach
from curation.people.rules import LANGUAGES, Grant, has_exact_reach, operations_of, reach

USERNAME_LENGTH = 64  # characters; the form and the column share it


class PersonManager(BaseUserManager["Person"]):
    """Creates accounts."""

    def create_person(self, *, username: str, name: str, password: str | None, language: str | None = None) -> Person:
        """Create an account; without a password it cannot sign in, without a language the first sign-in decides."""
        person = Person(username=Person.normalize_username(username), name=name)
        if language is not None:
            person.language, person.language_chosen = language, True
        person.set_password(password)
        person.save()
        return person


class Person(AbstractBaseUser):
    """An account. It is never deleted, because the history refers to it; a person who leaves is made anonymous."""

    username = models.CharField(max_length=USERNAME_LENGTH, unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    language = models.CharField(max_length=8, default="zh-Hans")
    # False until the person joins, signs in on the page or switches: the language of that page then becomes theirs.
    language_chosen = models.BooleanField(default=False, db_default=False)
    zone = models.CharField(max_length=48, default="Asia/Shanghai")
    created_at = models.DateTimeField(db_default=Now())

    objects: ClassVar[PersonManager] = PersonManager()
    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    # The benchmark in the address of the page that reads (``X-Benchmark``); empty: any. See ``people.access.require``.
    page_benchmark = ""
    # Loaded with the session in the same statement (``people.access.load_session``); None: not loaded yet.
    _grants: tuple[Grant, ...] | None = None

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(language__in=list(LANGUAGES)), name="person_language"),
        ]

    @property
    def grants(self) -> tuple[Grant, ...]:
        """The roles in force."""
        if self._grants is None:
            held = Person.objects.filter(pk=self.pk).annotate(held=grants_in_force("curation_person.id"))
            self._grants = tuple(Grant.from_row(row) for row in held.values_list("held", flat=True)[0])
        return self._grants

    @grants.setter
    def grants(self, value: tuple[Grant, ...] | None) -> None:
        self._grants = value

    def answer_under(self, operation: str) -> None:
        """Let reads reach as far as a writing operation, once it was carried out: they build its answer."""
        self.grants = tuple(grant._replace(answering=operation) for grant in self.grants)

    def reach(self, benchmark_id: int | None, operation: str, kind: str | None = None) -> Reach:
        """How far ``operation`` reaches for this person in a benchmark, for one kind of work or for any."""
        return reach(self.grants, benchmark_id, operation, kind)

    def may(self, benchmark_id: int | None, operation: str, kind: str | None = None) -> bool:
        """Whether the operation is open to this person in a benchmark, however far it reaches."""
        return self.reach(benchmark_id, operation, kind) is not Reach.NONE

    def has_role_for(self, benchmark_id: int, operation: str, kind: str | None = None) -> bool:
        """Whether a role of this person opens the operation, even if the request's token does not hold it."""
        return reach((g._replace(only=None) for g in self.grants), benchmark_id, operation, kind) is not Reach.NONE

    def has_exact_reach(self, benchmark_id: int, operation: str, exactly: Reach) -> bool:
        """Whether one of this person's roles gives an operation exactly this reach."""
        return has_exact_reach(self.grants, benchmark_id, operation, exactly)

    def operations(self, benchmark_id: int | None) -> list[str]:
        """Every operation open to this person in a benchmark."""
        return operations_of(self.grants, benchmark_id)

    def consented(self, benchmark_id: int) -> bool:
        """Whether the person agreed to the benchmark's consent text as a member, or there is none."""
        return any(g.consented for g in self.grants if g.benchmark_id in (benchmark_id, None) and g.is_member)

    @property
    def owns_site(self) -> bool:
        """Whether this is the site's owner."""
        return any(g.benchmark_id is None for g in self.grants)

    def team_ids(self, benchmark_id: int) -> set[int]:
        """The teams of a benchmark in which the person holds a role."""
        return {g.team_id for g in self.grants if g.benchmark_id == benchmark_id and g.team_id is not None}

    def knows(self, benchmark_id: int | None) -> bool:
        """Whether the person takes part in the benchmark in any role; outsiders do not."""
        return any(g.benchmark_id in (benchmark_id, None) and g.is_member for g in self.grants)

    @property
    def is_outsider(self) -> bool:
        """Whether the person has roles, and in none of them takes part in a benchmark."""
        return bool(self.grants) and not any(g.is_member for g in self.grants)


class Team(models.Model):
    """People who work together, for example on one country-language pair (CVQA section 3).

    Its members are the people who hold a role for it (``RoleGrant.team``); one of them may lead. ``pair`` is the slug
    of its pair in the protocol's list, and the fields after it are copies of that pair's values; they are empty for a
    team without a pair. ``country`` and ``language_name`` are names in the interface languages, ``language`` is a BCP
    47 tag.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="teams")
    name = models.CharField(max_length=120)
    lead = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    pair = models.CharField(max_length=64, blank=True, default="", db_default="")
    country = models.JSONField(null=True)
    language = models.CharField(max_length=16, blank=True, default="", db_default="")
    language_name = models.JSONField(null=True)
    script = models.CharField(max_length=24, blank=True, default="", db_default="")
    continent = models.CharField(max_length=24, blank=True, default="", db_default="")
    created_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "name"], condition=Q(closed_at=None), name="team_name_once"),
            models.UniqueConstraint(
                fields=["benchmark", "pair"], condition=Q(closed_at=None) & ~Q(pair=""), name="team_pair_once"
            ),
            models.CheckConstraint(
                condition=Q(language="") | Q(language__regex=LANGUAGE_TAG), name="team_language_tag"
            ),
            models.CheckConstraint(
                condition=Q(
                    pair="",
                    country__isnull=True,
                    language="",
                    language_name__isnull=True,
                    script="",
                    continent="",
                )
                | (
                    Q(country__isnull=False, language_name__isnull=False)
                    & ~(Q(pair="") | Q(language="") | Q(script="") | Q(continent=""))
                ),
                name="team_pair_complete",
            ),
        ]


class RoleGrant(models.Model):
    """A role of a person from grant to end; ended roles stay as history."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="role_grants")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, null=True, related_name="role_grants")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, related_name="role_grants")
    role = models.CharField(max_length=48)  # a code of the protocol's roles, the site's owner, or an outsider
    granted_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    granted_at = models.DateTimeField(db_default=Now())
    ended_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "benchmark", "team", "role"],
                condition=Q(ended_at__isnull=True),
                nulls_distinct=False,
                name="role_grant_once",
            ),
            models.CheckConstraint(
                condition=Q(benchmark__isnull=True, role=OWNER) | (Q(benchmark__isnull=False) & ~Q(role=OWNER)),
                name="role_grant_owner_is_sitewide",
            ),
            models.CheckConstraint(
                condition=~Q(role=OUTSIDER) | Q(benchmark__isnull=False, team__isnull=True),
                name="role_grant_outsider_without_team",
            ),
        ]


class Consent(AppendOnly):
    """A person agreed to a benchmark's text, which is required before contributing, or withdrew that.

    The newest row is in force. ``text_sha256`` is ``ProtocolVersion.consent_sha256`` of the text they read;
    ``eligibility`` are the codes of their declarations about themselves.
    """

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="consents")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="consents")
    no = models.PositiveIntegerField()
    given = models.BooleanField()
    text_version = models.PositiveIntegerField()
    text_sha256 = models.CharField(max_length=64)
    eligibility = ArrayField(models.CharField(max_length=48), default=list)
    client_key = models.UUIDField()
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["person", "benchmark", "no"], name="consent_in_order"),
            models.UniqueConstraint(fields=["person", "client_key"], name="consent_once"),
        ]


# SQL, because it runs with every request: building it from expressions took longer than running it.
# The JSON path is constant and the role is a variable in it, so a role's name is never parsed as a path.
_GRANTS = """
array(
  select jsonb_build_object(
    'benchmark_id', g.benchmark_id,
    'slug', b.slug,
    'role', g.role,
    'team_id', g.team_id,
    'capabilities', jsonb_path_query_first(
      v.content, '$.roles[*] ? (@.code == $code).capabilities', jsonb_build_object('code', g.role)
    ),
    'lead', t.lead_id is not distinct from g.person_id,
    'leads_invite', v.content #> '{{teams,lead_may_invite}}',
    'required_consent', v.consent_sha256,
    'newest_consent', (
      select case when c.given then c.text_sha256 else '-' end from curation_consent c
      where c.person_id = g.person_id and c.benchmark_id = g.benchmark_id order by c.no desc limit 1
    )
  )
  from curation_rolegrant g
  left join curation_benchmark b on b.id = g.benchmark_id
  left join curation_protocolversion v on v.id = b.protocol_id
  left join curation_team t on t.id = g.team_id
  where g.person_id = {person} and g.ended_at is null
  order by g.id
)
"""


def grants_in_force(person: str) -> RawSQL:
    """A person's roles in force as a list of rows for ``Grant.from_row``.

    Capabilities and consent text are those of the benchmark's current protocol.

    Args:
        person: The person's column in the outer statement, as SQL.
    """
    return RawSQL(_GRANTS.format(person=person), (), output_field=ArrayField(models.JSONField()))  # noqa: S611


class Invitation(models.Model):
    """A single-use link: it makes a person a member with these roles, or lets a member set a new password.

    ``token_sha256`` is the hash of its secret of 256 random bits. The secret itself is not stored.
    """

    class Purpose(models.TextChoices):
        """What the link is for."""

        JOIN = "join"
        PASSWORD = "password"  # noqa: S105  (the name of a purpose)

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="invitations")
    purpose = models.CharField(max_length=8, choices=Purpose, default=Purpose.JOIN)
    token_sha256 = models.CharField(max_length=64, unique=True)
    roles = ArrayField(models.CharField(max_length=48), default=list)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, related_name="+")
    lead = models.BooleanField(default=False)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    note = models.CharField(max_length=120, blank=True)
    invited_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["invited_by", "client_key"], name="invitation_once"),
            models.CheckConstraint(
                condition=Q(purpose="join", person=None) | Q(purpose="password", person__isnull=False, roles=[]),
                name="invitation_purpose",
            ),
            models.CheckConstraint(
                condition=Q(used_at=None, used_by=None) | Q(used_at__isnull=False, used_by__isnull=False),
                name="invitation_used_by_somebody",
            ),
            models.CheckConstraint(condition=Q(used_at=None) | Q(revoked_at=None), name="invitation_one_end"),
        ]
        indexes = [models.Index(fields=["benchmark", "-id"], name="invitation_newest")]

    @property
    def state(self) -> str:
        """One of ``curation.people.rules.INVITATION_STATES``."""
        if self.used_at is not None:
            return "used"
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at <= timezone.now() else "open"


class ApiToken(models.Model):
    """A key for programs: it allows some of its person's operations in one benchmark until it expires or is revoked.

    Programs send ``prefix.secret``. Only the SHA-256 of the secret is stored.
    """

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="tokens")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=120)
    prefix = models.CharField(max_length=16, unique=True)
    secret_sha256 = models.CharField(max_length=64)
    operations = ArrayField(models.CharField(max_length=48))
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "client_key"], name="api_token_once"),
            models.CheckConstraint(condition=Q(operations__len__gt=0), name="api_token_opens_something"),
        ]


class PersonSession(AbstractBaseSession):
    """A signed-in browser, with its person, so that one statement loads session, person and grants."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, related_name="sessions")

    class Meta:
        indexes = [models.Index(fields=["expire_date"], name="person_session_expiry")]


class Notice(models.Model):
    """A notification to a person: a colleague mentioned them, a package was returned.

    ``params`` fills the sentence of ``code`` with labels and numbers, never with names. ``actor`` caused it, and is
    displayed where the protocol does not hide colleagues.
    """

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="notices")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, null=True, related_name="+")
    code = models.CharField(max_length=32)
    params = models.JSONField(default=dict)
    actor = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    target_type = models.CharField(max_length=32)
    target_id = models.BigIntegerField()
    created_at = models.DateTimeField(db_default=Now())
    read_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["person", "-id"], name="notice_of_person"),
            models.Index(
                fields=["person"], condition=Q(read_at__isnull=True), name="notice_unread"
            ),  # a person's count
            models.Index(
                fields=["created_at"], condition=Q(read_at__isnull=True), name="notice_unread_since"
            ),  # mails of all
        ]
