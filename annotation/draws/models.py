"""Samples of items that were drawn by a seed, so that anyone can draw them again."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.items.models import Item
from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.people.models import Person


class Draw(models.Model):
    """A sample of a population of items of one kind, for a purpose.

    The drawn items are the first ``size`` of the population in the order of sha256(seed ‖ item id). ``criteria`` says
    what belonged to the population and how large a share was drawn. A spot check draws from each team's items by
    themselves: its population is in :class:`PopulationItem`, and ``criteria["populations"]`` has its size by team.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    purpose = models.CharField(max_length=16)
    kind = models.CharField(max_length=24)
    population = models.PositiveIntegerField()
    criteria = models.JSONField(default=dict)
    seed = models.BinaryField(max_length=16)
    size = models.PositiveIntegerField()
    drawn_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    drawn_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(purpose__in=["inspection", "spot_check"]), name="draw_purpose"),
            models.CheckConstraint(condition=Q(size__gte=1, size__lte=F("population")), name="draw_size"),
        ]


class Drawn(AppendOnly):
    """A drawn item at the revision it had then.

    The stratum ``random`` is the sample; ``corrected`` are items that are judged besides.
    """

    pk = models.CompositePrimaryKey("draw_id", "item_id")
    draw = models.ForeignKey(Draw, on_delete=models.PROTECT, related_name="drawn")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    revision_no = models.PositiveIntegerField()
    stratum = models.CharField(max_length=16)
    ordinal = models.PositiveIntegerField()

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["draw", "ordinal"], name="drawn_ordinal_once"),
            models.CheckConstraint(condition=Q(stratum__in=["random", "corrected"]), name="drawn_stratum"),
        ]


class PopulationItem(AppendOnly):
    """An item of the population of a spot check, at the revision that was accepted then.

    A revision belongs to the population of one spot check only, the first after it was accepted.
    """

    pk = models.CompositePrimaryKey("item_id", "revision_no")
    draw = models.ForeignKey(Draw, on_delete=models.PROTECT, related_name="population_items")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+", db_index=False)
    revision_no = models.PositiveIntegerField()
