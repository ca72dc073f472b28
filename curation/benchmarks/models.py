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
    picture_bytes = models.BigIntegerField(
        default=0, db_default=0
    )  # of all stored pictures: renditions and kept originals
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


class ProtocolProposal(models.Model):
    """A protocol text that an administrator proposes as the version after ``base_version``.

    A text that adds capabilities to a role is adopted by the site's owner, or by another administrator than the one who
    proposed it if the owner appointed both. A proposal is open until it is withdrawn or adopted, or another version is
    adopted.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="protocol_proposals")
    base_version = models.PositiveIntegerField()
    name = models.CharField(max_length=64)
    source_sha256 = models.CharField(max_length=64)
    source = models.TextField()
    content = models.JSONField()
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    adopted_as = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["proposed_by", "client_key"], name="protocol_proposal_once"),
            models.CheckConstraint(
                condition=models.Q(withdrawn_at=None, withdrawn_by=None)
                | models.Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False, adopted_as=None),
                name="protocol_proposal_one_end",
            ),
        ]
        indexes = [
            models.Index(
                fields=["benchmark", "base_version"],
                condition=models.Q(withdrawn_at=None, adopted_as=None),
                name="protocol_proposal_open",
            )
        ]
