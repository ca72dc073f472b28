"""Judgings of items by several people, and verdicts."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.items.models import Item
from annotation.judging.rules import STAGES, WITH_JUDGING
from curation.core.models import AppendOnly
from curation.people.models import Person


class Judging(models.Model):
    """One revision before several people, each of whom fills in the same form without learning the others' verdicts.

    ``no`` counts the judgings of an item for one purpose from 1. ``form`` is the protocol's when it was opened.
    ``done`` of ``people`` verdicts are in; a trigger of ``Verdict`` counts. The person who gives the last one closes
    it: ``outcome`` says what came of it, ``dropped`` that the revision was replaced or its item left the work before.

    Each verdict of a judging that is not settled is visible to its judge alone: see ``annotation.judging.queries``.
    """

    class Outcome(models.TextChoices):
        """What came of a judging."""

        PASSED = "passed"
        FAILED = "failed"
        DROPPED = "dropped"

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="judgings", db_index=False)
    revision_no = models.PositiveIntegerField()
    purpose = models.CharField(max_length=16)
    no = models.PositiveSmallIntegerField()
    form = models.JSONField()
    people = models.PositiveSmallIntegerField()
    done = models.PositiveSmallIntegerField(default=0, db_default=0)
    outcome = models.CharField(max_length=16, choices=Outcome, blank=True, default="", db_default="")
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "purpose", "no"], name="judging_once"),
            models.UniqueConstraint(
                fields=["item", "purpose"], condition=Q(closed_at__isnull=True), name="judging_one_open"
            ),
            # Target of the composite foreign key of verdicts.
            models.UniqueConstraint(fields=["id", "item", "revision_no"], name="judging_of_revision"),
            models.CheckConstraint(condition=Q(purpose__in=WITH_JUDGING), name="judging_purpose"),
            models.CheckConstraint(
                condition=Q(people__range=(1, 9), done__gte=0, done__lte=F("people")), name="judging_counts"
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, outcome="")
                | Q(closed_at__isnull=False, outcome="dropped")
                | Q(closed_at__isnull=False, outcome__in=["passed", "failed"], done=F("people")),
                name="judging_closed_with_all",
            ),
        ]
        triggers = [pgtrigger.Protect(name="judging_stays", operation=pgtrigger.Delete)]


# The outcomes of judgings whose verdicts are all in.
SETTLED: Final = (Judging.Outcome.PASSED.value, Judging.Outcome.FAILED.value)
VERDICT_LATE: Final = "verdict_of_open_judging"
_COUNT_VERDICT: Final = (
    "update annotation_judging set done = done + 1 "  # noqa: S608  (constants of this module)
    "where id = new.judging_id and closed_at is null and done < people; "
    "if not found then raise exception using errcode = 'check_violation', "
    f"constraint = '{VERDICT_LATE}', message = '{VERDICT_LATE}'; end if; return new;"
)


class Verdict(AppendOnly):
    """A person's judgement of one revision.

    ``author_id`` is copied from the revision; a composite foreign key (in a migration) keeps it equal, so that a CHECK
    constraint can forbid a verdict on the judge's own revision. The row that the trigger inserts into ``ItemHand``
    forbids a verdict on later revisions of an item that the judge wrote.

    ``picture_no`` is the picture's ``redaction_no`` that the judge saw.

    ``package_id`` is that of the item's package, if it is in one. It is a plain number, because packages are in a room
    above this one; they are never deleted.

    ``judging`` is set where several people judge without learning each other's verdicts; ``values`` are those of the
    other fields of its form.
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
    judging = models.ForeignKey(Judging, on_delete=models.PROTECT, null=True, related_name="verdicts", db_index=False)
    values = models.JSONField(default=dict, db_default={})
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(judge=F("author_id")), name="verdict_not_own"),
            models.CheckConstraint(condition=Q(stage__in=STAGES), name="verdict_stage"),
            models.CheckConstraint(
                condition=Q(stage__in=WITH_JUDGING, judging__isnull=False)
                | (~Q(stage__in=WITH_JUDGING) & Q(judging__isnull=True)),
                name="verdict_of_judging",
            ),
            models.UniqueConstraint(fields=["judging", "judge"], name="verdict_once_in_judging"),
            models.CheckConstraint(
                condition=Q(stage="review", outcome__in=["accept", "correct", "return"])
                | Q(stage="inspection", outcome__in=["right", "wrong"])
                | Q(stage="peer", outcome__in=["star", "return"])
                | Q(stage="spot_check", outcome__in=["right", "wrong"])
                | Q(stage__in=WITH_JUDGING, outcome__in=["pass", "fail"]),
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
            # No more verdicts than people, and none after the judging was closed, whatever the services do.
            pgtrigger.Trigger(
                name="counted",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__judging__isnull=False),
                func=_COUNT_VERDICT,
            ),
        ]
