"""The index of texts that searches use, and the queue of items whose text has changed."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from annotation.items.models import Item
from curation.benchmarks.models import Benchmark


class ItemText(models.Model):
    """The folded texts of an item's newest revision, a line for each, and their pairs of characters.

    Written by the sweep only, never within a request. ``benchmark`` and ``kind`` are the item's, which never change.
    """

    item = models.OneToOneField(Item, on_delete=models.CASCADE, primary_key=True, related_name="indexed")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=24)
    revision_no = models.PositiveIntegerField()
    text = models.TextField()
    grams = ArrayField(models.IntegerField())

    class Meta:
        indexes = [
            # Without the list of pending entries: whoever is first to find it full would merge all of it.
            GinIndex(fields=["grams"], fastupdate=False, name="item_text_grams"),
            models.Index(fields=["benchmark", "item"], name="item_text_in_order"),
        ]


class TextQueue(models.Model):
    """An item with a new revision, which the next sweep indexes; inserted by a trigger on revisions.

    An item may be in it several times, so that no insert waits for a sweep that is deleting the item's earlier row.
    """

    item = models.ForeignKey(Item, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
