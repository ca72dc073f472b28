"""Item sets and their entries."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.people.models import Person
from evaluation.sets import rules

# Runs name a set by its entries, so that what they were asked never changes.
_KEPT = pgtrigger.Trigger(
    name="kept",
    operation=pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if tg_op = 'UPDATE' and "
        "row(new.id, new.benchmark_id, new.suite, new.name, new.files, new.created_by_id, new.created_at) "
        "is not distinct from "
        "row(old.id, old.benchmark_id, old.suite, old.name, old.files, old.created_by_id, old.created_at) and "
        "(old.state = 'waiting' or row(new.state, new.fault, new.sides, new.size, new.digest) is not distinct from "
        "row(old.state, old.fault, old.sides, old.size, old.digest)) then return new; end if; "
        "raise exception using errcode = 'restrict_violation', message = format('item set %s is kept', old.id);"
    ),
)


class ItemSet(models.Model):
    """Questions of another benchmark, from its own files: they are run here, and never become items or releases.

    ``files`` has the gold file under ``gold`` and the ZIP of pictures under ``pictures``, each with name, SHA-256,
    bytes and key in the store; the ZIP is removed once it was read. ``sides`` are the languages in which every question
    exists. ``fault`` says why the files are refused: ``{"code", "file", "line", "field", "expected"}``. ``digest`` is a
    SHA-256 over all entries with their pictures.
    """

    class State(models.TextChoices):
        """Whether its files were read."""

        WAITING = "waiting"
        READY = "ready"
        REFUSED = "refused"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    suite = models.CharField(max_length=48)
    name = models.CharField(max_length=rules.NAME)
    files = models.JSONField()
    state = models.CharField(max_length=16, choices=State, default=State.WAITING)
    fault = models.JSONField(null=True)
    sides = ArrayField(models.CharField(max_length=8), default=list)
    size = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    job_id = models.BigIntegerField(null=True)
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "name"], condition=~Q(state="refused"), name="itemset_name_once"
            ),
            models.CheckConstraint(condition=Q(state__in=["waiting", "ready", "refused"]), name="itemset_state"),
            models.CheckConstraint(
                condition=Q(state="refused", fault__isnull=False) | (~Q(state="refused") & Q(fault__isnull=True)),
                name="itemset_refused_with_fault",
            ),
            models.CheckConstraint(
                condition=Q(state="ready", size__gt=0) | (~Q(state="ready") & Q(size=0)), name="itemset_ready_has_size"
            ),
        ]
        indexes = [models.Index(fields=["benchmark", "-id"], name="itemset_newest")]
        triggers = [_KEPT]

    @property
    def label(self) -> str:
        """The name in the audit log, which holds no text that people wrote."""
        return f"set-{self.pk}"


class SetPicture(AppendOnly):
    """A picture of an item set, encoded again from its pixels; ``name`` is as the gold file has it."""

    set = models.ForeignKey(ItemSet, on_delete=models.PROTECT, related_name="pictures")
    name = models.CharField(max_length=rules.LONGEST)
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveIntegerField()
    key = models.CharField(max_length=200)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["set", "name"], name="setpicture_name_once")]


class Entry(AppendOnly):
    """One unit that is asked, counted and scored: a question, or a blank of one.

    ``no`` counts from 1; entries with the same picture are neighbours, those with the longest texts come first.
    ``line`` is its row in the gold file. ``texts`` has what the system is given by side, without the right answer,
    which is in ``gold`` in the profile's own form.
    """

    set = models.ForeignKey(ItemSet, on_delete=models.PROTECT, related_name="entries")
    no = models.PositiveIntegerField()
    key = models.CharField(max_length=rules.LONGEST)
    line = models.PositiveIntegerField()
    picture = models.ForeignKey(SetPicture, on_delete=models.PROTECT, null=True, related_name="+")
    cluster = models.CharField(max_length=rules.LONGEST)
    texts = models.JSONField()
    gold = models.JSONField()
    tags = models.JSONField(default=dict)

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["set", "no"], name="entry_no_once"),
            models.UniqueConstraint(fields=["set", "key"], name="entry_key_once"),
        ]
        # For the entries with a tag that few have.
        indexes = [GinIndex(fields=["tags"], opclasses=["jsonb_path_ops"], name="entry_tags")]
