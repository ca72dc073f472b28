"""Categories of a benchmark, grouped by semantic field, and the lists that they come from, in versions."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.models import AppendOnly
from curation.people.models import Person


class Category(models.Model):
    """One category of the benchmark's fixed list (CVLUE Table 2).

    ``name`` and ``field_name`` are in the three interface languages. ``distance`` is the group of cultural distance:
    ``coco`` (weakest association), ``moderate``, ``closest`` (not in the English WordNet); empty if the list has no
    groups. ``definition`` describes what belongs to it, ``short_name`` is for narrow tables; both are optional.
    ``search`` has the strings that find it while a person types (:func:`curation.taxonomy.rules.search_strings`).
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="categories")
    slug = models.SlugField(max_length=64)
    name = models.JSONField()
    field = models.SlugField(max_length=64)
    field_name = models.JSONField()
    short_name = models.JSONField(null=True)
    definition = models.JSONField(null=True)
    distance = models.CharField(max_length=16, blank=True, default="")
    search = ArrayField(models.TextField(), default=list, db_default=[])
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "slug"], name="category_once"),
            models.UniqueConstraint(fields=["benchmark", "number"], name="category_number_once"),
            models.CheckConstraint(
                condition=Q(distance__in=["coco", "moderate", "closest", ""]), name="category_distance"
            ),
        ]


class CategoryListVersion(AppendOnly):
    """A version of a list of categories; it never changes, so whatever names it is frozen.

    ``benchmark`` is empty for lists that ship with the software. ``content`` is that of
    :class:`curation.taxonomy.rules.CategoryList`, ``sha256`` identifies it.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, null=True, related_name="category_lists")
    name = models.CharField(max_length=48)
    version = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    content = models.JSONField()
    origin = models.CharField(max_length=16)
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "name", "version"], name="category_list_once", nulls_distinct=False
            ),
            models.CheckConstraint(condition=Q(version__gt=0), name="category_list_counts_from_one"),
            models.CheckConstraint(condition=Q(origin__in=["shipped", "file", "board"]), name="category_list_origin"),
            models.CheckConstraint(
                condition=Q(origin="shipped", benchmark=None) | (~Q(origin="shipped") & Q(benchmark__isnull=False)),
                name="category_list_of_a_benchmark",
            ),
        ]

    @property
    def label(self) -> str:
        """The name in the audit log."""
        return f"{self.name} {self.version}"


class ProtocolList(AppendOnly):
    """The version of a list that a version of the protocol names, for its categories (``axis`` empty) or an axis.

    Where a board's list had several under one version of the protocol, the newest counts.
    """

    protocol = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="lists")
    axis = models.CharField(max_length=48, blank=True, default="", db_default="")
    list = models.ForeignKey(CategoryListVersion, on_delete=models.PROTECT, related_name="protocols")

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["protocol", "axis", "list"], name="protocol_list_once")]
