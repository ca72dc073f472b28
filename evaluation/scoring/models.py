"""Scores: numbers with their denominators and intervals, never overwritten."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from annotation.releases.models import Release
from curation.core.models import AppendOnly
from evaluation.runs.models import Run


class Score(AppendOnly):
    """One metric of one run over one frozen gallery; the newest row of a kind counts."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="scores")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="scores")
    profile = models.CharField(max_length=48)
    scope = models.CharField(max_length=48)
    metric = models.CharField(max_length=24)
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    n_expected = models.PositiveIntegerField()
    n_scored = models.PositiveIntegerField()
    n_missing = models.PositiveIntegerField()
    n_unparsable = models.PositiveIntegerField(default=0)
    n_refused = models.PositiveIntegerField(default=0)
    n_failed = models.PositiveIntegerField(default=0)
    gallery_digest = models.CharField(max_length=64)
    details = models.JSONField(default=dict)
    computed_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        indexes = [models.Index(fields=["release", "run", "profile", "-id"], name="score_newest")]
