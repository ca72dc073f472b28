"""Blind trials of questions: what a model answered without the picture."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.items.models import ItemRevision
from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly, Job
from curation.prompts.models import Prompt


class BlindTrial(AppendOnly):
    """The replies of a model that read a revision's question in one language, without the picture.

    ``tries`` is the number of options: the right one was printed once at each letter. ``hits`` of them had its letter.
    ``answers`` are :class:`annotation.trials.rules.Answer`, in the order of the tries, each with the id of its call.
    The question is flagged if ``hits`` reaches ``flagged_from``, the protocol's number when the trial was made.
    """

    revision = models.ForeignKey(ItemRevision, on_delete=models.PROTECT, related_name="+", db_index=False)
    language = models.CharField(max_length=35)
    model = models.CharField(max_length=200)
    prompt = models.ForeignKey(Prompt, on_delete=models.PROTECT, related_name="+", db_index=False)
    tries = models.PositiveSmallIntegerField()
    hits = models.PositiveSmallIntegerField()
    flagged_from = models.PositiveSmallIntegerField()
    answers = models.JSONField()
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["revision", "language"], name="blind_trial_once"),
            models.CheckConstraint(
                condition=Q(tries__gt=0, hits__gte=0, hits__lte=F("tries"), flagged_from__gt=0),
                name="blind_trial_counts",
            ),
        ]

    @property
    def is_flagged(self) -> bool:
        """Whether the model was right so often that the question may not need its picture."""
        return self.hits >= self.flagged_from


class PendingTrial(models.Model):
    """A submitted revision whose trials are to be made; the row is deleted with the insertion of the trials.

    ``job`` is the newest one that makes them, and keeps why it failed. ``attempts`` counts the jobs; after one that
    failed no other starts before ``retry_at``. ``limited_since`` and ``next_try_at`` are as those of a trial of a
    prompt: the server limits requests.
    """

    revision = models.OneToOneField(ItemRevision, on_delete=models.PROTECT, related_name="+")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, null=True, related_name="+")
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    retry_at = models.DateTimeField(null=True)
    limited_since = models.DateTimeField(null=True)
    next_try_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
