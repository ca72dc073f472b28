"""Work that was done elsewhere, brought in from a file, with what became of each row."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.items.models import Item
from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly


class Import(models.Model):
    """One file. ``target`` says whether its texts become written items or drafts that an annotator goes on with."""

    class Target(models.TextChoices):
        """What the rows become."""

        ITEMS = "items"
        DRAFTS = "drafts"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=24)
    format = models.CharField(max_length=24)
    target = models.CharField(max_length=8, choices=Target)
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    bytes = models.BigIntegerField()
    key = models.CharField(max_length=200)
    # Why findings that allow it are overridden, for all rows; reviewers see it at each (W-K2).
    reason = models.CharField(max_length=500, blank=True)
    # Rows of the file and of each outcome so far; written together with the rows.
    counts = models.JSONField(default=dict)
    job_id = models.BigIntegerField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(target__in=["items", "drafts"]), name="import_target"),
        ]


class ImportRow(AppendOnly):
    """What became of one row of the file; ``label`` is what the file calls it, ``code`` says why it was not taken."""

    pk = models.CompositePrimaryKey("import_of_id", "line")
    import_of = models.ForeignKey(Import, on_delete=models.PROTECT, related_name="rows")
    line = models.PositiveIntegerField()
    outcome = models.CharField(max_length=16)
    label = models.CharField(max_length=200, blank=True)
    code = models.CharField(max_length=64, blank=True)
    params = models.JSONField(default=dict)
    item = models.ForeignKey(Item, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta(AppendOnly.Meta):
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome__in=["made", "drafted", "unchanged", "refused"]), name="import_row_outcome"
            ),
            models.CheckConstraint(condition=~Q(outcome="refused") | ~Q(code=""), name="import_row_says_why"),
        ]
