"""Categories of a benchmark, grouped by semantic field."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from curation.benchmarks.models import Benchmark


class Category(models.Model):
    """One category of the benchmark's fixed list (CVLUE Table 2).

    ``name`` and ``field_name`` are in the three interface languages. ``distance`` is the group of cultural distance:
    ``coco`` (weakest association), ``moderate``, ``closest`` (not in the English WordNet); empty if the list has no
    groups. ``definition`` describes what belongs to it, ``short_name`` is for narrow tables; both are optional.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="categories")
    slug = models.SlugField(max_length=64)
    name = models.JSONField()
    field = models.SlugField(max_length=64)
    field_name = models.JSONField()
    short_name = models.JSONField(null=True)
    definition = models.JSONField(null=True)
    distance = models.CharField(max_length=16, blank=True, default="")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "slug"], name="category_once"),
            models.UniqueConstraint(fields=["benchmark", "number"], name="category_number_once"),
            models.CheckConstraint(
                condition=Q(distance__in=["coco", "moderate", "closest", ""]), name="category_distance"
            ),
        ]
