"""Files with texts that were written elsewhere, and the outcome of each of their rows."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.items.models import Item
from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.people.models import Team

# A row created an item's text or a draft, changed nothing because the same text is there, or was rejected.
OUTCOMES = ("made", "drafted", "unchanged", "refused")


class Import(models.Model):
    """One file; its texts become written items, or drafts that an annotator continues."""

    class Target(models.TextChoices):
        """What its rows become."""

        ITEMS = "items"
        DRAFTS = "drafts"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=24)
    # The team of all its rows; None: each row names its own, or the kind is not worked on by teams.
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, related_name="+")
    format = models.CharField(max_length=24)
    target = models.CharField(max_length=8, choices=Target)
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    bytes = models.BigIntegerField()
    key = models.CharField(max_length=200)
    # Overrides findings that allow it, in all rows; reviewers see it at each item.
    reason = models.CharField(max_length=500, blank=True)
    # Number of rows in the file and of each outcome so far; saved in the transaction of the rows.
    counts = models.JSONField(default=dict)
    job_id = models.BigIntegerField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(target__in=["items", "drafts"]), name="import_target"),
        ]

    @property
    def label(self) -> str:
        """The name in the audit log."""
        return f"import-{self.pk}"


class ImportRow(AppendOnly):
    """The outcome of one row; ``label`` is its reference to a picture, ``code`` says why it was rejected."""

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
            models.CheckConstraint(condition=Q(outcome__in=list(OUTCOMES)), name="import_row_outcome"),
            models.CheckConstraint(condition=~Q(outcome="refused") | ~Q(code=""), name="import_row_says_why"),
        ]
