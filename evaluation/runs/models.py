"""Runs of systems over items, and what they answered."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.items.models import Item
from annotation.releases.models import Release
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.models import AppendOnly
from curation.people.models import Person
from evaluation.systems.models import System


class Run(models.Model):
    """A system at work on a suite.

    Without a release it is the benchmark's rolling acceptance run: whatever is accepted joins it. Everything needed to
    repeat it stands in the row (W-E3). ``round`` counts how often what failed was to be tried again.
    """

    class State(models.TextChoices):
        """Life of a run; whether a worker is at it, and how far, its chunks and its job tell."""

        OPEN = "open"
        PAUSED = "paused"
        CANCELLED = "cancelled"
        CLOSED = "closed"

    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="runs")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="runs")
    suite = models.CharField(max_length=48)
    protocol = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="+")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, null=True, related_name="runs")
    settings = models.JSONField(default=dict)
    settings_sha256 = models.CharField(max_length=64)
    environment = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=State, default=State.OPEN)
    round = models.PositiveSmallIntegerField(default=0)
    started_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["system", "benchmark", "suite", "settings_sha256"],
                condition=Q(release__isnull=True, state__in=["open", "paused"]),
                name="run_one_rolling",
            ),
            models.UniqueConstraint(
                fields=["system", "release", "suite", "settings_sha256"],
                condition=Q(release__isnull=False, state__in=["open", "paused"]),
                name="run_one_at_a_release",
            ),
            models.CheckConstraint(condition=Q(state__in=["open", "paused", "cancelled", "closed"]), name="run_state"),
        ]


class Chunk(models.Model):
    """A fixed share of a run's work, of inputs of like length: what one worker takes at a time.

    Fixed, because what stands beside an input in a batch moves the last digits of its answer. ``entries`` are pairs of
    item and revision.
    """

    class State(models.TextChoices):
        """Free for any worker, in somebody's hands until ``lease_until``, or predicted."""

        FREE = "free"
        HELD = "held"
        DONE = "done"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="chunks")
    no = models.PositiveIntegerField()
    round = models.PositiveSmallIntegerField(default=0)
    entries = models.JSONField()
    size = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.FREE)
    holder = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True)
    ms = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "no"], name="chunk_no_once"),
            models.CheckConstraint(condition=Q(state__in=["free", "held", "done"]), name="chunk_state"),
            models.CheckConstraint(
                condition=Q(state="held", lease_until__isnull=False) | (~Q(state="held") & Q(lease_until__isnull=True)),
                name="chunk_held_has_lease",
            ),
        ]
        indexes = [models.Index(fields=["run", "no"], condition=~Q(state="done"), name="chunk_left")]


class Prediction(AppendOnly):
    """What a system made of one variant of one revision; one row per (run, item, revision, variant).

    For retrieval ``variant`` is ``image`` or ``caption-0`` … and ``vector`` a unit vector, little-endian float32.
    What could not be answered is a :class:`Failure`.
    """

    pk = models.CompositePrimaryKey("run_id", "item_id", "revision_no", "variant")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="predictions")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    revision_no = models.PositiveIntegerField()
    variant = models.CharField(max_length=24)
    outcome = models.CharField(max_length=16)
    raw = models.TextField(blank=True)
    value = models.JSONField(null=True)
    vector = models.BinaryField(null=True)
    ms = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.CheckConstraint(condition=Q(outcome__in=["ok", "refused"]), name="prediction_outcome"),
        ]


class Failure(AppendOnly):
    """What a system could not answer, by round of the run: a later round tries again and adds a row or a prediction."""

    pk = models.CompositePrimaryKey("run_id", "item_id", "revision_no", "variant", "round")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="failures")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    revision_no = models.PositiveIntegerField()
    variant = models.CharField(max_length=24)
    round = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=64)
    said = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now())


class Feature(AppendOnly):
    """A vector that a system made of a picture or a text, kept for every run that asks for the same.

    ``input_sha256`` is the picture file's, or that of the text as UTF-8; ``preparation`` names what was done to it
    before the system saw it (the digest of the suite's preprocessing).
    """

    pk = models.CompositePrimaryKey("system_id", "input_sha256", "preparation")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+")
    input_sha256 = models.CharField(max_length=64)
    preparation = models.CharField(max_length=64)
    vector = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())
