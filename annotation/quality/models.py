"""Inspections of packages, and kept figures."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.draws.models import Draw
from annotation.packages.models import Package
from curation.benchmarks.models import Benchmark
from curation.people.models import Person


class Inspection(models.Model):
    """One round's inspection of a package: the draw and its result.

    CVLUE, section 3.5: 10-25% of the items are inspected, and the package passes if over 97% of them are right.
    """

    package = models.ForeignKey(Package, on_delete=models.PROTECT, related_name="inspections")
    round = models.PositiveSmallIntegerField()
    draw = models.OneToOneField(Draw, on_delete=models.PROTECT, related_name="inspection")
    percent = models.PositiveSmallIntegerField()
    pass_over_percent = models.PositiveSmallIntegerField()
    errors_allowed = models.PositiveIntegerField()
    inspector = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    outcome = models.CharField(max_length=16, blank=True)
    completed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["package", "round"], name="inspection_once"),
            models.CheckConstraint(condition=Q(outcome__in=["", "passed", "returned"]), name="inspection_outcome"),
        ]


class QualitySheet(models.Model):
    """Everyone's figures in a benchmark whose work is too much to be read for each view.

    ``content`` is a ``KeptFigures`` of ``shapes``; ``event_id`` is the newest audit event when they were computed.
    """

    benchmark = models.OneToOneField(Benchmark, on_delete=models.CASCADE, primary_key=True, related_name="+")
    content = models.JSONField()
    event_id = models.BigIntegerField()
    computed_at = models.DateTimeField()
