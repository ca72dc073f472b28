"""Scores: numbers with their denominators and intervals, never overwritten."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.items.models import Item
from annotation.releases.models import BENCHMARK_OF_RELEASE, Release
from annotation.tallies.models import public_changed
from curation.core.models import AppendOnly
from curation.images.models import Image
from evaluation.profiles.results import OUTCOMES
from evaluation.runs.models import ReplyOverride, Run
from evaluation.sets.models import Entry

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
    """What ``manage.py score`` prints for a run over an item set, without items. The newest of each profile counts.

    A run that people corrected has the reports of its replies as they were read, and those with ``overrides`` replies
    as people read them; ``newest_override`` is the last of these, null in a report as read.
    """

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="reports")
    profile = models.CharField(max_length=48)
    entries_digest = models.CharField(max_length=64)
    report = models.JSONField()
    overrides = models.PositiveIntegerField(default=0, db_default=0)
    newest_override = models.ForeignKey(
        ReplyOverride, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    computed_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.CheckConstraint(
                condition=Q(overrides=0, newest_override=None) | Q(overrides__gt=0, newest_override__isnull=False),
                name="setreport_overrides_named",
            )
        ]
        indexes = [models.Index(fields=["run", "profile", "-id"], name="setreport_newest")]


class ReportUnits(AppendOnly):
    """Which units of a report are right, for comparing two systems: ``{picture: {unit: 1 or 0}}``.

    Only reports of replies as they were read have it; it is empty where the profile does not say what is right.
    """

    report = models.OneToOneField(SetReport, on_delete=models.PROTECT, primary_key=True, related_name="units")
    rights = models.JSONField()


class EntryResult(AppendOnly):
    """What the headline profile, the first that reads a run's answers, makes of one entry.

    The report of the replies as read has a result for every entry; one with overrides has those of the entries that
    people corrected. ``no`` is the entry's number. ``value`` is the metric that says whether it is right, null where
    none does; a shift of a question has its own, while the report counts the question. ``extracted`` is what was read
    in the reply, texts cut to :data:`~evaluation.profiles.results.LONGEST_EXTRACT` characters, and ``rule`` how.
    """

    pk = models.CompositePrimaryKey("report_id", "no")
    report = models.ForeignKey(SetReport, on_delete=models.PROTECT, related_name="results", db_index=False)
    no = models.PositiveIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+", db_index=False)
    outcome = models.CharField(max_length=8)
    value = models.FloatField(null=True)
    extracted = models.JSONField(null=True)
    rule = models.CharField(max_length=64, blank=True)

    class Meta(AppendOnly.Meta):
        constraints = [models.CheckConstraint(condition=Q(outcome__in=OUTCOMES), name="entryresult_outcome")]
        indexes = [models.Index(fields=["report", "outcome", "no"], name="entryresult_by_outcome")]


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
