"""Dialogues over a picture that one of two people does not see, their turns, and who waits for a partner."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Case, F, Q, When
from django.db.models.functions import Now

from annotation.dialogues.rules import PARTS, REASONS
from annotation.items.models import Item
from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.images.models import Image
from curation.people.models import Person


class Dialogue(models.Model):
    """Two people about one picture: the questioner has its caption alone, the answerer sees it.

    While it is open or paused ``blind_id`` is the questioner, whom a composite foreign key (migration) requires to be
    blindfolded for the picture. ``caption`` is the text that was drawn, as the two read it. ``turn_no`` is the number
    of the last turn. The times say when each of the two last gave a sign, and ``…_ready_at`` when they came back to a
    paused dialogue; ``…_pauses`` count how often each paused it, ``paused_by`` is who did last, None: the application.
    """

    class State(models.TextChoices):
        """States of a dialogue; before the first one its people wait in the lobby."""

        OPEN = "open"
        PAUSED = "paused"
        DONE = "done"
        LEFT = "left"

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="dialogues", db_index=False)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="dialogues")
    answerer = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    questioner = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN, db_default=State.OPEN)
    blind_id = models.GeneratedField(
        expression=Case(When(state__in=["open", "paused"], then=F("questioner"))),
        output_field=models.BigIntegerField(null=True),
        db_persist=True,
    )
    caption = models.TextField()
    rounds = models.PositiveSmallIntegerField()
    turn_no = models.PositiveSmallIntegerField(default=0, db_default=0)
    answerer_at = models.DateTimeField(db_default=Now())
    questioner_at = models.DateTimeField(db_default=Now())
    answerer_pauses = models.PositiveSmallIntegerField(default=0, db_default=0)
    questioner_pauses = models.PositiveSmallIntegerField(default=0, db_default=0)
    answerer_ready_at = models.DateTimeField(null=True)
    questioner_ready_at = models.DateTimeField(null=True)
    paused_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    paused_at = models.DateTimeField(null=True)
    left_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    reason = models.CharField(max_length=16, blank=True, default="", db_default="")
    created_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(answerer=F("questioner")), name="dialogue_of_two"),
            models.CheckConstraint(condition=Q(state__in=["open", "paused", "done", "left"]), name="dialogue_state"),
            models.CheckConstraint(
                condition=Q(state="done", turn_no=2 * F("rounds"))
                | (~Q(state="done") & Q(turn_no__lt=2 * F("rounds"))),
                name="dialogue_done_is_complete",
            ),
            models.CheckConstraint(
                condition=Q(state="paused", paused_at__isnull=False) | (~Q(state="paused") & Q(paused_at__isnull=True)),
                name="dialogue_paused_since",
            ),
            models.CheckConstraint(
                condition=Q(state="left", reason__in=REASONS) | (~Q(state="left") & Q(reason="")),
                name="dialogue_left_has_reason",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["done", "left"], ended_at__isnull=False)
                | (Q(state__in=["open", "paused"]) & Q(ended_at__isnull=True)),
                name="dialogue_ended_at",
            ),
            models.UniqueConstraint(fields=["answerer"], condition=Q(state="open"), name="dialogue_answerer_once"),
            models.UniqueConstraint(fields=["questioner"], condition=Q(state="open"), name="dialogue_questioner_once"),
            models.UniqueConstraint(fields=["item"], condition=~Q(state="left"), name="dialogue_of_item_once"),
        ]
        indexes = [
            models.Index(fields=["answerer", "state"], name="dialogue_of_answerer"),
            models.Index(fields=["questioner", "state"], name="dialogue_of_questioner"),
            # What the sweep reads.
            models.Index(fields=["id"], condition=Q(state__in=["open", "paused"]), name="dialogue_unfinished"),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="people_stay", fields=["item", "image", "answerer", "questioner", "caption", "rounds"]
            ),
        ]


class DialogueTurn(AppendOnly):
    """One text of a dialogue: a question if its number is odd, else an answer. ``flags`` are codes of warnings."""

    dialogue = models.ForeignKey(Dialogue, on_delete=models.PROTECT, related_name="turns", db_index=False)
    no = models.PositiveSmallIntegerField()
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    text = models.TextField()
    flags = ArrayField(models.CharField(max_length=48), default=list, db_default=[])
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["dialogue", "no"], name="dialogue_turn_once"),
            models.UniqueConstraint(fields=["author", "client_key"], name="dialogue_turn_key_once"),
            models.CheckConstraint(condition=Q(no__gt=0) & ~Q(text=""), name="dialogue_turn_has_text"),
        ]
        triggers = [
            *AppendOnly.Meta.triggers,
            # The two write alternately, and only while the dialogue is open.
            pgtrigger.Trigger(
                name="turn_in_order",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=(
                    "perform from annotation_dialogue d where d.id = new.dialogue_id and d.state = 'open' "
                    "and d.turn_no + 1 = new.no and new.author_id = "
                    "case new.no % 2 when 1 then d.questioner_id else d.answerer_id end; "
                    "if not found then raise exception using errcode = 'check_violation', "
                    "constraint = 'dialogue_turn_in_order', message = 'dialogue_turn_in_order'; end if; return new;"
                ),
            ),
        ]


class Waiting(models.Model):
    """A person who waits for a partner, and the parts that they would take. ``seen_at`` is their last sign."""

    person = models.OneToOneField(Person, on_delete=models.PROTECT, primary_key=True, related_name="+")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    parts = ArrayField(models.CharField(max_length=8))
    since = models.DateTimeField(db_default=Now())
    seen_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(parts__contained_by=list(PARTS)) & Q(parts__len__gt=0), name="waiting_parts"
            ),
        ]
