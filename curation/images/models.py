"""Pictures: what came in, what people decided about them, and the cleaned files everything else uses."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.people.models import Person
from curation.taxonomy.models import Category


class Image(models.Model):
    """A picture of a benchmark.

    ``sha256`` is the uploaded file's, so that the same file is refused; ``phash`` a signed 64-bit perceptual hash of
    the clean rendition; ``width`` and ``height`` are the clean rendition's, the coordinates everything refers to.
    """

    class State(models.TextChoices):
        """Life of a picture."""

        RECEIVED = "received"
        ACCEPTED = "accepted"
        REFUSED = "refused"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="images")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    phash = models.BigIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    contributor = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    source = models.JSONField()
    licence = models.CharField(max_length=64)
    state = models.CharField(max_length=16, choices=State, default=State.RECEIVED)
    pii_clear_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    category = models.ForeignKey(Category, on_delete=models.PROTECT, null=True, related_name="images")
    subset = models.CharField(max_length=1, blank=True)
    flags = models.JSONField(default=list)
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "number"], name="image_number_once"),
            models.UniqueConstraint(
                fields=["benchmark", "sha256"], condition=~Q(state="refused"), name="image_content_once"
            ),
            models.UniqueConstraint(fields=["contributor", "client_key"], name="image_upload_once"),
            # Target of the composite foreign key that keeps verdicts off one's own pictures.
            models.UniqueConstraint(fields=["id", "contributor"], name="image_contributor"),
            models.CheckConstraint(
                condition=Q(pii_clear_by__isnull=True) | ~Q(pii_clear_by=F("contributor")),
                name="image_not_own_clearance",
            ),
            models.CheckConstraint(condition=Q(state__in=["received", "accepted", "refused"]), name="image_state"),
            models.CheckConstraint(condition=Q(width__gt=0, height__gt=0), name="image_size"),
        ]
        indexes = [models.Index(fields=["benchmark", "state", "number"], name="image_by_state")]

    @property
    def label(self) -> str:
        """Its name as people see it."""
        return image_label(self.number)


class ImageVerdict(AppendOnly):
    """A curator's decision on a picture (CVLUE section 3.3); never on one's own."""

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="verdicts")
    judge = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    # Copied from the picture and held equal to it by a composite foreign key (migration), so that CHECK can compare.
    contributor_id = models.BigIntegerField()
    outcome = models.CharField(max_length=16)
    reasons = ArrayField(models.CharField(max_length=48), default=list)
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["judge", "client_key"], name="image_verdict_once"),
            models.CheckConstraint(condition=~Q(judge=F("contributor_id")), name="image_verdict_not_own"),
            models.CheckConstraint(condition=Q(outcome__in=["accepted", "refused"]), name="image_verdict_outcome"),
        ]
        indexes = [models.Index(fields=["image", "id"], name="image_verdict_of")]


class Rendition(AppendOnly):
    """A cleaned file made from an upload: no metadata, oriented.

    ``clean`` is full size, what coordinates, releases and models refer to; ``view`` at most 1600 px, ``thumb`` 320 px.
    ``key`` is the file's path below ``MEDIA_ROOT``.
    """

    class Role(models.TextChoices):
        """What a rendition is for."""

        CLEAN = "clean"
        VIEW = "view"
        THUMB = "thumb"

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="renditions")
    role = models.CharField(max_length=8, choices=Role)
    version = models.PositiveSmallIntegerField(default=1)
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    key = models.CharField(max_length=200, unique=True)

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["image", "role", "version"], name="rendition_once")]


class NearPair(AppendOnly):
    """Two pictures whose perceptual hashes differed little when the later one came in; a row for each direction."""

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="near_pairs")
    other = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+", db_index=False)
    distance = models.PositiveSmallIntegerField()

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["image", "other"], name="near_pair_once"),
            models.CheckConstraint(condition=~Q(image=F("other")), name="near_pair_of_two"),
            models.CheckConstraint(condition=Q(distance__lte=64), name="near_pair_distance"),
        ]


def media_url(image_id: int, rendition_id: int, role: str, key: str) -> str:
    """Address a rendition is served at; the id changes with each version, so answers may be cached for ever."""
    return f"/media/{image_id}/{rendition_id}-{role}.{key.rsplit('.', 1)[-1]}"


def image_label(number: int) -> str:
    """A picture's name as people see it: ``img-0042``."""
    return f"img-{number:04d}"
