"""Cultural concepts that people write down for a picture."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower, Now

from annotation.concepts.rules import LONGEST_EXPLANATION, LONGEST_NAME
from curation.images.models import Image
from curation.people.models import Person

_RETIREMENT = ["retired_by", "retired_at"]


class Concept(models.Model):
    """A cultural concept that a picture shows, such as 朱雀 (TCC-Bench section 3.3).

    Texts are in two languages: that in which people write about the picture (``local``), and the one that the benchmark
    translates to (``translated``), which is empty where there is none. ``noun_…`` is a generic noun, such as 神兽, that
    takes the name's place in a question. A concept is never changed: it is retired, and another one is added.
    """

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="concepts")
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    local = models.CharField(max_length=LONGEST_NAME)
    translated = models.CharField(max_length=LONGEST_NAME, blank=True)
    aliases = ArrayField(models.CharField(max_length=LONGEST_NAME), default=list)
    noun_local = models.CharField(max_length=LONGEST_NAME, blank=True)
    noun_translated = models.CharField(max_length=LONGEST_NAME, blank=True)
    explanation = models.CharField(max_length=LONGEST_EXPLANATION, blank=True)
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())
    retired_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["author", "client_key"], name="concept_key_once"),
            models.UniqueConstraint(
                F("image"), Lower("local"), condition=Q(retired_at__isnull=True), name="concept_once"
            ),
            models.CheckConstraint(
                condition=Q(retired_by__isnull=True, retired_at__isnull=True)
                | Q(retired_by__isnull=False, retired_at__isnull=False),
                name="concept_retired_by_a_person",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="text_stays", exclude=_RETIREMENT),
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="retired_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__retired_at__isnull=False),
            ),
        ]
