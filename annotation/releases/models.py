"""Releases: frozen, numbered snapshots of accepted items of one kind or several, split by picture."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.items.models import Item
from annotation.tallies.models import public_changed
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.models import AppendOnly
from curation.images.models import Image, Rendition
from curation.people.models import Person

# Entries and pictures are inserted in the transaction that freezes the release, before it sets ``frozen_at``. This
# trigger prevents later inserts; ``AppendOnly`` prevents updates and deletes.
_NO_LATER_ROWS = pgtrigger.Trigger(
    name="frozen",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    func=(
        "if exists (select 1 from annotation_release r where r.id = new.release_id and r.frozen_at is not null) then "
        "raise exception using errcode = 'restrict_violation', "
        "message = format('release %s is frozen', new.release_id); end if; return new;"
    ),
)
# Once frozen, only the state, its dates and the job may change.
_CONTENT_IS_FINAL = pgtrigger.Trigger(
    name="stays",
    operation=pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if tg_op = 'DELETE' then if old.frozen_at is null then return old; end if; "
        "elsif old.frozen_at is null or (new.state not in ('draft', 'checked') and "
        "row(new.id, new.benchmark_id, new.number, new.label, new.kind, new.protocol_id, new.seed, new.splits_from, "
        "new.notes, new.event_id, new.digest, new.left_out, new.changes, "
        "new.split_counts, new.corrected, new.frozen_at) "
        "is not distinct from "
        "row(old.id, old.benchmark_id, old.number, old.label, old.kind, old.protocol_id, old.seed, old.splits_from, "
        "old.notes, old.event_id, old.digest, old.left_out, old.changes, "
        "old.split_counts, old.corrected, old.frozen_at)) "
        "then return new; end if; "
        "raise exception using errcode = 'restrict_violation', message = format('release %s is frozen', old.id);"
    ),
)
# A web process from before labels were stored inserts none; it names a release by its number.
_HAS_LABEL = pgtrigger.Trigger(
    name="labelled",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    condition=pgtrigger.Condition("new.label = ''"),
    func="new.label := new.kind || '-v' || new.number; return new;",
)
# A web process from before releases could hold several kinds inserts none of them.
_HAS_KIND = pgtrigger.Trigger(
    name="has_kind",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    condition=pgtrigger.Condition("new.kind <> ''"),
    func=(
        "insert into annotation_releasekind (release_id, kind, place, digest, left_out, changes, split_counts) "
        "values (new.id, new.kind, 1, new.digest, new.left_out, new.changes, new.split_counts); return new;"
    ),
)
# The kinds of a release are chosen with its label; what they hold is final once it is frozen. The trigger above may
# insert the kind of a release that is inserted frozen.
_KIND_IS_FINAL = pgtrigger.Trigger(
    name="frozen",
    operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if pg_trigger_depth() = 1 and exists (select 1 from annotation_release r "
        "where r.id = coalesce(old.release_id, new.release_id) and r.frozen_at is not null) then "
        "raise exception using errcode = 'restrict_violation', "
        "message = format('release %s is frozen', coalesce(old.release_id, new.release_id)); end if; "
        "if tg_op = 'DELETE' then return old; end if; return new;"
    ),
)
# The benchmark of a row that names a release, for triggers.
BENCHMARK_OF_RELEASE = "(select r.benchmark_id from annotation_release r where r.id = new.release_id)"
_CHANGES_PUBLIC_PAGES = pgtrigger.Trigger(
    name="public",
    operation=pgtrigger.UpdateOf("state"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    condition=pgtrigger.Q(old__state__df=pgtrigger.F("new__state")),
    func=public_changed(),
)


class Release(models.Model):
    """A snapshot of accepted items of one kind or several, with one assignment of pictures to splits.

    Attributes:
        number: Counts the benchmark's releases.
        label: The name that people and files use: ``captions-v2`` counts the releases of one kind, ``<slug>-v2`` those
            of several kinds. It is stored because older releases were named by their number.
        kind: The kind of its items; empty if it holds several. See ``kinds``.
        splits_from: Whether pictures keep the splits of the benchmark's earlier releases of any kind, so that a picture
            has the same split for all kinds; or all splits are drawn again.
        event_id: The last audit event that the snapshot includes.
        digest: sha256 of the records of all kinds; identifies the content.
        left_out: Counts of what was not included when it was frozen, by the codes of ``rules.LEFT_OUT``.
        changes: Counts of the changes since the previous releases of its kinds; None without any.
        corrected: The confirmed errata of previous releases that this release corrects: item label → numbers; None
            without.
        split_counts: Split → number of pictures, of items, bytes of the pictures; None until it is frozen, and if an
            older version of this application froze it during an update.
        job_id: The newest job that checks or freezes the release or writes its files.
    """

    class State(models.TextChoices):
        """States of a release."""

        DRAFT = "draft"
        CHECKED = "checked"
        FROZEN = "frozen"
        PUBLISHED = "published"
        WITHDRAWN = "withdrawn"

    class SplitsFrom(models.TextChoices):
        """Where pictures get their splits."""

        EARLIER = "earlier"
        ANEW = "anew"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=64, blank=True, db_default="")
    kind = models.CharField(max_length=24, blank=True)
    protocol = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="+")
    seed = models.BigIntegerField()
    splits_from = models.CharField(max_length=8, choices=SplitsFrom, default=SplitsFrom.EARLIER)
    notes = models.TextField(blank=True)
    state = models.CharField(max_length=16, choices=State, default=State.DRAFT)
    event_id = models.BigIntegerField(null=True)
    digest = models.CharField(max_length=64, blank=True)
    left_out = models.JSONField(default=dict)
    changes = models.JSONField(null=True)
    split_counts = models.JSONField(null=True)
    corrected = models.JSONField(null=True)
    job_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    checked_at = models.DateTimeField(null=True)
    frozen_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_reason = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "number"], name="release_number_once"),
            models.UniqueConstraint(fields=["benchmark", "label"], name="release_label_once"),
            # Target of the composite foreign key by which no benchmark publishes another's release.
            models.UniqueConstraint(fields=["id", "benchmark"], name="release_benchmark"),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "checked", "frozen", "published", "withdrawn"]), name="release_state"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["frozen", "published"]) | Q(frozen_at__isnull=False, event_id__isnull=False),
                name="release_frozen_is_dated",
            ),
            models.CheckConstraint(
                condition=~Q(state="published") | Q(published_at__isnull=False), name="release_published_is_dated"
            ),
            models.CheckConstraint(
                condition=~Q(state="withdrawn") | (Q(withdrawn_at__isnull=False) & ~Q(withdrawn_reason="")),
                name="release_withdrawn_with_reason",
            ),
        ]
        triggers = [_CONTENT_IS_FINAL, _HAS_LABEL, _HAS_KIND, _CHANGES_PUBLIC_PAGES]


class ReleaseKind(models.Model):
    """A kind of a release, and what it holds of it.

    Attributes:
        place: Counts the release's kinds in the order of its files.
        previous: The newest frozen release with the kind when this one was frozen; the changes compare with it.
        option_seed: Determines the order in which files print the options of a question; the first frozen release with
            the kind gives it to all later ones. None before freezing, and for releases older than this field.
        digest: sha256 of the kind's records.
        left_out, changes, split_counts: As those of the release, of this kind alone.
        blind_trials: The sums of its questions' blind trials when it was frozen; None without any.
    """

    pk = models.CompositePrimaryKey("release_id", "kind")
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="kinds", db_index=False)
    kind = models.CharField(max_length=24)
    place = models.PositiveSmallIntegerField()
    previous = models.ForeignKey(Release, on_delete=models.PROTECT, null=True, related_name="+")
    option_seed = models.BigIntegerField(null=True)
    digest = models.CharField(max_length=64, blank=True, db_default="")
    left_out = models.JSONField(default=dict, db_default={})
    changes = models.JSONField(null=True)
    split_counts = models.JSONField(null=True)
    blind_trials = models.JSONField(null=True)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["release", "place"], name="release_kind_place_once"),
            models.CheckConstraint(condition=~Q(kind=""), name="release_kind_is_named"),
        ]
        triggers = [_KIND_IS_FINAL]


class ReleaseOutlook(models.Model):
    """What a draft of many items would hold and what prevents freezing it, as the last check found it.

    ``content`` is an ``OutlookContent`` of ``shapes``; a change of the draft's settings deletes the row.
    """

    release = models.OneToOneField(Release, on_delete=models.CASCADE, primary_key=True, related_name="+")
    content = models.JSONField()
    image_count = models.PositiveIntegerField()
    computed_at = models.DateTimeField()


class ReleaseImage(AppendOnly):
    """A picture's split in a release; the primary key ensures that no picture is in two splits."""

    pk = models.CompositePrimaryKey("release_id", "image_id")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="images")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    split = models.CharField(max_length=16)

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["release", "image", "split"], name="release_image_split_once"),
        ]
        triggers = [*AppendOnly.Meta.triggers, _NO_LATER_ROWS]


