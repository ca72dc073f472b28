"""Benchmarks and the immutable versions of their protocols."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from curation.core.models import AppendOnly


class Benchmark(models.Model):
    """A benchmark that a team builds; ``title`` is in the three interface languages."""

    slug = models.SlugField(max_length=48, unique=True)
    title = models.JSONField()
    zone = models.CharField(max_length=48, default="Asia/Shanghai")
    protocol = models.ForeignKey("ProtocolVersion", on_delete=models.PROTECT, null=True, related_name="+")
    state = models.CharField(max_length=16, default="open")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=["open", "closed"]), name="benchmark_state"),
        ]


class ProtocolVersion(AppendOnly):
    """A version of a benchmark's protocol; work refers to the version that it was done under."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="protocol_versions")
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=64)
    source_sha256 = models.CharField(max_length=64)
    source = models.TextField(blank=True, default="")  # the file's text, comments included
    content = models.JSONField()
    consent_sha256 = models.CharField(max_length=64, blank=True, default="")  # empty without consent
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["benchmark", "version"], name="protocol_version_once")]
