"""Scores: numbers with their denominators and intervals, never overwritten."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.tallies.models import public_changed
from curation.core.models import AppendOnly
from evaluation.profiles.results import OUTCOMES
from evaluation.runs.models import ReplyOverride, Run
from evaluation.sets.models import Entry, ItemSet

_OF_RELEASE = "exists (select from evaluation_itemset s where s.id = new.set_id and s.release_id is not null)"
_BENCHMARK = "(select r.benchmark_id from evaluation_run r where r.id = new.run_id)"
# Boards of public releases have it.
_CHANGES_PUBLIC_PAGES = pgtrigger.Trigger(
    name="public",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    func=f"if not {_OF_RELEASE} then return null; end if; {public_changed(_BENCHMARK)}",
)
# A process of the version before names no set.
_OF_RUN = pgtrigger.Trigger(
    name="of_run",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    condition=pgtrigger.Q(new__set__isnull=True),
    func="new.set_id := (select r.set_id from evaluation_run r where r.id = new.run_id); return new;",
)


class SetReport(AppendOnly):
    """What ``manage.py score`` prints for a run over an item set, without items. The newest of each profile counts.

    Of retrieval it is of the same form, with the counts of each direction beside every figure, and ``entries_digest``
    is the gallery's. ``set`` is the run's, except for runs over accepted work that were scored on a release before
    releases had runs of their own.

    A run that people corrected has the reports of its replies as they were read, and those with ``overrides`` replies
    as people read them; ``newest_override`` is the last of these, null in a report as read.
    """

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="reports")
    set = models.ForeignKey(ItemSet, on_delete=models.PROTECT, related_name="reports")
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
        triggers = [*AppendOnly.Meta.triggers, _CHANGES_PUBLIC_PAGES, _OF_RUN]


class ReportUnits(AppendOnly):
    """Which units of a report are right, for comparing two systems: ``{picture: {unit: 1 or 0}}``.

    Only reports of replies as they were read have it; it is empty where the profile does not say what is right.
    """

    report = models.OneToOneField(SetReport, on_delete=models.PROTECT, primary_key=True, related_name="units")
    rights = models.JSONField()


class EntryResult(AppendOnly):
    """What the headline profile, the first that reads a run's answers, makes of one entry; of retrieval, of one query.

    The report of the replies as read has a result for every entry; one with overrides has those of the entries that
    people corrected. ``no`` is the entry's number. ``value`` is the metric that says whether it is right, null where
    none does; a shift of a question has its own, while the report counts the question. ``extracted`` is what was read
    in the reply, texts cut to :data:`~evaluation.profiles.results.LONGEST_EXTRACT` characters, and ``rule`` how.

    Retrieval's queries have a ``scope``, empty for all others: ``t2i``, in which a text looks for its picture, or
    ``i2t``, in which a picture looks for its texts and ``entry`` is the first of these. ``no`` is then the query's
    place among those of its scope, from 0 in the release's order. ``rank``, from 0 with ties against the system, is
    that of the best correct answer, null without one; ``value`` says whether that is the first. ``extracted`` holds
    the system's first answers, as ``[item id, variant, similarity]``.
    """

    pk = models.CompositePrimaryKey("report_id", "no", "scope")
    report = models.ForeignKey(SetReport, on_delete=models.PROTECT, related_name="results", db_index=False)
    no = models.PositiveIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+", db_index=False)
    outcome = models.CharField(max_length=8)
    value = models.FloatField(null=True)
    extracted = models.JSONField(null=True)
    rule = models.CharField(max_length=64, blank=True)
    scope = models.CharField(max_length=8, blank=True, default="", db_default="")
    rank = models.PositiveIntegerField(null=True)

    class Meta(AppendOnly.Meta):
        constraints = [models.CheckConstraint(condition=Q(outcome__in=OUTCOMES), name="entryresult_outcome")]
        indexes = [models.Index(fields=["report", "outcome", "no"], name="entryresult_by_outcome")]
