"""People, what they may do where, their sessions and consents."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.people.rules import Grant, Reach, Role, reach

USERNAME_LENGTH = 64


class PersonManager(BaseUserManager["Person"]):
    """Makes accounts."""

    def create_person(self, *, username: str, name: str, password: str | None, language: str = "zh-Hans") -> Person:
        """Make an account; a None password can never sign in."""
        person = Person(username=Person.normalize_username(username), name=name, language=language)
        person.set_password(password)
        person.save()
        return person


class Person(AbstractBaseUser):
    """An account. Deleting is impossible (history points here); leaving makes the row anonymous."""

    username = models.CharField(max_length=USERNAME_LENGTH, unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    language = models.CharField(max_length=8, default="zh-Hans")
    zone = models.CharField(max_length=48, default="Asia/Shanghai")
    created_at = models.DateTimeField(db_default=Now())

    objects: ClassVar[PersonManager] = PersonManager()
    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    # Grants in force, loaded with the session in the same statement (``people.access.load_session``); None: not loaded.
    _grants: tuple[Grant, ...] | None = None

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(language__in=["zh-Hans", "zh-Hant", "en"]), name="person_language"),
        ]

    @property
    def grants(self) -> tuple[Grant, ...]:
        """Roles in force now."""
        if self._grants is None:
            rows = RoleGrant.objects.filter(person=self, ended_at=None)
            self._grants = tuple(
                Grant(benchmark_id=b, slug=s, role=Role(r), team_id=t)
                for b, s, r, t in rows.values_list("benchmark_id", "benchmark__slug", "role", "team_id")
            )
        return self._grants

    @grants.setter
    def grants(self, value: tuple[Grant, ...] | None) -> None:
        self._grants = value

    def reach(self, benchmark_id: int | None, operation: str) -> Reach:
        """How far this person's ``operation`` goes in a benchmark."""
        return reach(self.grants, benchmark_id, operation)

    def may(self, benchmark_id: int | None, operation: str) -> bool:
        """Whether the operation is open to this person at all in a benchmark."""
        return self.reach(benchmark_id, operation) is not Reach.NONE

    def knows(self, benchmark_id: int) -> bool:
        """Whether the person takes part in the benchmark in any role."""
        return any(g.benchmark_id in (benchmark_id, None) for g in self.grants)


class Team(models.Model):
    """People who work together, for example on one country-language pair (CVQA section 3)."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="teams")
    name = models.CharField(max_length=120)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["benchmark", "name"], name="team_once")]


class RoleGrant(models.Model):
    """A role somebody holds, from grant to end; ended ones stay as history."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="role_grants")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, null=True, related_name="role_grants")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, related_name="role_grants")
    role = models.CharField(max_length=16, choices=[(r.value, r.value) for r in Role])
    granted_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    granted_at = models.DateTimeField(db_default=Now())
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
                condition=Q(benchmark__isnull=True, role=Role.OWNER.value)
                | (Q(benchmark__isnull=False) & ~Q(role=Role.OWNER.value)),
                name="role_grant_owner_is_sitewide",
            ),
        ]


class Consent(AppendOnly):
    """Somebody agreed to a text of a benchmark before contributing (W-P2)."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="consents")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="consents")
    text_sha256 = models.CharField(max_length=64)
    given_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["person", "benchmark", "text_sha256"], name="consent_once"),
        ]


class PersonSession(AbstractBaseSession):
    """A signed-in browser; knows its person, so that one statement can load session, person and grants."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, related_name="sessions")

    class Meta:
        indexes = [models.Index(fields=["expire_date"], name="person_session_expiry")]
