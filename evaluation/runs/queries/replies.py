"""Replies of runs over item sets, as rows of files of predictions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.db import connection

from curation.people.models import Person
from evaluation.answering.services.asking import answer_of
from evaluation.profiles.rows import Row
from evaluation.runs import access
from evaluation.runs.models import Reply, Run
from evaluation.runs.queries.work import UNRESOLVED
from evaluation.sets.models import Entry
from evaluation.sets.rules import entry_of
from evaluation.suites.rules import SUITES, Answer
from evaluation.systems.rules import BOX_FORM

#: The error of a reply that says that the system declined.
REFUSED = "refused"
_AT_ONCE = 2_000  # entries in memory


def prediction_rows(run: Run) -> Iterator[Row]:
    """Yield the row of each entry that was answered or failed, in the order of the gold file."""
    for number, fields in enumerate(_fields(run), 1):
        yield Row("predictions.jsonl", number, fields)


def predictions_file(person: Person, run_id: int) -> tuple[str, Iterator[str]]:
    """Name and lines of the file of a run's predictions, which ``manage.py score`` reads.

    Raises:
        NotFound, OperationNotAllowed.
    """
    run = access.run_of_questions_for(person, run_id, "run_predictions")
    return f"run-{run.pk}-predictions.jsonl", (json.dumps(row, ensure_ascii=False) + "\n" for row in _fields(run))


def _fields(run: Run) -> Iterator[dict[str, Any]]:
    suite, side = SUITES[run.suite], run.settings["side"]
    box_form = str(run.system.parameters.get(BOX_FORM, ""))
    failed = _failed(run)
    current = Entry.objects.filter(set_id=run.set_id, ended_at=None)
    entries = current.order_by("line", "no").iterator(chunk_size=_AT_ONCE)
    while part := list(islice(entries, _AT_ONCE)):
        replies = {reply.entry_id: reply for reply in Reply.objects.filter(run=run, entry__in=part)}
        for stored in part:
            entry = entry_of(stored.key, stored.line, stored.texts[side])
            if reply := replies.get(stored.pk):
                yield suite.answer_row(entry, answer_of(_record(reply), box_form))
            elif code := failed.get(stored.pk):
                yield suite.answer_row(entry, Answer(None, error=code))


def prediction_row(run: Run, entry: Entry, reply: Reply) -> dict[str, Any]:
    """The row of one entry's reply in the file of predictions."""
    sent_entry = entry_of(entry.key, entry.line, entry.texts[run.settings["side"]])
    box_form = str(run.system.parameters.get(BOX_FORM, ""))
    return SUITES[run.suite].answer_row(sent_entry, answer_of(_record(reply), box_form))


def _record(reply: Reply) -> dict[str, Any]:
    if reply.outcome == Reply.REFUSED:
        return {**reply.value, "error": REFUSED}
    return {**reply.value} if "sums" in reply.value else {**reply.value, "text": reply.raw}


def _failed(run: Run) -> dict[int, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"select u.entry_id, u.code from evaluation_run r cross join lateral ({UNRESOLVED}) u "  # noqa: S608
            "where r.id = %(run)s",
            {"run": run.pk},
        )
        return dict(cursor.fetchall())
