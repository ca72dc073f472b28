"""Prompts that people try on a model."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.calls.models import Call
from curation.core.models import Job


class Trial(models.Model):
    """A prompt with an item's values that a person sends to a model, to see its reply.

    ``job`` sends it on the queue ``served`` and keeps what is sent; ``call`` is that of the reply, which may have been
    paid for earlier, or an equal one that it waits for or waited for. ``limited_since``: when the server first refused
    it because of its rate limit; it is sent again at ``next_try_at``.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="+")
    call = models.ForeignKey(Call, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    limited_since = models.DateTimeField(null=True)
    next_try_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
