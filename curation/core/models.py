"""The tables that every feature uses: append-only tables, the audit log, background jobs.

Actors and benchmarks are ids without foreign keys: this room may not import people and benchmarks, and the rows must
outlive the rows they refer to.
"""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class AppendOnly(models.Model):
    """A table whose rows are never changed or deleted.

    A trigger refuses UPDATE and DELETE; the application's database role has neither privilege, nor TRUNCATE
    (``manage.py setup_database``). A correction is another row.
    """

    class Meta:
        abstract = True
        triggers = [
            pgtrigger.Trigger(
                name="append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                func=(
                    "raise exception using errcode = 'restrict_violation', "
                    "message = format('%s is append-only: insert a correction instead of %s', "
                    "tg_table_name, lower(tg_op));"
                ),
            )
        ]


class AuditEvent(AppendOnly):
    """A decision: the actor, the action, the target, the time, and the states before and after.

    ``data`` holds ids, numbers and codes, never personal data, because the row cannot be erased.
    ``client_key`` is the request's key, by which a repeated command finds the decision of its first request.
    """

    benchmark_id = models.BigIntegerField(null=True)
    actor_id = models.BigIntegerField(null=True)
    action = models.CharField(max_length=64)
    target_type = models.CharField(max_length=32)
    target_id = models.BigIntegerField()
    label = models.CharField(max_length=64, blank=True, db_default="")
    state_from = models.CharField(max_length=32, blank=True)
    state_to = models.CharField(max_length=32, blank=True)
    data = models.JSONField(default=dict)
    client_key = models.UUIDField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["actor_id", "client_key"], condition=Q(client_key__isnull=False), name="audit_event_once"
            )
        ]
        indexes = [
            models.Index(fields=["target_type", "target_id", "id"], name="audit_event_target"),
            models.Index(fields=["benchmark_id", "id"], name="audit_event_benchmark"),
            models.Index(fields=["benchmark_id", "actor_id", "id"], name="audit_event_actor"),
        ]


class Leased(models.Model):
    """A row of work that one worker holds at a time; ``curation/core/jobs.py`` claims, renews and ends it.

    The next worker claims a row whose lease expired. ``attempt`` counts the claims. A worker writes only while
    ``worker`` and ``attempt`` are still its own, so a worker that lost its lease unnoticed writes nothing.
    """

    class State(models.TextChoices):
        """The states of the work."""

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    state = models.CharField(max_length=16, choices=State, default=State.QUEUED)
    lease_until = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    worker = models.CharField(max_length=128, blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    error_code = models.CharField(max_length=64, blank=True)
    error_params = models.JSONField(default=dict)
    log = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="%(class)s_state"
            ),
            models.CheckConstraint(
                condition=Q(state="running", lease_until__isnull=False) | ~Q(state="running"), name="%(class)s_leased"
            ),
        ]


class Job(Leased):
    """Background work as a row; ``task`` is the Celery task that does it. A broker message only wakes a worker."""

    task = models.CharField(max_length=96)
    queue = models.CharField(max_length=32, default="default")
    args = models.JSONField(default=dict)
    dedupe_key = models.CharField(max_length=128)
    benchmark_id = models.BigIntegerField(null=True)
    actor_id = models.BigIntegerField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())

    class Meta(Leased.Meta):
        constraints = [
            *Leased.Meta.constraints,
            models.UniqueConstraint(
                fields=["dedupe_key"], condition=Q(state__in=["queued", "running"]), name="job_one_open"
            ),
        ]
        indexes = [
            models.Index(fields=["queue", "id"], condition=Q(state__in=["queued", "running"]), name="job_open"),
        ]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.task})"


class WorkerSeen(models.Model):
    """When a worker of a queue was last alive, so that pages can show that no worker is running."""

    pk = models.CompositePrimaryKey("queue", "name")
    queue = models.CharField(max_length=32)
    name = models.CharField(max_length=128)
    seen_at = models.DateTimeField()


class Presence(models.Model):
    """When a person last had a page open that takes live events; renewed every 20 seconds while they have.

    A person without a row, or with an old one, may still work: where the live channel does not run nobody has a row.
    """

    person_id = models.BigIntegerField(primary_key=True)
    seen_at = models.DateTimeField()
