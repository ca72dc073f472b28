"""Releases: frozen, numbered snapshots of accepted items, split by picture."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.items.models import Item
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.models import AppendOnly
from curation.images.models import Image, Rendition

# Entries and pictures are inserted while the release is still a draft, in the transaction that freezes it. That they
# are never changed or removed is ``AppendOnly``'s, that none is added afterwards is this trigger's.
_FROZEN = pgtrigger.Trigger(
    name="frozen",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    func=(
        "if exists (select 1 from annotation_release r where r.id = new.release_id and r.state <> 'draft') then "
        "raise exception using errcode = 'restrict_violation', "
        "message = format('release %s is frozen', new.release_id); end if; return new;"
    ),
)
# What names a release's content stays as it was frozen; only its state may move on (to withdrawn).
_STAYS = pgtrigger.Trigger(
    name="stays",
    operation=pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if tg_op = 'DELETE' then if old.state = 'draft' then return old; end if; "
        "elsif old.state = 'draft' or (new.state <> 'draft' and "
        "row(new.id, new.benchmark_id, new.number, new.kind, new.protocol_id, new.seed, new.event_id, new.digest, "
        "new.frozen_at) is not distinct from row(old.id, old.benchmark_id, old.number, old.kind, old.protocol_id, "
        "old.seed, old.event_id, old.digest, old.frozen_at)) then return new; end if; "
        "raise exception using errcode = 'restrict_violation', message = format('release %s is frozen', old.id);"
    ),
)


class Release(models.Model):
    """A snapshot. ``event_id`` is the last audit event it takes into account; ``digest`` names its content."""

    class State(models.TextChoices):
        """Life of a release."""

        DRAFT = "draft"
        FROZEN = "frozen"
        WITHDRAWN = "withdrawn"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=24)
    protocol = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="+")
    seed = models.BigIntegerField()
    state = models.CharField(max_length=16, choices=State, default=State.DRAFT)
    event_id = models.BigIntegerField(null=True)
    digest = models.CharField(max_length=64, blank=True)
    job_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    frozen_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "number"], name="release_number_once"),
            models.CheckConstraint(condition=Q(state__in=["draft", "frozen", "withdrawn"]), name="release_state"),
            models.CheckConstraint(
                condition=Q(state="draft") | Q(frozen_at__isnull=False, event_id__isnull=False),
                name="release_frozen_is_dated",
            ),
        ]
        triggers = [_STAYS]

    @property
    def label(self) -> str:
        """The name people and files use: ``captions-v1``."""
        return f"{self.kind}-v{self.number}"


class ReleaseImage(AppendOnly):
    """A picture's one split in a release; composite keys make "no picture in two splits" a constraint."""

    pk = models.CompositePrimaryKey("release_id", "image_id")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="images")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    split = models.CharField(max_length=16)

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["release", "image", "split"], name="release_image_split_once"),
        ]
        triggers = [*AppendOnly.Meta.triggers, _FROZEN]


class ReleaseEntry(AppendOnly):
    """An accepted revision in a release, with the picture file it is published with.

    ``record`` is the published line (``rules.record``) as it was when the release was frozen: a picture's licence,
    category and source may be corrected later, a release may not.
    """

    pk = models.CompositePrimaryKey("release_id", "item_id")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="entries")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
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
        triggers = [*AppendOnly.Meta.triggers, _FROZEN]


class ReleaseFile(AppendOnly):
    """A file written for a frozen release."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=120)
    bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["release", "name"], name="release_file_once")]
