"""Systems under test ("model" means a Django model here)."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from curation.core.models import AppendOnly


class System(AppendOnly):
    """One revision of a system: where it is, what exactly it is, what it can do.

    ``files`` lists what the backend reads, each with its bytes and sha256; ``files_sha256`` is one number for all of
    them. ``size_millions`` counts parameters. ``runs_code`` tells that an owner let this one revision bring code of its
    own.
    """

    slug = models.SlugField(max_length=64)
    name = models.CharField(max_length=120)
    description = models.JSONField(default=dict)
    organisation = models.CharField(max_length=120, blank=True)
    access = models.CharField(max_length=8, default="open")
    architecture = models.CharField(max_length=64, blank=True)
    size_millions = models.FloatField(null=True)
    group = models.CharField(max_length=64, blank=True)
    homepage = models.CharField(max_length=300, blank=True)
    hub_id = models.CharField(max_length=120, blank=True)
    backend = models.CharField(max_length=32)
    locator = models.CharField(max_length=300)
    revision = models.CharField(max_length=64)
    files_sha256 = models.CharField(max_length=64)
    files = models.JSONField(default=list)
    runs_code = models.BooleanField(default=False)
    parameters = models.JSONField(default=dict)
    capabilities = ArrayField(models.CharField(max_length=16))
    languages = ArrayField(models.CharField(max_length=16), default=list)
    licence = models.CharField(max_length=64, blank=True)
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["slug", "revision"], name="system_once"),
            models.CheckConstraint(condition=Q(access__in=["open", "closed"]), name="system_access"),
        ]
