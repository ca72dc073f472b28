"""Verdicts on items."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.items.models import Item
from curation.core.models import AppendOnly
from curation.people.models import Person


class Verdict(AppendOnly):
    """A person's judgement of one revision.

    ``author_id`` is copied from the revision; a composite foreign key (in a migration) keeps it equal, so that a CHECK
    constraint can forbid a verdict on the judge's own revision. The row that the trigger inserts into ``ItemHand``
    forbids a verdict on later revisions of an item that the judge wrote.

    ``picture_no`` is the picture's ``redaction_no`` that the judge saw.

    ``package_id`` is that of the item's package, if it is in one. It is a plain number, because packages are in a room
    above this one; they are never deleted.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="verdicts")
    revision_no = models.PositiveIntegerField()
    author_id = models.BigIntegerField()
    judge = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    stage = models.CharField(max_length=16)
    package_id = models.BigIntegerField(null=True)
    round = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=16)
    reasons = ArrayField(models.CharField(max_length=48), default=list)
    comment = models.TextField(blank=True)
    picture_no = models.PositiveIntegerField(default=0, db_default=0)
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(judge=F("author_id")), name="verdict_not_own"),
            models.CheckConstraint(
                condition=Q(stage__in=["review", "inspection", "peer", "spot_check"]), name="verdict_stage"
            ),
            models.CheckConstraint(
                condition=Q(stage="review", outcome__in=["accept", "correct", "return"])
                | Q(stage="inspection", outcome__in=["right", "wrong"])
                | Q(stage="peer", outcome__in=["star", "return"])
                | Q(stage="spot_check", outcome__in=["right", "wrong"]),
                name="verdict_outcome",
            ),
            models.UniqueConstraint(fields=["item", "revision_no", "stage", "round", "judge"], name="verdict_once"),
            models.UniqueConstraint(fields=["judge", "client_key"], name="verdict_key_once"),
        ]
        indexes = [models.Index(fields=["package_id", "round", "stage"], name="verdict_of_package")]
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
