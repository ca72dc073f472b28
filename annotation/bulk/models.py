"""Bulk actions, and the outcome of each row that they were prepared for."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.bulk.rules import NAMES
from curation.benchmarks.models import Benchmark


class Bulk(models.Model):
    """An action on rows that were chosen and listed before it is applied.

    ``filter`` is the selection as it was sent; the rows themselves are its targets. ``chosen`` are the ids that the job
    which makes a large preview has not checked yet, in order. ``by`` prepared it, or applied or undid it last.
    ``applied_by`` and ``applied_at`` are empty as long as it is a preview. ``error_code`` says why it stopped.
    """

    class State(models.TextChoices):
        """See ``states.py``."""

        PREPARING = "preparing"
        FAILED = "failed"
        PREPARED = "prepared"
        RUNNING = "running"
        DONE = "done"
        STOPPED = "stopped"
        UNDOING = "undoing"
        UNDONE = "undone"

    PREVIEWS = (State.PREPARING, State.FAILED, State.PREPARED)

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="bulks")
    action = models.CharField(max_length=16)
    filter = models.JSONField(default=dict)
    chosen = ArrayField(models.BigIntegerField(), default=list, db_default=[])
    params = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    applied_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    applied_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=16, choices=State, default=State.PREPARED)
    job_id = models.BigIntegerField(null=True)
    error_code = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(action__in=NAMES), name="bulk_action"),
            models.CheckConstraint(
                condition=Q(
                    state__in=["preparing", "failed", "prepared", "running", "done", "stopped", "undoing", "undone"]
                ),
                name="bulk_state",
            ),
        ]
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=Q(state__in=["preparing", "failed", "prepared"]),
                name="bulk_previews",
            )
        ]

    @property
    def label(self) -> str:
        """The name in the audit log."""
        return f"bulk-{self.pk}"


class BulkTarget(models.Model):
    """One row of a bulk action: a package, a picture or an item.

    ``was`` is what the preview saw of it, such as its revision; a row that differs when its turn comes is left alone.
    ``code`` and ``params`` are the error of a row that cannot be changed, or whose change cannot be undone. People were
    notified of the outcome ``notified_of``.
    """

    class Outcome(models.TextChoices):
        """What became of the row."""

        PENDING = "pending"
        REFUSED = "refused"
        DONE = "done"
        UNDONE = "undone"
        KEPT = "kept"

    pk = models.CompositePrimaryKey("bulk_id", "target_id")
    bulk = models.ForeignKey(Bulk, on_delete=models.CASCADE, related_name="targets")
    target_id = models.BigIntegerField()
    label = models.CharField(max_length=64)
    was = models.JSONField(default=dict)
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.PENDING)
    code = models.CharField(max_length=64, blank=True)
    params = models.JSONField(default=dict)
    notified_of = models.CharField(max_length=8, blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome__in=["pending", "refused", "done", "undone", "kept"]), name="bulk_target_outcome"
            ),
            models.CheckConstraint(
                condition=~Q(outcome__in=["refused", "kept"]) | ~Q(code=""), name="bulk_target_says_why"
            ),
        ]
