"""Runs of systems over item sets, and their answers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.releases.models import Release
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.models import AppendOnly, Leased
from curation.people.models import Person
from evaluation.runs.rules import LONGEST_OVERRIDE
from evaluation.sets.models import Entry, ItemSet
from evaluation.systems.models import System


class Run(models.Model):
    """A system tested on an item set: of a release, of accepted work (a rolling run), or of a file.

    The row holds everything needed to repeat the run. ``round`` counts how often the failures were retried. ``cut_to``
    is the number of the last entry that is in a chunk or is not asked, ``expected`` counts the entries that are asked,
    and the next three those with each outcome; ``cost`` is the sum of what its replies cost when their calls were made,
    for this run or an earlier one. A chunk's transaction moves them.
    """

    class State(models.TextChoices):
        """What people decided about a run; its chunks say who works on it and how far it is."""

        OPEN = "open"
        PAUSED = "paused"
        CANCELLED = "cancelled"
        CLOSED = "closed"

    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="runs")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="runs")
    suite = models.CharField(max_length=48)
    protocol = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="+")
    set = models.ForeignKey(ItemSet, on_delete=models.PROTECT, related_name="runs")
    cut_to = models.PositiveIntegerField(default=0, db_default=0)
    expected = models.PositiveIntegerField(default=0, db_default=0)
    answered = models.PositiveIntegerField(default=0, db_default=0)
    refused = models.PositiveIntegerField(default=0, db_default=0)
    failed = models.PositiveIntegerField(default=0, db_default=0)
    cost = models.DecimalField(max_digits=20, decimal_places=8, default=0, db_default=0)
    currency = models.CharField(max_length=3, blank=True, default="", db_default="")
    settings = models.JSONField(default=dict)
    settings_sha256 = models.CharField(max_length=64)
    environment = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=State, default=State.OPEN)
    round = models.PositiveSmallIntegerField(default=0)
    started_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["system", "set", "settings_sha256"],
                condition=Q(state__in=["open", "paused"]),
                name="run_one_at_a_set",
            ),
            models.CheckConstraint(condition=Q(state__in=["open", "paused", "cancelled", "closed"]), name="run_state"),
            models.CheckConstraint(
                condition=Q(expected__gte=models.F("answered") + models.F("refused") + models.F("failed")),
                name="run_counts_fit",
            ),
        ]

    @property
    def label(self) -> str:
        """The name in the audit log, which has room for 64 characters: the system, and the set."""
        return f"{self.system.slug} {self.set.label}"[:64]

    @property
    def release(self) -> Release | None:
        """The release whose questions or captions it covers; None for accepted work and sets of files."""
        return self.set.release

    @property
    def is_rolling(self) -> bool:
        """Whether it covers whatever is accepted."""
        return self.set.origin == ItemSet.Origin.ROLLING


class Chunk(Leased):
    """A fixed share of a run's work, with inputs of similar length: what one worker claims at a time.

    Fixed, because an input's neighbours in a batch change the last digits of its answer. ``entries`` are numbers of
    entries; ``ms`` is how long they took.
    """

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="chunks")
    no = models.PositiveIntegerField()
    round = models.PositiveSmallIntegerField(default=0)
    entries = models.JSONField()
    size = models.PositiveIntegerField()
    ms = models.PositiveIntegerField(null=True)

    class Meta(Leased.Meta):
        constraints = [
            *Leased.Meta.constraints,
            models.UniqueConstraint(fields=["run", "no"], name="chunk_no_once"),
        ]
        indexes = [models.Index(fields=["run", "no"], condition=~Q(state="done"), name="chunk_left")]

    def __str__(self) -> str:
        return f"chunk {self.no} of run {self.run_id}"


class Reply(AppendOnly):
    """A system's answer to an entry of a set; one row per (run, entry, variant, sample).

    ``variant`` is the shift of the options and ``sample`` counts repeated replies, both from 0. ``raw`` is the reply as
    it came, ``value`` what else was measured: the scores of candidates, sizes; of a caption the :class:`Feature` of its
    ``text`` and of its ``picture``, each as digest of the input and preparation. ``cost`` is null if it was free. An
    entry without an answer has a :class:`ReplyFailure`; a system that declined has a reply with the outcome
    ``refused``.
    """

    ANSWERED, REFUSED = "answered", "refused"

    pk = models.CompositePrimaryKey("run_id", "entry_id", "variant", "sample")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="replies")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    variant = models.PositiveSmallIntegerField(default=0)
    sample = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=8)
    raw = models.TextField(blank=True)
    value = models.JSONField(default=dict)
    tokens_in = models.PositiveIntegerField(null=True)
    tokens_out = models.PositiveIntegerField(null=True)
    cost = models.DecimalField(max_digits=18, decimal_places=8, null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [models.CheckConstraint(condition=Q(outcome__in=["answered", "refused"]), name="reply_outcome")]


class ReplyFailure(AppendOnly):
    """An entry that a system could not answer in one round; a later round adds another row or a reply.

    Of a caption, ``input`` says what is at fault, the picture or the text; ``value`` names the feature of the other as
    :class:`Reply` does. ``message`` is the system's own error text.
    """

    PICTURE, TEXT = "picture", "text"

    pk = models.CompositePrimaryKey("run_id", "entry_id", "variant", "sample", "round")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="reply_failures")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    variant = models.PositiveSmallIntegerField(default=0)
    sample = models.PositiveSmallIntegerField(default=0)
    round = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=64)
    input = models.CharField(max_length=8, blank=True, default="", db_default="")
    message = models.TextField(blank=True, default="", db_default="")
    value = models.JSONField(default=dict, db_default={})
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.CheckConstraint(condition=Q(input__in=["", "picture", "text"]), name="replyfailure_input")
        ]


class ReplyOverride(AppendOnly):
    """What a person read in a reply instead of the rules of profiles; the newest of a reply counts.

    ``answer`` is a letter of the options, several letters or a short text, as the suite has them; null is no answer.
    """

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="overrides", db_index=False)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+", db_index=False)
    variant = models.PositiveSmallIntegerField(default=0)
    sample = models.PositiveSmallIntegerField(default=0)
    answer = models.CharField(max_length=LONGEST_OVERRIDE, null=True)  # noqa: DJ001  # null is no answer
    reason = models.TextField()
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.CheckConstraint(condition=Q(reason__regex=r"\S"), name="replyoverride_has_reason"),
            models.CheckConstraint(condition=~Q(answer=""), name="replyoverride_answer_or_null"),
            models.UniqueConstraint(fields=["person", "client_key"], name="replyoverride_once"),
        ]
        indexes = [models.Index(fields=["run", "entry", "-id"], name="replyoverride_newest")]


class Feature(AppendOnly):
    """A system's vector of a picture or a text, reused by every run with the same input.

    ``input_sha256`` is the digest of the picture file or of the text in UTF-8; ``preparation`` is the digest of what
    was done to the input before the system read it.
    """

    pk = models.CompositePrimaryKey("system_id", "input_sha256", "preparation")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+")
    input_sha256 = models.CharField(max_length=64)
    preparation = models.CharField(max_length=64)
    vector = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())
