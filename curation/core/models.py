"""What every feature stands on: append-only tables, the audit log, background jobs.

Actors and benchmarks are plain numbers here: this room lies below people and benchmarks, and the rows must
outlive whatever they tell about.
"""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class AppendOnly(models.Model):
    """A table whose rows are never changed or removed.

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
    """Who did what to which object, when, from which state to which, and why.

    ``data`` holds ids, numbers and codes, never personal data, because the row cannot be erased.
    ``client_key`` is the key of the request, so that a repeated command finds what its first try did.
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

    A lease that expired is claimed by the next worker. ``attempt`` counts the claims; with ``worker`` it is what a
    holder shows when it writes, so a worker that was thought dead and was not writes nothing.
    """

    class State(models.TextChoices):
        """Life of a piece of work."""

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
    """When a worker of a queue last showed itself, so that pages can say "no worker is running"."""

    pk = models.CompositePrimaryKey("queue", "name")
    queue = models.CharField(max_length=32)
    name = models.CharField(max_length=128)
    seen_at = models.DateTimeField()
