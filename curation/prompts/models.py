"""Prompts in the database: a benchmark's own versions, and those that ship once something refers to them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.people.models import Person
from curation.prompts.rules import FIRST_OWN, LANGUAGES, READINGS


class Prompt(AppendOnly):
    """One version of a prompt in one language; ``body`` is a :class:`curation.prompts.rules.Body`.

    A row without a benchmark is a copy of a file that ships, made when a call or a run first refers to it. A
    benchmark's own version was written by ``author``, from version ``base_no``.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, null=True, related_name="prompts")
    name = models.CharField(max_length=48)
    no = models.PositiveSmallIntegerField()
    language = models.CharField(max_length=16)
    reading = models.CharField(max_length=8)
    body = models.JSONField()
    sha256 = models.CharField(max_length=64)
    source = models.CharField(max_length=500, blank=True)
    base_no = models.PositiveSmallIntegerField(null=True)
    author = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    client_key = models.UUIDField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "name", "no", "language"], nulls_distinct=False, name="prompt_once"
            ),
            models.UniqueConstraint(fields=["author", "client_key"], name="prompt_key_once"),
            models.CheckConstraint(condition=Q(reading__in=READINGS), name="prompt_reading"),
            models.CheckConstraint(condition=Q(language__in=LANGUAGES), name="prompt_language"),
            models.CheckConstraint(
                condition=Q(
                    benchmark__isnull=True,
                    author__isnull=True,
                    base_no__isnull=True,
                    client_key__isnull=True,
                    no__range=(1, FIRST_OWN - 1),
                )
                | Q(
                    benchmark__isnull=False,
                    author__isnull=False,
                    base_no__isnull=False,
                    client_key__isnull=False,
                    no__gte=FIRST_OWN,
                    reading="ours",
                ),
                name="prompt_ships_or_is_own",
            ),
        ]

    @property
    def label(self) -> str:
        """The version's name as people see it."""
        return f"{self.name} {self.no}"
