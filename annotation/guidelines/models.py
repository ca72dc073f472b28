"""Guidelines for annotators, by kind and version, and their acknowledgements."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.people.models import Person


class Guideline(AppendOnly):
    """One version of a kind's guidelines; ``text`` is Markdown by interface language, ``note`` describes the change."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="guidelines")
    kind = models.CharField(max_length=24)
    version = models.PositiveIntegerField()
    text = models.JSONField()
    note = models.CharField(max_length=500, blank=True)
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "kind", "version"], name="guideline_version_once"),
            models.UniqueConstraint(fields=["created_by", "client_key"], name="guideline_key_once"),
            models.CheckConstraint(condition=Q(version__gt=0), name="guideline_counts_from_one"),
        ]


class Acknowledgement(AppendOnly):
    """A person has read a version of the guidelines and follows it."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    guideline = models.ForeignKey(Guideline, on_delete=models.PROTECT, related_name="acknowledgements")
    given_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["person", "guideline"], name="acknowledgement_once")]
