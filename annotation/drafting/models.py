"""Questions that a model drafts from a concept, and what people decided about them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.concepts.models import Concept
from annotation.items.models import Item
from curation.benchmarks.models import Benchmark
from curation.calls.models import Call
from curation.core.models import AppendOnly, Job
from curation.images.models import Image
from curation.people.models import Person
from curation.prompts.models import Prompt


class Drafting(models.Model):
    """A request to a model for questions about a concept.

    ``job`` sends it and keeps why it failed; ``call`` is that of the reply. ``candidates`` are the contents of all
    questions of the reply without categories, null until it came. ``limited_since`` and ``next_try_at`` are as those
    of a trial of a prompt: the server limits requests.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+", db_index=False)
    concept = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="+")
    actor = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    prompt = models.ForeignKey(Prompt, on_delete=models.PROTECT, related_name="+", db_index=False)
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="+")
    call = models.ForeignKey(Call, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    candidates = models.JSONField(null=True)
    limited_since = models.DateTimeField(null=True)
    next_try_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(candidates__isnull=True) | Q(call__isnull=False), name="drafting_candidates_have_call"
            )
        ]
        indexes = [models.Index(fields=["image", "-id"], name="drafting_of_image")]


class CandidateDecision(AppendOnly):
    """What a person did with a candidate: ``used`` it for an item, or ``discarded`` it for a reason."""

    drafting = models.ForeignKey(Drafting, on_delete=models.PROTECT, related_name="decisions", db_index=False)
    no = models.PositiveSmallIntegerField()
    fate = models.CharField(max_length=12)
    reason = models.CharField(max_length=24, blank=True)
    item = models.ForeignKey(Item, on_delete=models.PROTECT, null=True, related_name="+")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["drafting", "no"], name="candidate_decided_once"),
            models.CheckConstraint(
                condition=Q(fate="used", item__isnull=False, reason="")
                | (Q(fate="discarded", item__isnull=True) & ~Q(reason="")),
                name="candidate_fate",
            ),
        ]
