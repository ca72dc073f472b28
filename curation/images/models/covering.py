"""Covering what may not be seen in a picture, and the destruction of what was covered."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from curation.core.models import AppendOnly
from curation.images.models.pictures import Image
from curation.people.models import Person


class Redaction(AppendOnly):
    """A person's decision on regions of a picture: covered, or left visible with a reason.

    ``regions`` are ``{key, box, what, how, reason, origin}`` in pixels of the clean rendition. If at least one was
    covered (``covers``), the picture has new files since: ``no`` is the number of that version. Otherwise only regions
    were left visible, and ``no`` is the number of the version that the person saw.
    """

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="redactions")
    no = models.PositiveIntegerField()
    covers = models.BooleanField()
    by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    regions = models.JSONField()
    client_key = models.UUIDField()
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["image", "no"], condition=Q(covers=True), name="redaction_in_order"),
            models.UniqueConstraint(fields=["by", "client_key"], name="redaction_once"),
            models.CheckConstraint(condition=Q(covers=False) | Q(no__gt=0), name="redaction_makes_version"),
        ]


class RegionProposal(AppendOnly):
    """Regions that a detector found in one version of a picture: ``[{key, box, what, score}]``; may be none.

    ``version`` is that of the picture's files. ``failed``: the detector could not search, so that people
    look themselves. Of several rows of one detector and version the newest counts.
    """

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="region_proposals")
    version = models.PositiveIntegerField()
    detector = models.CharField(max_length=64)
    regions = models.JSONField()
    failed = models.BooleanField(default=False, db_default=False)
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        indexes = [models.Index(fields=["image", "version", "detector", "-id"], name="region_proposal_newest")]


class CoverHold(models.Model):
    """Reserves a picture for one curator for some minutes, so that no other curator is asked to look at it."""

    image = models.OneToOneField(Image, on_delete=models.CASCADE, primary_key=True, related_name="cover_hold")
    holder = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    held_until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["holder", "held_until"], name="cover_hold_of")]


class Destruction(AppendOnly):
    """A stored file that must exist nowhere any more. Written in the transaction that replaces or erases it.

    ``key`` names the file in the store. ``rendition_id`` is empty for an uploaded file that was kept, and for a file of
    a release that holds the picture.
    """

    key = models.CharField(max_length=200, unique=True)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="destructions")
    rendition_id = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=16)
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.CheckConstraint(
                condition=Q(reason__in=["covered", "original", "release"]), name="destruction_reason"
            )
        ]


class DestructionDone(AppendOnly):
    """A place where a file was destroyed: the store, vectors, files of releases, staged uploads."""

    pk = models.CompositePrimaryKey("destruction_id", "place")
    destruction = models.ForeignKey(Destruction, on_delete=models.PROTECT, related_name="done", db_index=False)
    place = models.CharField(max_length=16)
    at = models.DateTimeField(db_default=Now())