class ReleaseEntry(AppendOnly):
    """An accepted revision in a release, with the picture's rendition that is published with it.

    ``ordinal`` counts the items of the whole release: kind by kind, and within a kind split by split. A composite
    foreign key (in the migration) allows only the release's kinds.
    ``record`` is the published record (``rules.record``) of the moment of freezing: a picture's licence, category and
    source may be corrected later, but a release does not change.
    """

    pk = models.CompositePrimaryKey("release_id", "item_id")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="entries")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=24, db_default="")
    revision_no = models.PositiveIntegerField()
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    rendition = models.ForeignKey(Rendition, on_delete=models.PROTECT, related_name="+")
    split = models.CharField(max_length=16)
    ordinal = models.PositiveIntegerField()
    record = models.JSONField(default=dict)

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["release", "ordinal"], name="release_entry_ordinal_once"),
        ]
        triggers = [*AppendOnly.Meta.triggers, _NO_LATER_ROWS]


class ReleaseFile(AppendOnly):
    """A written file of a frozen release.

    Attributes:
        kind: The kind whose data it holds; empty for files of the release as a whole.
        is_key: Whether it holds answers that the other files withhold.
    """

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=120)
    format = models.CharField(max_length=32, blank=True)
    kind = models.CharField(max_length=24, blank=True, db_default="")
    is_key = models.BooleanField(default=False)
    bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["release", "name"], name="release_file_once")]


