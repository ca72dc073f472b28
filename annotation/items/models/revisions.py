"""Revisions of items, who wrote and judged them, and drafts."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import IntegerRangeField
from django.contrib.postgres.fields.ranges import RangeStartsWith
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.guidelines.models import Guideline
from annotation.items.models.items import Item
from annotation.items.models.triggers import ON_CURRENT_PICTURE, ONE_OF_DOUBLE
from curation.benchmarks.models import ProtocolVersion
from curation.core.models import AppendOnly
from curation.images.models import Image
from curation.people.models import Person


class ItemRevision(AppendOnly):
    """One version of an item's content, with its author; never overwritten.

    ``active_ms`` is the time spent on the item since its last revision, without idle minutes; None if not measured.
    ``picture_no`` is the picture's ``redaction_no`` that its author saw. ``partner`` made it together with the
    author, as the person who questioned in a dialogue did; neither judges it.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="revisions")
    no = models.PositiveIntegerField()
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    partner = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    origin = models.CharField(max_length=16)
    content = models.JSONField()
    content_schema = models.PositiveSmallIntegerField(default=1)
    findings = models.JSONField(default=list)
    # The author's reasons for overriding findings, by the finding's code; reviewers see them.
    reasons = models.JSONField(default=dict)
    protocol = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="+")
    # The guidelines that its author had acknowledged; None if the kind had none.
    guideline = models.ForeignKey(Guideline, on_delete=models.PROTECT, null=True, related_name="+")
    active_ms = models.PositiveIntegerField(null=True)
    picture_no = models.PositiveIntegerField(default=0, db_default=0)
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "no"], name="item_revision_once"),
            # Target of the composite foreign key of verdicts.
            models.UniqueConstraint(fields=["item", "no", "author"], name="item_revision_author"),
            models.UniqueConstraint(fields=["author", "client_key"], name="item_revision_key_once"),
            models.CheckConstraint(condition=Q(no__gt=0), name="item_revision_counts_from_one"),
            models.CheckConstraint(
                condition=Q(partner__isnull=True) | ~Q(partner=F("author")), name="item_revision_partner_is_another"
            ),
            models.CheckConstraint(
                condition=Q(origin__in=["annotator", "senior", "import"]), name="item_revision_origin"
            ),
        ]
        # For lists of one author's items, and for what a person wrote last.
        indexes = [models.Index(fields=["author", "item", "created_at"], name="item_revision_of_author")]
        triggers = [
            *AppendOnly.Meta.triggers,
            ON_CURRENT_PICTURE,
            pgtrigger.Trigger(
                name="hand_maker",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                func=(
                    "insert into annotation_itemhand (item_id, person_id, hand, span) "
                    "select i.id, by.person_id, 'maker', "
                    "case i.track when 'peer' then int4range(new.no, new.no + 1) else int4range(new.no, null) end "
                    "from annotation_item i, (values (new.author_id), (new.partner_id)) as by (person_id) "
                    "where i.id = new.item_id and by.person_id is not null and (i.track = 'peer' or not exists ("
                    "select from annotation_itemhand h "
                    "where h.item_id = i.id and h.person_id = by.person_id and h.hand = 'maker')) "
                    "on conflict (item_id, person_id, lower(span)) where hand = 'maker' do nothing; return null;"
                ),
            ),
            ONE_OF_DOUBLE,
            # The queue belongs to the room ``search``, which indexes the new text later.
            pgtrigger.Trigger(
                name="text_queue",
                level=pgtrigger.Statement,
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(new="new_rows"),  # type: ignore[no-untyped-call]
                func="insert into annotation_textqueue (item_id) select item_id from new_rows; return null;",
            ),
        ]


class ItemHand(AppendOnly):
    """A person's involvement in an item, as ``maker`` or ``judge``, over a span of revisions; filled by triggers.

    A maker's span starts at their first revision and has no end; in the peer track it is one revision, so that an
    author may judge another person's edit. A judge's span is the judged revision. The exclusion constraint forbids that
    the two spans of one person overlap, so no one judges a revision that they wrote or, in packages, that includes
    their work.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    hand = models.CharField(max_length=8)
    span = IntegerRangeField()

    class Meta(AppendOnly.Meta):
        constraints = [
            ExclusionConstraint(
                name="item_hand_nobody_judges_own",
                expressions=[("item", "="), ("person", "="), ("hand", "<>"), ("span", "&&")],
            ),
            models.UniqueConstraint(
                F("item"), F("person"), RangeStartsWith("span"), condition=Q(hand="maker"), name="item_hand_maker_once"
            ),
            models.CheckConstraint(condition=Q(hand__in=["maker", "judge"]), name="item_hand_kind"),
        ]


class DoubleHand(AppendOnly):
    """Which of the two items of a double a person worked on; filled by triggers, which keep them from the other one.

    There are rows only for items on pictures that have both.
    """

    pk = models.CompositePrimaryKey("image_id", "kind", "slot", "person_id")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=24)
    slot = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    copy_no = models.PositiveSmallIntegerField()


class Draft(models.Model):
    """Content that was typed and not submitted. ``seq`` grows with each save; an older save never overwrites.

    A draft with ``brought_in`` was imported from a file: the item's annotator sees it until they save a draft.
    """

    pk = models.CompositePrimaryKey("item_id", "author_id")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="drafts")
    author = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    base_no = models.PositiveIntegerField()
    seq = models.BigIntegerField()
    content = models.JSONField()
    findings = models.JSONField(default=list)
    active_ms = models.PositiveIntegerField(db_default=0)
    brought_in = models.BooleanField(db_default=False)
    updated_at = models.DateTimeField()
