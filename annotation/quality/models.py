"""Inspections of packages."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.draws.models import Draw
from annotation.packages.models import Package
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
