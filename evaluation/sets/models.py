"""Item sets and their entries."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.items.models import Item
from annotation.releases.models import Release
from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.images.models import Image
from curation.people.models import Person
from evaluation.sets import rules

# Runs name a set by its entries, so that what they were asked never changes. A set of accepted work grows.
_KEPT = pgtrigger.Trigger(
    name="kept",
    operation=pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if tg_op = 'UPDATE' and "
        "row(new.id, new.benchmark_id, new.origin, new.release_id, new.suite, new.name, new.files, "
        "new.created_by_id, new.created_at) is not distinct from "
        "row(old.id, old.benchmark_id, old.origin, old.release_id, old.suite, old.name, old.files, "
        "old.created_by_id, old.created_at) and (old.state = 'waiting' or "
        "(old.origin = 'rolling' and new.size >= old.size and new.state = old.state and new.sides = old.sides) or "
        "row(new.state, new.fault, new.sides, new.size, new.digest) is not distinct from "
        "row(old.state, old.fault, old.sides, old.size, old.digest)) then return new; end if; "
        "raise exception using errcode = 'restrict_violation', message = format('item set %s is kept', old.id);"
    ),
)


_ENTRY_KEPT = pgtrigger.Trigger(
    name="kept",
    operation=pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func=(
        "if tg_op = 'UPDATE' and old.ended_at is null and "
        "to_jsonb(new) - 'ended_at' = to_jsonb(old) - 'ended_at' then return new; end if; "
        "raise exception using errcode = 'restrict_violation', message = format('entry %s is kept', old.id);"
    ),
)


class ItemSet(models.Model):
    """What runs ask, as numbered entries: of a release, of accepted work, or of another benchmark's own files.

    The questions of files are run here, and never become items or releases. The set of a release has the splits that
    are scored; the one of accepted work (``rolling``) grows with each acceptance and is there once for each suite.

    ``files`` has the gold file under ``gold``, the ZIP of pictures under ``pictures`` and the texts that dialogues name
    by ids under ``dialogues``, each with name, SHA-256, bytes and key in the store; the last two are removed once they
    were read. ``sides`` are the languages in which every question
    exists. ``fault`` says why the files are refused: ``{"code", "file", "line", "field", "expected"}``. ``digest`` is a
    SHA-256 over all entries with their pictures.
    """

    class Origin(models.TextChoices):
        """Where the entries come from."""

        FILE = "file"
        RELEASE = "release"
        ROLLING = "rolling"

    class State(models.TextChoices):
        """Whether its entries were read."""

        WAITING = "waiting"
        READY = "ready"
        REFUSED = "refused"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+")
    origin = models.CharField(max_length=8, choices=Origin, default=Origin.FILE, db_default="file")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, null=True, related_name="item_sets")
    suite = models.CharField(max_length=48)
    name = models.CharField(max_length=rules.NAME, blank=True)
    files = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=State, default=State.WAITING)
    fault = models.JSONField(null=True)
    sides = ArrayField(models.CharField(max_length=8), default=list)
    size = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    job_id = models.BigIntegerField(null=True)
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "name"],
                condition=~Q(state="refused") & Q(origin="file"),
                name="itemset_name_once",
            ),
            models.UniqueConstraint(fields=["release", "suite"], name="itemset_of_release_once"),
            models.UniqueConstraint(
                fields=["benchmark", "suite"], condition=Q(origin="rolling"), name="itemset_rolling_once"
            ),
            models.CheckConstraint(condition=Q(origin__in=["file", "release", "rolling"]), name="itemset_origin"),
            models.CheckConstraint(
                condition=Q(origin="release", release__isnull=False) | (~Q(origin="release") & Q(release__isnull=True)),
                name="itemset_of_release",
            ),
            models.CheckConstraint(
                condition=~Q(origin="file") | (Q(created_by__isnull=False) & ~Q(name="")), name="itemset_of_files"
            ),
            models.CheckConstraint(condition=Q(state__in=["waiting", "ready", "refused"]), name="itemset_state"),
            models.CheckConstraint(
                condition=Q(state="refused", fault__isnull=False) | (~Q(state="refused") & Q(fault__isnull=True)),
                name="itemset_refused_with_fault",
            ),
            models.CheckConstraint(
                condition=Q(state="ready", size__gt=0)
                | Q(state="ready", origin="rolling")
                | (~Q(state="ready") & Q(size=0)),
                name="itemset_ready_has_size",
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


class Entry(models.Model):
    """One unit that is asked, counted and scored: a question, a blank of one, or a caption.

    ``no`` counts from 1; entries with the same picture are neighbours, in a set of files those with the longest texts
    come first. ``line`` is its row in the gold file, else its place in the release; accepted work is in the order of
    numbers. ``texts`` has what the system is given by side, and in a set of files under ``explanation`` why the answer
    is right, which only examples show; the right answer is in ``gold`` in the profile's own form. An entry of an
    accepted revision names it, with ``part`` counting its questions or captions; ``row`` is then the row that scoring
    reads, and the picture is the current file of ``image``. Of a caption, ``row`` has digest and version of the
    picture's file. ``ended_at`` is when the revision was no longer the accepted one, or the file not the picture's.
    """

    set = models.ForeignKey(ItemSet, on_delete=models.PROTECT, related_name="entries")
    no = models.PositiveIntegerField()
    key = models.CharField(max_length=rules.LONGEST)
    line = models.PositiveIntegerField()
    picture = models.ForeignKey(SetPicture, on_delete=models.PROTECT, null=True, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, null=True, related_name="+")
    revision_no = models.PositiveIntegerField(null=True)
    part = models.PositiveSmallIntegerField(default=0, db_default=0)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, null=True, related_name="+")
    cluster = models.CharField(max_length=rules.LONGEST)
    texts = models.JSONField()
    gold = models.JSONField()
    row = models.JSONField(null=True)
    tags = models.JSONField(default=dict)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["set", "no"], name="entry_no_once"),
            models.UniqueConstraint(fields=["set", "key"], condition=Q(ended_at=None), name="entry_key_once"),
            models.CheckConstraint(
                condition=Q(item=None, revision_no=None, image=None, row=None)
                | Q(item__isnull=False, revision_no__isnull=False, image__isnull=False, row__isnull=False),
                name="entry_of_revision",
            ),
        ]
        # For the entries with a tag that few have.
        indexes = [GinIndex(fields=["tags"], opclasses=["jsonb_path_ops"], name="entry_tags")]
        triggers = [_ENTRY_KEPT]