# An erratum is confirmed or rejected once, by another person than its reporter; only a confirmed one is withdrawn.
_FOLLOWS_THE_STATES = pgtrigger.Trigger(
    name="follows",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    func=(
        "if (new.action = 'withdraw') is distinct from exists (select 1 from annotation_erratumevent e "
        "where e.erratum_id = new.erratum_id and e.action = 'confirm') "
        "or exists (select 1 from annotation_erratum e where e.id = new.erratum_id and e.reported_by_id = new.by_id) "
        "then raise exception using errcode = 'restrict_violation', "
        "message = format('erratum %s cannot get %s', new.erratum_id, new.action); end if; return new;"
    ),
)
_CHANGES_PUBLIC_ERRATA = pgtrigger.Trigger(
    name="public",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    func=public_changed("(select e.benchmark_id from annotation_erratum e where e.id = new.erratum_id)"),
)


class Erratum(AppendOnly):
    """A mistake that a person reported in a published release; its events say what was decided about it.

    Composite foreign keys (in the migration) keep the benchmark equal to the release's, and the item in the release.

    Attributes:
        no: Counts the benchmark's errata.
        item: The item with the mistake; None if it is in the release as a whole.
        text: What the reporter wrote; never public, because it may name a withheld answer.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    no = models.PositiveIntegerField()
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="errata")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+", null=True)
    reported_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "no"], name="erratum_number_once"),
            models.CheckConstraint(condition=~Q(text=""), name="erratum_has_text"),
        ]

    @property
    def label(self) -> str:
        """The name that people use: ``erratum-3``."""
        return f"erratum-{self.no}"


class ErratumEvent(AppendOnly):
    """A decision about an erratum; ``note`` has what everybody reads of a confirmed one, by language."""

    class Action(models.TextChoices):
        """What was decided."""

        CONFIRM = "confirm"
        REJECT = "reject"
        WITHDRAW = "withdraw"

    pk = models.CompositePrimaryKey("erratum_id", "no")
    erratum = models.ForeignKey(Erratum, on_delete=models.PROTECT, related_name="events")
    no = models.PositiveSmallIntegerField()
    action = models.CharField(max_length=8, choices=Action)
    by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    note = models.JSONField(default=dict)
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.CheckConstraint(
                condition=Q(no=1, action__in=["confirm", "reject"]) | Q(no=2, action="withdraw"),
                name="erratum_event_action",
            ),
            # The earliest rejections have no note.
            models.CheckConstraint(condition=Q(action="reject") | ~Q(note={}), name="erratum_event_has_note"),
        ]
        triggers = [*AppendOnly.Meta.triggers, _FOLLOWS_THE_STATES, _CHANGES_PUBLIC_ERRATA]
