"""Systems under test ("model" means a Django model here)."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from curation.core.models import AppendOnly


class System(AppendOnly):
    """One revision of a system: where it is, what exactly it is, what it can do (W-E1)."""

    slug = models.SlugField(max_length=64)
    name = models.CharField(max_length=120)
    description = models.JSONField(default=dict)
    organisation = models.CharField(max_length=120, blank=True)
    backend = models.CharField(max_length=32)
    locator = models.CharField(max_length=300)
    revision = models.CharField(max_length=64)
    files_sha256 = models.CharField(max_length=64)
    parameters = models.JSONField(default=dict)
    capabilities = ArrayField(models.CharField(max_length=16))
    languages = ArrayField(models.CharField(max_length=16), default=list)
    licence = models.CharField(max_length=64, blank=True)
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["slug", "revision"], name="system_once")]
