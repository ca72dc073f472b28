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

_FROZEN = pgtrigger.Trigger(
    name="frozen",
    operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if exists (select 1 from annotation_release r where r.id = coalesce(new.release_id, old.release_id) "
        "and r.state <> 'draft') then raise exception using errcode = 'restrict_violation', "
        "message = format('release %s is frozen', coalesce(new.release_id, old.release_id)); end if; "
        "return coalesce(new, old);"
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


class ReleaseImage(models.Model):
    """A picture's one split in a release; composite keys make "no picture in two splits" a constraint."""

    pk = models.CompositePrimaryKey("release_id", "image_id")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="images")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    split = models.CharField(max_length=16)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "image", "split"], name="release_image_split_once"),
        ]
        triggers = [_FROZEN]


class ReleaseEntry(models.Model):
    """An accepted revision in a release, with the picture file it is published with."""

    pk = models.CompositePrimaryKey("release_id", "item_id")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="entries")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    revision_no = models.PositiveIntegerField()
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    rendition = models.ForeignKey(Rendition, on_delete=models.PROTECT, related_name="+")
    split = models.CharField(max_length=16)
    ordinal = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "ordinal"], name="release_entry_ordinal_once"),
        ]
        triggers = [_FROZEN]


class ReleaseFile(AppendOnly):
    """A file written for a frozen release."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=120)
    bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["release", "name"], name="release_file_once")]
