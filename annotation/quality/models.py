"""Verdicts on items, inspections, and their drawn samples."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.items.models import Item
from annotation.packages.models import Package
from curation.core.models import AppendOnly
from curation.people.models import Person


class Verdict(AppendOnly):
    """A person's judgement of one revision.

    ``author_id`` is copied from the revision; a composite foreign key (in a migration) keeps it equal, so that a CHECK
    constraint can forbid a verdict on the judge's own revision. The row that the trigger inserts into ``ItemHand``
    forbids a verdict on later revisions of an item that the judge wrote.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="verdicts")
    revision_no = models.PositiveIntegerField()
    author_id = models.BigIntegerField()
    judge = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    stage = models.CharField(max_length=16)
    package = models.ForeignKey(Package, on_delete=models.PROTECT, null=True, related_name="verdicts")
    round = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=16)
    reasons = ArrayField(models.CharField(max_length=48), default=list)
    comment = models.TextField(blank=True)
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(judge=F("author_id")), name="verdict_not_own"),
            models.CheckConstraint(
                condition=Q(stage__in=["review", "inspection", "peer", "panel"]), name="verdict_stage"
            ),
            models.CheckConstraint(
                condition=Q(stage="review", outcome__in=["accept", "correct", "return"])
                | Q(stage="inspection", outcome__in=["right", "wrong"])
                | Q(stage__in=["peer", "panel"]),
                name="verdict_outcome",
            ),
            models.UniqueConstraint(fields=["item", "revision_no", "stage", "round", "judge"], name="verdict_once"),
            models.UniqueConstraint(fields=["judge", "client_key"], name="verdict_key_once"),
        ]
        indexes = [models.Index(fields=["package", "round", "stage"], name="verdict_of_package")]
        triggers = [
            *AppendOnly.Meta.triggers,
            pgtrigger.Trigger(
                name="hand_judge",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                func=(
                    "insert into annotation_itemhand (item_id, person_id, hand, span) "
                    "values (new.item_id, new.judge_id, 'judge', int4range(new.revision_no, new.revision_no, '[]')); "
                    "return null;"
                ),
            ),
        ]


class Inspection(models.Model):
    """One round's inspection of a package: the draw and its result.

    CVLUE, section 3.5: 10-25% of the items are inspected, and the package passes if over 97% of them are right.
    """

    package = models.ForeignKey(Package, on_delete=models.PROTECT, related_name="inspections")
    round = models.PositiveSmallIntegerField()
    seed = models.BinaryField(max_length=16)
    population = models.PositiveIntegerField()
    percent = models.PositiveSmallIntegerField()
    pass_over_percent = models.PositiveSmallIntegerField()
    size = models.PositiveIntegerField()
    errors_allowed = models.PositiveIntegerField()
    drawn_at = models.DateTimeField(db_default=Now())
    inspector = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    outcome = models.CharField(max_length=16, blank=True)
    completed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["package", "round"], name="inspection_once"),
            models.CheckConstraint(condition=Q(size__gte=1, size__lte=F("population")), name="inspection_size"),
            models.CheckConstraint(condition=Q(outcome__in=["", "passed", "returned"]), name="inspection_outcome"),
        ]


class InspectionSample(AppendOnly):
    """A drawn item. Only the stratum ``random`` decides the result; corrected items are always inspected as well."""

    pk = models.CompositePrimaryKey("inspection_id", "item_id")
    inspection = models.ForeignKey(Inspection, on_delete=models.PROTECT, related_name="sample")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    revision_no = models.PositiveIntegerField()
    stratum = models.CharField(max_length=16)
    ordinal = models.PositiveIntegerField()

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["inspection", "ordinal"], name="inspection_sample_ordinal_once"),
            models.CheckConstraint(condition=Q(stratum__in=["random", "corrected"]), name="inspection_sample_stratum"),
        ]
