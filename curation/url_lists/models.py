"""Lists of addresses that people upload pictures from, the switch that allows it, and the pauses between requests."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.people.models import Person


class UrlSetting(models.Model):
    """Whether contributors of a benchmark may upload by addresses; without a row they may not."""

    benchmark = models.OneToOneField(Benchmark, on_delete=models.PROTECT, primary_key=True, related_name="url_setting")
    is_on = models.BooleanField(default=False)
    changed_at = models.DateTimeField(db_default=Now())


class UrlList(models.Model):
    """A list of addresses that a person submitted."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["person", "benchmark", "id"], name="url_list_of")]

    @property
    def label(self) -> str:
        """The name in the audit log."""
        return f"url-list-{self.pk}"

    @property
    def job_key(self) -> str:
        """The ``dedupe_key`` of the job that fetches it."""
        return f"fetch-url-list-{self.pk}"


class UrlRow(models.Model):
    """A line of a list: fetched once, whatever happens to the worker.

    ``key`` is id and client key of the upload that the file becomes, and so the client key of the picture.
    """

    class State(models.TextChoices):
        """States of a line; what becomes of a fetched file is the upload's state."""

        WAITING = "waiting"
        FETCHED = "fetched"
        FAILED = "failed"

    pk = models.CompositePrimaryKey("url_list_id", "line")
    url_list = models.ForeignKey(UrlList, on_delete=models.CASCADE, related_name="rows", db_index=False)
    line = models.PositiveIntegerField()
    url = models.TextField()
    details = models.JSONField()
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    state = models.CharField(max_length=16, choices=State, default=State.WAITING)
    error_code = models.CharField(max_length=64, blank=True, default="")
    error_params = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["waiting", "fetched", "failed"]), name="url_row_state"),
            models.CheckConstraint(
                condition=Q(state="failed", error_code__gt="") | (~Q(state="failed") & Q(error_code="")),
                name="url_row_failed_says_why",
            ),
        ]


class UrlHost(models.Model):
    """When the next request may be sent to a host; while one is under way, when it has certainly ended."""

    host = models.CharField(max_length=253, primary_key=True)
    free_at = models.DateTimeField()
