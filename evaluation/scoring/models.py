"""Scores: numbers with their denominators and intervals, never overwritten."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from annotation.items.models import Item
from annotation.releases.models import BENCHMARK_OF_RELEASE, Release
from annotation.tallies.models import public_changed
from curation.core.models import AppendOnly
from curation.images.models import Image
from evaluation.runs.models import Run

_CHANGES_PUBLIC_PAGES = pgtrigger.Trigger(
    name="public",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    func=public_changed(BENCHMARK_OF_RELEASE),
)


class Scoring(AppendOnly):
    """One computation: a run's answers on a release's gallery, scored by a profile. The newest of each kind counts."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="scorings")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="scorings")
    profile = models.CharField(max_length=48)
    gallery_digest = models.CharField(max_length=64)
    computed_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        indexes = [models.Index(fields=["release", "run", "profile", "-id"], name="scoring_newest")]
        triggers = [*AppendOnly.Meta.triggers, _CHANGES_PUBLIC_PAGES]


class SetReport(AppendOnly):
    """What ``manage.py score`` prints for a run over an item set, without items. The newest of each profile counts."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="reports")
    profile = models.CharField(max_length=48)
    entries_digest = models.CharField(max_length=64)
    report = models.JSONField()
    computed_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        indexes = [models.Index(fields=["run", "profile", "-id"], name="setreport_newest")]


class QueryRank(AppendOnly):
    """The result of one query of a scoring: the rank of its best correct entry, and the system's first entries.

    ``scope`` is ``t2i`` (a text looks for its picture) or ``i2t``; ``rank`` counts from 0, ties against the system, and
    is null if the query could not be ranked. ``nearest`` holds the first entries as ``[item id, variant, similarity]``.
    """

    pk = models.CompositePrimaryKey("scoring_id", "scope", "ordinal")
    scoring = models.ForeignKey(Scoring, on_delete=models.PROTECT, related_name="ranks")
    scope = models.CharField(max_length=8)
    ordinal = models.PositiveIntegerField()
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    variant = models.CharField(max_length=24)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    category = models.CharField(max_length=64, blank=True)
    distance = models.CharField(max_length=32, blank=True)
    rank = models.PositiveIntegerField(null=True)
    nearest = models.JSONField(default=list)


class Score(AppendOnly):
    """One metric of a scoring, over everything or over one group of it; the newest row of a kind counts.

    ``group_by`` is empty, ``category`` or ``distance`` (cultural distance); ``group`` names the member.
    """

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="scores")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="scores")
    scoring = models.ForeignKey(Scoring, on_delete=models.PROTECT, null=True, related_name="scores")
    profile = models.CharField(max_length=48)
    scope = models.CharField(max_length=48)
    group_by = models.CharField(max_length=16, blank=True)
    group = models.CharField(max_length=64, blank=True)
    metric = models.CharField(max_length=24)
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    n_expected = models.PositiveIntegerField()
    n_scored = models.PositiveIntegerField()
    n_missing = models.PositiveIntegerField()
    n_failed = models.PositiveIntegerField(default=0)
    gallery_digest = models.CharField(max_length=64)
    details = models.JSONField(default=dict)
    computed_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        indexes = [models.Index(fields=["release", "run", "profile", "-id"], name="score_newest")]
