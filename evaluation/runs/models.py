"""Runs of systems over items, and what they answered."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.items.models import Item
from annotation.releases.models import Release
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.models import AppendOnly
from evaluation.systems.models import System


class Run(models.Model):
    """A system at work on a suite.

    Without a release it is the benchmark's rolling acceptance run: whatever is accepted joins it. Everything needed to
    repeat it stands in the row (W-E3).
    """

    class State(models.TextChoices):
        """Life of a run."""

        OPEN = "open"
        CLOSED = "closed"

    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="runs")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="runs")
    suite = models.CharField(max_length=48)
    protocol = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="+")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, null=True, related_name="runs")
    settings = models.JSONField(default=dict)
    settings_sha256 = models.CharField(max_length=64)
    environment = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["system", "benchmark", "suite", "settings_sha256"],
                condition=Q(release__isnull=True, state="open"),
                name="run_one_rolling",
            ),
            models.CheckConstraint(condition=Q(state__in=["open", "closed"]), name="run_state"),
        ]


class Prediction(AppendOnly):
    """What a system made of one variant of one revision; one row per (run, item, revision, variant).

    For retrieval ``variant`` is ``image`` or ``caption-0`` … and ``vector`` a unit vector, little-endian float32.
    ``outcome`` is ``ok`` or ``failed``; a failure keeps its code in ``value``.
    """

    pk = models.CompositePrimaryKey("run_id", "item_id", "revision_no", "variant")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="predictions")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    revision_no = models.PositiveIntegerField()
    variant = models.CharField(max_length=24)
    outcome = models.CharField(max_length=16)
    raw = models.TextField(blank=True)
    value = models.JSONField(null=True)
    vector = models.BinaryField(null=True)
    ms = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.CheckConstraint(condition=Q(outcome__in=["ok", "refused", "failed"]), name="prediction_outcome"),
        ]
