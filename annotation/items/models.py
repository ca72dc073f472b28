"""Items, their append-only revisions, and drafts."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import IntegerRangeField
from django.contrib.postgres.fields.ranges import RangeStartsWith
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.guidelines.models import Guideline
from annotation.kinds.registry import label
from annotation.tallies.models import counting, counting_on_pictures
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.models import AppendOnly
from curation.images.models import Image
from curation.people.models import Person, Team

# When a transaction ends, an accepted item of the peer track has a colleague's star on the accepted revision.
_VOUCHED = pgtrigger.Trigger(
    name="vouched",
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("state", "accepted_no"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    timing=pgtrigger.Deferred,
    condition=pgtrigger.Q(new__track="peer", new__state="accepted"),
    func=(
        "if not exists (select from annotation_verdict v where v.item_id = new.id and v.revision_no = new.accepted_no "
        "and v.stage = 'peer' and v.outcome = 'star') then "
        "raise exception using errcode = 'restrict_violation', "
        "message = 'item ' || new.id || ': no star on revision ' || new.accepted_no; end if; return null;"
    ),
)


PICTURE_NOT_CLEAR: Final = "item_picture_clear"
PICTURE_CHANGED: Final = "item_revision_of_version"


def _refuse(constraint: str) -> str:
    return f"raise exception using errcode = 'check_violation', constraint = '{constraint}', message = '{constraint}';"


# When a transaction ends, all people of a judging have passed the accepted revision of an item of the panel track.
_PASSED = pgtrigger.Trigger(
    name="passed",
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("state", "accepted_no"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    timing=pgtrigger.Deferred,
    condition=pgtrigger.Q(new__track="panel", new__state="accepted"),
    func=(
        "if not exists (select from annotation_judging j where j.item_id = new.id and j.revision_no = new.accepted_no "
        "and j.outcome = 'passed') then "
        "raise exception using errcode = 'restrict_violation', "
        "message = 'item ' || new.id || ': no panel passed revision ' || new.accepted_no; end if; return null;"
    ),
)


# Nothing is annotated before the tick. Teams work on what the contributor alone ticked, too.
_TICKED = "(i.pii_clear_by_id is not null or i.shared_at is not null and {track} = 'peer')"
_ON_CLEAR_PICTURE = pgtrigger.Trigger(
    name="picture_clear",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    func=(
        f"perform from curation_image i where i.id = new.image_id and {_TICKED.format(track='new.track')} for share; "
        f"if not found then {_refuse(PICTURE_NOT_CLEAR)} end if; return new;"
    ),
)
_ON_CURRENT_PICTURE = pgtrigger.Trigger(
    name="picture_current",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    func=(
        "perform from annotation_item t join curation_image i on i.id = t.image_id where t.id = new.item_id "
        f"and i.redaction_no = new.picture_no and {_TICKED.format(track='t.track')}; "
        f"if not found then {_refuse(PICTURE_CHANGED)} end if; return new;"
    ),
)


# The people who worked on the other item of a double before the copy was made are kept from the copy. The lock waits
# for those who submit it at this moment.
_COPY_MADE = pgtrigger.Trigger(
    name="copy_made",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    condition=pgtrigger.Q(new__copy_no=1),
    func=(
        "perform from annotation_item o where o.image_id = new.image_id and o.kind = new.kind and o.slot = new.slot "
        "and o.copy_no = 0 for no key update; "
        "insert into annotation_doublehand (image_id, kind, slot, person_id, copy_no) "
        "select distinct o.image_id, o.kind, o.slot, r.author_id, 0 from annotation_item o "
        "join annotation_itemrevision r on r.item_id = o.id "
        "where o.image_id = new.image_id and o.kind = new.kind and o.slot = new.slot and o.copy_no = 0 "
        "on conflict do nothing; return null;"
    ),
)
# No one writes both items of a double, not even a correction: that would make their agreement worthless.
_ONE_OF_DOUBLE = pgtrigger.Trigger(
    name="one_of_double",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    declare=[("mine", "record"), ("other", "smallint")],
    func=(
        "select i.image_id, i.kind, i.slot, i.copy_no into mine from annotation_item i where i.id = new.item_id "
        "and exists (select from annotation_item t where t.image_id = i.image_id and t.kind = i.kind "
        "and t.slot = i.slot and t.copy_no <> i.copy_no); "
        "if not found then return null; end if; "
        "insert into annotation_doublehand (image_id, kind, slot, person_id, copy_no) "
        "values (mine.image_id, mine.kind, mine.slot, new.author_id, mine.copy_no) on conflict do nothing; "
        "select h.copy_no into other from annotation_doublehand h where h.image_id = mine.image_id "
        "and h.kind = mine.kind and h.slot = mine.slot and h.person_id = new.author_id; "
        "if other <> mine.copy_no then raise exception using errcode = 'restrict_violation', "
        "message = 'copy_by_another_person: person ' || new.author_id || ' wrote the other item on picture ' || "
        "mine.image_id; end if; return null;"
    ),
)

# Reasons for excluding an item after which its slot is free again, so that another one can be written on the picture.
FREES_SLOT: Final = ("discard", "decision", "panel")


class Item(models.Model):
    """A piece of work of one kind on one picture.

    ``revision_no`` is the number of the newest revision (0: nothing written yet), ``accepted_no`` that of the accepted
    revision. ``track`` names the rules by which it is written and accepted, ``team`` the team that writes it, which is
    its picture's; neither ever changes. Only items of the peer track need a team. ``excluded_for`` is the reason of an
    excluded item. ``restored_no`` is the newest revision at the time when the item was readmitted with its picture.
    ``packed`` is set while a package holds it.
    ``copy_no`` is 1 for the second of two items that different people do independently, so that their agreement can be
    measured. No release, suite or count has it.
    ``credited`` is the discarded item on the same picture whose text a member submitted again in this one: credit is
    that of its first author.
    """

    class State(models.TextChoices):
        """States of an item."""

        TODO = "todo"
        MADE = "made"
        SKIPPED = "skipped"
        RETURNED = "returned"
        ACCEPTED = "accepted"
        EXCLUDED = "excluded"

    class Track(models.TextChoices):
        """The tracks that items can be in; :mod:`annotation.tracks.registry` has what each does."""

        PACKAGE = "package"
        PEER = "peer"
        PANEL = "panel"

    class Excluded(models.TextChoices):
        """Why an item is excluded.

        Its picture was withdrawn, a skip was agreed to, its team or author discarded it, a curator excluded it after it
        was accepted, or it failed before a panel.
        """

        PICTURE = "picture"
        SKIP = "skip"
        DISCARD = "discard"
        DECISION = "decision"
        PANEL = "panel"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="items", db_index=False)
    kind = models.CharField(max_length=24)
    track = models.CharField(max_length=16, choices=Track, default=Track.PACKAGE, db_default=Track.PACKAGE)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="items")
    # Equal to the picture's by a composite foreign key (migration).
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    slot = models.PositiveSmallIntegerField(default=0)
    copy_no = models.PositiveSmallIntegerField(default=0, db_default=0)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=State, default=State.TODO)
    revision_no = models.PositiveIntegerField(default=0)
    accepted_no = models.PositiveIntegerField(null=True)
    excluded_for = models.CharField(max_length=16, choices=Excluded, blank=True, default="", db_default="")
    restored_no = models.PositiveIntegerField(null=True)
    # By a trigger of ``PackageItem``.
    packed = models.BooleanField(default=False, db_default=False)
    credited = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "kind", "image", "slot", "copy_no"],
                condition=~Q(excluded_for__in=FREES_SLOT),
                name="item_once",
            ),
            models.UniqueConstraint(fields=["benchmark", "kind", "number"], name="item_number_once"),
            models.CheckConstraint(
                condition=Q(state="accepted", accepted_no__isnull=False)
                | (~Q(state="accepted") & Q(accepted_no__isnull=True)),
                name="item_accepted_names_revision",
            ),
            models.CheckConstraint(
                condition=Q(accepted_no__isnull=True) | Q(accepted_no__lte=F("revision_no")),
                name="item_accepted_exists",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["todo", "made", "skipped", "returned", "accepted", "excluded"]),
                name="item_state",
            ),
            models.CheckConstraint(condition=Q(track__in=["package", "peer", "panel"]), name="item_track"),
            models.CheckConstraint(
                condition=Q(copy_no=0) | Q(copy_no=1, track="package"), name="item_copies_are_in_packages"
            ),
            models.CheckConstraint(condition=~Q(track="peer") | Q(team__isnull=False), name="item_peer_has_team"),
            models.CheckConstraint(
                condition=Q(state="excluded", excluded_for__in=["picture", "skip", "discard", "decision", "panel"])
                | (~Q(state="excluded") & Q(excluded_for="")),
                name="item_excluded_has_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["benchmark", "kind", "state", "number"], name="item_by_state"),
            # In the order of lists over all kinds, so that a page reads what it shows.
            models.Index(fields=["benchmark", "id"], name="item_in_order"),
            models.Index(fields=["benchmark", "state", "id"], name="item_by_state_in_order"),
            # What a build finds, however many items are in packages.
            models.Index(
                fields=["benchmark", "kind", "number"],
                condition=Q(packed=False, state__in=["todo", "returned"]),
                name="item_unpacked",
            ),
            models.Index(fields=["benchmark", "kind"], condition=Q(copy_no=1), name="item_copies"),
            models.Index(fields=["team", "kind", "state"], condition=Q(team__isnull=False), name="item_of_team"),
        ]
        triggers = [
            *counting("item"),
            *counting_on_pictures(FREES_SLOT),
            pgtrigger.ReadOnly(name="track_stays", fields=["track", "team", "copy_no"]),
            _VOUCHED,
            _PASSED,
            _ON_CLEAR_PICTURE,
            _COPY_MADE,
        ]

    @property
    def is_restored(self) -> bool:
        """Whether it was returned because its picture was restored, and not submitted since."""
        return self.state == self.State.RETURNED and self.restored_no == self.revision_no

    @property
    def label(self) -> str:
        """Its name as people see it: ``cap-000123``."""
        return label(self.kind, self.number)


class Exclusion(AppendOnly):
    """The decision to exclude an accepted item, with its reason; such an item is never readmitted."""

    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="exclusion")
    revision_no = models.PositiveIntegerField()
    excluded_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    reason = models.TextField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="exclusion_has_reason")]


class ItemRevision(AppendOnly):
    """One version of an item's content, with its author; never overwritten.

    ``active_ms`` is the time spent on the item since its last revision, without idle minutes; None if not measured.
    ``picture_no`` is the picture's ``redaction_no`` that its author saw.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="revisions")
    no = models.PositiveIntegerField()
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
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
                condition=Q(origin__in=["annotator", "senior", "import"]), name="item_revision_origin"
            ),
        ]
        # For lists of one author's items, and for what a person wrote last.
        indexes = [models.Index(fields=["author", "item", "created_at"], name="item_revision_of_author")]
        triggers = [
            *AppendOnly.Meta.triggers,
            _ON_CURRENT_PICTURE,
            pgtrigger.Trigger(
                name="hand_maker",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                func=(
                    "insert into annotation_itemhand (item_id, person_id, hand, span) "
                    "select i.id, new.author_id, 'maker', "
                    "case i.track when 'peer' then int4range(new.no, new.no + 1) else int4range(new.no, null) end "
                    "from annotation_item i where i.id = new.item_id and (i.track = 'peer' or not exists ("
                    "select from annotation_itemhand h "
                    "where h.item_id = i.id and h.person_id = new.author_id and h.hand = 'maker')) "
                    "on conflict (item_id, person_id, lower(span)) where hand = 'maker' do nothing; return null;"
                ),
            ),
            _ONE_OF_DOUBLE,
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
