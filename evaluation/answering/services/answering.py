"""Answering a whole gold file, again and again until it is done."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TextIO

from evaluation.answering.rules import order
from evaluation.answering.rules.journal import Journal, write_whole
from evaluation.answering.rules.pictures import Source
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.answering.services import systems
from evaluation.answering.services.asking import Asker, answer_of, required
from evaluation.answering.services.patience import patiently
from evaluation.answering.services.planning import Plan, Request, plan_of
from evaluation.answering.services.progress import Progress
from evaluation.answering.services.retrieval import Gallery


def answer(request: Request, stream: TextIO) -> Progress:
    """Answer a file, or go on with it, and write the predictions when all are there.

    Args:
        request: What.
        stream: Where progress is written.

    Returns:
        The final counts.

    Raises:
        AnswerRefused, WrongInput: The request or a file is not right; nothing was sent.
        DomainError: The system cannot be loaded, or fails; the same request goes on later.
    """
    plan = plan_of(request)
    journal = Journal(request.out.with_name(request.out.name + ".journal"), plan.header)
    try:
        if journal.done == 0 and request.out.exists():
            raise AnswerRefused("out_exists", f"{request.out} is there and has no journal; name another --out")
        if plan.setting.prompts:
            return _answer_questions(plan, request, journal, stream)
        return _answer_retrieval(plan, request, journal, stream)
    finally:
        journal.close()


def _answer_questions(plan: Plan, request: Request, journal: Journal, stream: TextIO) -> Progress:
    asker = plan.asker
    chunks = order.in_chunks(plan.entries, asker.length, request.batch)
    journal.check_keys([(None, [entry.key for entry in chunk]) for chunk in chunks])
    progress = _progress(Progress(stream, len(plan.entries), plan.withheld), journal)
    if journal.done < len(chunks):
        patiently(partial(_load, plan, journal), progress)
        asker.answered = any(_any_answered(chunk["answers"]) for chunk in journal.chunks())
        progress.start()
    facts = _Facts(plan)
    for chunk in chunks[journal.done :]:
        records = patiently(partial(asker.answer, chunk), progress)
        cost = _cost(plan.system)
        journal.append(records, **cost, **facts.new())
        asker.answered = asker.answered or _any_answered(records)
        progress.add(records, **cost)
        progress.show()
    form = plan.system.box_form
    answers = {record["key"]: answer_of(record, form) for chunk in journal.chunks() for record in chunk["answers"]}
    rows = (plan.suite.answer_row(entry, answers[entry.key]) for entry in plan.entries)
    write_whole(request.out, _lines(rows))
    progress.show(last=True)
    return progress


def _answer_retrieval(plan: Plan, request: Request, journal: Journal, stream: TextIO) -> Progress:
    gallery = Gallery(plan.entries)
    journal.check_keys(gallery.chunks)
    progress = _progress(Progress(stream, len(gallery.pictures) + len(gallery.texts), plan.withheld), journal)
    pictures = plan.asker.pictures
    if pictures is None:
        raise AnswerRefused("picture_needed", "retrieval without pictures has nothing to rank")
    if journal.done < len(gallery.chunks):
        patiently(partial(_load, plan, journal), progress)
        progress.start()
    facts = _Facts(plan)
    for chunk in gallery.chunks[journal.done :]:
        records = patiently(partial(_embed, gallery, chunk, plan.asker, pictures), progress)
        journal.append(records, of=chunk[0], **facts.new())
        progress.add(records)
        progress.show()
    write_whole(request.out, _lines(gallery.rows(plan.entries, journal.chunks())))
    progress.show(last=True)
    return progress


class _Facts:
    """What the system says of itself, for the journal: after the first chunk of a process, and once it says more.

    A batch can be halved, and a hosted model replaced, after any chunk.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._written: dict[str, Any] | None = None

    def new(self) -> dict[str, Any]:
        """Return the facts under ``system`` if they are others than before, else nothing."""
        facts = self._plan.system.describe(self._plan.asker.described())
        if facts == self._written:
            return {}
        self._written = facts
        return {"system": facts}


def _progress(progress: Progress, journal: Journal) -> Progress:
    for chunk in journal.chunks():
        progress.add(chunk["answers"], here=False, cost=chunk.get("cost"))
    return progress


def _cost(system: systems.AnsweringSystem) -> dict[str, Any]:
    """Return what a chunk cost, as the journal keeps it; nothing where nothing is paid."""
    spent = system.take_spent()
    return {"cost": [str(spent.amount), spent.currency]} if spent.currency else {}


def _any_answered(records: Sequence[Mapping[str, Any]]) -> bool:
    return any("error" not in record for record in records)


def _lines(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    return (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)


def _embed(gallery: Gallery, chunk: tuple[str, list[str]], asker: Asker, pictures: Source) -> list[dict[str, Any]]:
    asker.confirm()
    return gallery.embed(chunk, required(asker.embedder), pictures)


def _load(plan: Plan, journal: Journal) -> None:
    """Load what the answers need.

    Raises:
        AnswerRefused: The journal has answers of another number type, route, version or server.
        DomainError: It cannot be loaded, or reads no pictures.
    """
    asker, system = plan.asker, plan.system
    if "embedder" in plan.parts:
        asker.embedder = required(system.open_embedder)()
    if "ranker" in plan.parts:
        asker.ranker = required(system.open_ranker)()
    if "generator" in plan.parts:
        asker.generator = required(system.open_generator)()
        if asker.pictures is not None:
            system.probe_pictures()
    journal.compare_system(system.describe(asker.described()))
