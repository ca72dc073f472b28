"""Asking a model each submitted question without its picture.

This room can show a model no picture: it imports neither stores nor renditions nor the transport of requests, and its
requests have no place for one (an import contract in ``pyproject.toml``).
"""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from annotation.kinds.multiple_choice import BlindTrialSettings
from annotation.kinds.option_order import LETTERS
from annotation.trials import queries
from annotation.trials.models import BlindTrial, PendingTrial
from annotation.trials.queries import Side
from annotation.trials.rules import LONGEST_REPLY, Answer, letter_in, pause_after
from curation.benchmarks.models import Benchmark
from curation.calls import services as calls
from curation.calls.errors import CallLimited, CallWaits, ModelNotOffered, NoBudget
from curation.calls.services import ask_text
from curation.core import jobs
from curation.core.errors import DomainError
from curation.prompts.services import stored_prompt
from curation.wire.servers import QUEUE

_PURPOSE: Final = "blind_trial"
#: Revisions of a benchmark that one sweep adds to those that wait; the next one continues.
QUEUED_AT_ONCE: Final = 500
#: Jobs of a benchmark that wait or run, few so that those of people soon find a worker.
MOST_OPEN: Final = 5
# Seconds that a worker waits by itself; for longer pauses the question is put off.
_SHORT_PAUSE: Final = 5.0
# What prevents an attempt without a fault of the question: nothing was paid, and the attempt does not count.
_PREVENTED: Final = (CallWaits, NoBudget, ModelNotOffered)


def sweep() -> int:
    """Start trials of submitted revisions that have none, a few of each benchmark; return how many.

    Where the model is not offered or no budget covers a question's tries, nothing starts; a later sweep looks again.
    """
    return sum(_sweep_benchmark(benchmark) for benchmark in queries.benchmarks_with_trials())


def _sweep_benchmark(benchmark: Benchmark) -> int:
    chosen = queries.settings_of(benchmark)
    if chosen is None:
        return 0
    queries.outdated(benchmark).delete()
    waiting = queries.revisions_without_trials(benchmark).values_list("pk", flat=True)[:QUEUED_AT_ONCE]
    PendingTrial.objects.bulk_create(
        [PendingTrial(revision_id=pk, benchmark=benchmark) for pk in waiting],
        ignore_conflicts=True,  # another sweep was faster
    )
    room = MOST_OPEN - queries.open_trials(benchmark).count()
    rows = queries.startable(benchmark).select_related("revision__item__benchmark", "revision__item__team")
    started = 0
    for row in rows[: max(0, room)]:
        try:
            server = queries.server_for(row.revision, chosen)
        except _PREVENTED:
            break  # as for all other questions
        except DomainError:
            _rest(row)
            continue
        _start(row, server, chosen.model)
        started += 1
    return started


@transaction.atomic
def _start(row: PendingTrial, server: str, model: str) -> None:
    attempts = row.attempts + 1
    job = jobs.enqueue(
        task=queries.TRY_BLIND,
        args={"server": server, "model": model},
        dedupe_key=f"blind trial {row.revision_id}",
        queue=QUEUE,
        benchmark_id=row.benchmark_id,
    )
    # The pause is written before the attempt, so that a question that kills its worker rests, too.
    PendingTrial.objects.filter(pk=row.pk).exclude(job=job).update(
        job=job,
        attempts=attempts,
        retry_at=Now() + pause_after(attempts),
        limited_since=None,
        next_try_at=None,
    )


def is_due(job_id: int) -> bool:
    """Whether the requests of a job are to be sent now; one that its server limits waits for its next try."""
    return calls.is_due(PendingTrial.objects.filter(job_id=job_id))


def make_trials(lease: jobs.Lease) -> None:
    """Ask the model a question in each of its languages and store all replies; a job's handler, safe to run twice.

    Replies that were paid for and not stored, because the worker was killed, come from the ledger again. Equal
    questions of other revisions have the same replies, too.

    Raises:
        Postponed: The server limits requests: they are sent again later.
        LeaseLost: Another worker has the job.
        TrialPromptUnfit, ModelNotOffered, NoBudget, CallWaits, CallFailed, CallInDoubt: There are no trials yet.
    """
    rows = PendingTrial.objects.select_related("revision__item__benchmark", "revision__item__team", "benchmark")
    row = rows.filter(job=lease.job).first()
    if row is None:
        return
    chosen = queries.settings_of(row.benchmark)
    # A sweep may have read the tables before another job stored the trials.
    has_trials = BlindTrial.objects.filter(revision=row.revision_id).exists()
    is_current = queries.current_revisions(row.benchmark).filter(pk=row.revision_id).exists()
    if chosen is None or has_trials or not is_current:
        row.delete()
        return
    try:
        trials = _trials(lease, row, chosen)
    except CallLimited as error:
        try:
            calls.postpone(row, error)
        except CallLimited:
            _do_not_count(row)
            raise
    except _PREVENTED:
        _do_not_count(row)
        raise
    with transaction.atomic():
        BlindTrial.objects.bulk_create(trials, ignore_conflicts=True)  # a worker that lost its lease was faster
        PendingTrial.objects.filter(pk=row.pk).delete()


def _rest(row: PendingTrial) -> None:
    """Let a question rest whose trials cannot start."""
    attempts = row.attempts + 1
    PendingTrial.objects.filter(pk=row.pk).update(attempts=attempts, retry_at=Now() + pause_after(attempts))


def _do_not_count(row: PendingTrial) -> None:
    """Undo the count of an attempt that something else prevented, with the shortest pause."""
    rows = PendingTrial.objects.filter(pk=row.pk, attempts__gt=0)
    rows.update(attempts=F("attempts") - 1, retry_at=Now() + pause_after(1))


def _trials(lease: jobs.Lease, row: PendingTrial, chosen: BlindTrialSettings) -> list[BlindTrial]:
    sides = queries.sides_of(row.revision, chosen)
    total = sum(len(side.requests) for side in sides)
    trials: list[BlindTrial] = []
    for place, side in enumerate(sides):
        prompt = stored_prompt(row.benchmark, side.prompt)
        answers = []
        for number in range(len(side.requests)):
            answers.append(_answer(lease.args, row, side, number, prompt.pk))
            lease.progress(place * len(side.requests) + number + 1, total)
        trials.append(
            BlindTrial(
                revision=row.revision,
                language=side.language,
                model=lease.args["model"],
                prompt=prompt,
                tries=len(answers),
                hits=sum(answer.is_hit for answer in answers),
                flagged_from=chosen.flagged_from,
                answers=[answer.as_json() for answer in answers],
            )
        )
    return trials


def _answer(args: dict[str, Any], row: PendingTrial, side: Side, number: int, prompt_id: int) -> Answer:
    call = ask_text(
        side.requests[number],
        benchmark_id=row.benchmark_id,
        purpose=_PURPOSE,
        server=args["server"],
        model=args["model"],
        prompt_id=prompt_id,
        longest_pause=_SHORT_PAUSE,
    )
    # A reply that a content filter refused is a try without a letter.
    reply = call.reply or ""
    letter = letter_in(reply, side.options[number])
    return Answer(right=LETTERS[number], letter=letter, reply=reply[:LONGEST_REPLY], call=call.pk)
