"""Answering a whole gold file, again and again until it is done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO

from evaluation.answering.rules import order, reading, shots
from evaluation.answering.rules.journal import Journal, write_whole
from evaluation.answering.rules.pictures import METHOD, Pictures, sha256_of_all
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.answering.services import prompts, systems
from evaluation.answering.services.asking import Asker, required
from evaluation.answering.services.patience import patiently
from evaluation.answering.services.progress import Progress
from evaluation.answering.services.retrieval import Gallery, vector_of
from evaluation.backends.asks import Decoding
from evaluation.suites.rules import (
    SUITES,
    Answer,
    Context,
    Entry,
    Means,
    Setting,
    Side,
    Suite,
    read_dialogues,
    settings_digest,
)

BATCH: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is answered and how; None is the suite's default.

    Attributes:
        system: A name or the file of a record.
        suite: The suite's name.
        gold: The benchmark's file of questions with right answers.
        pictures: The folder in which its pictures are.
        out: The file of predictions; its journal is beside it.
        setting: The suite's setting; empty: the first.
        means: How the system answers.
        language: The language of the prompt.
        prompt: The number of the prompt's version.
        side: Which text of the questions is asked.
        dialogues: The file with the texts of dialogues.
        shots: How many examples come before a question.
        shots_from: The file from which they are drawn.
        shots_pictures: The folder of their pictures; None: that of the questions.
        picture: Whether pictures are sent.
        scale: The factor of both sides of each picture.
        limit: Only the first so many questions.
        sample: Only so many questions, drawn.
        seed: Of every draw and of decoding.
        temperature, max_tokens: In place of the setting's.
        batch: Questions in a chunk, the most that a kill repeats.
        benchmark: The benchmark of the site that pays for replies of a model on a server.
    """

    system: str
    suite: str
    gold: Path
    pictures: Path | None
    out: Path
    setting: str = ""
    means: Means | None = None
    language: str | None = None
    prompt: int | None = None
    side: Side | None = None
    dialogues: Path | None = None
    shots: int = 0
    shots_from: Path | None = None
    shots_pictures: Path | None = None
    picture: bool = True
    scale: Fraction = Fraction(1)
    limit: int | None = None
    sample: int | None = None
    seed: int = 0
    temperature: float | None = None
    max_tokens: int | None = None
    batch: int = BATCH
    benchmark: str | None = None


@dataclass(frozen=True, slots=True)
class _Plan:
    """A request after everything that it names was read and checked."""

    suite: Suite
    setting: Setting
    entries: list[Entry]
    asker: Asker
    system: systems.AnsweringSystem
    parts: frozenset[systems.Part]
    header: dict[str, Any]


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
    plan = _plan(request)
    journal = Journal(request.out.with_name(request.out.name + ".journal"), plan.header)
    try:
        if journal.done == 0 and request.out.exists():
            raise AnswerRefused("out_exists", f"{request.out} is there and has no journal; name another --out")
        if plan.setting.prompts:
            return _answer_questions(plan, request, journal, stream)
        return _answer_retrieval(plan, request, journal, stream)
    finally:
        journal.close()


def _answer_questions(plan: _Plan, request: Request, journal: Journal, stream: TextIO) -> Progress:
    asker = plan.asker
    chunks = order.in_chunks(plan.entries, asker.length, request.batch)
    progress = _progress(stream, len(plan.entries), journal)
    if journal.done < len(chunks):
        patiently(partial(_load, plan, journal), progress)
        asker.answered = any(_any_answered(chunk["answers"]) for chunk in journal.chunks())
        progress.start()
    described = False
    for chunk in chunks[journal.done :]:
        records = patiently(partial(asker.answer, chunk), progress)
        cost = _cost(plan.system)
        # Each process says once what it answers with; after its first chunk, so that a halved batch is in it.
        facts = {} if described else {"system": plan.system.describe(asker.described())}
        journal.append(records, **cost, **facts)
        described = True
        asker.answered = asker.answered or _any_answered(records)
        progress.add(records, **cost)
        progress.show()
    answers = {record["key"]: _answer(record) for chunk in journal.chunks() for record in chunk["answers"]}
    rows = (plan.suite.answer_row(entry, answers[entry.key]) for entry in plan.entries)
    write_whole(request.out, _lines(rows))
    progress.show(last=True)
    return progress


def _answer_retrieval(plan: _Plan, request: Request, journal: Journal, stream: TextIO) -> Progress:
    gallery = Gallery(plan.entries)
    progress = _progress(stream, len(gallery.pictures) + len(gallery.texts), journal)
    pictures = plan.asker.pictures
    if pictures is None:
        raise AnswerRefused("picture_needed", "retrieval without pictures has nothing to rank")
    if journal.done < len(gallery.chunks):
        patiently(partial(_load, plan, journal), progress)
        progress.start()
    described = False
    for chunk in gallery.chunks[journal.done :]:
        records = patiently(partial(_embed, gallery, chunk, plan.asker, pictures), progress)
        facts = {} if described else {"system": plan.system.describe(plan.asker.described())}
        journal.append(records, of=chunk[0], **facts)
        described = True
        progress.add(records)
        progress.show()
    vectors: dict[str, dict[str, Any]] = {"pictures": {}, "texts": {}}
    for written in journal.chunks():
        vectors[written["of"]].update({record["key"]: vector_of(record["vector"]) for record in written["answers"]})
    write_whole(request.out, _lines(gallery.rows(plan.entries, vectors)))
    progress.show(last=True)
    return progress


def _progress(stream: TextIO, total: int, journal: Journal) -> Progress:
    progress = Progress(stream, total)
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


def _answer(record: Mapping[str, Any]) -> Answer:
    size = record.get("size")
    return Answer(
        text=record.get("text"),
        sums=tuple(record.get("sums", ())),
        means=record.get("means", "text"),
        error=record.get("error", ""),
        picture_size=(size[0], size[1]) if size else None,
    )


def _embed(gallery: Gallery, chunk: tuple[str, list[str]], asker: Asker, pictures: Pictures) -> list[dict[str, Any]]:
    asker.confirm()
    return gallery.embed(chunk, required(asker.embedder), pictures)


def _load(plan: _Plan, journal: Journal) -> None:
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


# --- Plan -------------------------------------------------------------------------------------------------------------


def _plan(request: Request) -> _Plan:
    """Read and check everything that a request names, so that nothing is sent before all of it is right."""
    suite = SUITES[request.suite]
    setting = suite.setting(request.setting)
    if setting is None:
        known = ", ".join(one.name for one in suite.settings)
        raise AnswerRefused("setting_unknown", f"{suite.name} has no setting {request.setting}; it has {known}")
    side = _side(suite, request)
    system = systems.find(request.system, request.benchmark)
    means = system.means(suite, setting, request.means)
    language = request.language or ("en" if side == "en" else suite.language)
    chosen = {}
    if means != "similarity":
        chosen = prompts.choose(setting, language, request.prompt, with_shots=request.shots > 0)
    context = Context(side, _dialogues(suite, request))
    read = reading.read_gold(suite, setting, request.gold, context)
    entries = reading.chosen(read, limit=request.limit, sample=request.sample, seed=request.seed)
    parts = system.parts(means, suite, entries)
    if chosen:
        prompts.check_values(chosen, entries, request.gold.name)
    pictures = _pictures(request, means)
    if pictures is not None:
        pictures.check(entries, request.gold.name)
    examples, example_pictures = _examples(request, suite, setting, context, read, entries, pictures)
    decodings = {type_: _decoding(setting, type_, request) for type_ in setting.prompts}
    bodies = {type_: version.body for type_, version in chosen.items()}
    asker = Asker(setting, means, bodies, decodings, pictures, examples, example_pictures)
    header = {
        "system": system.facts,
        "suite": suite.name,
        "gold": reading.sha256_of(request.gold),
        "dialogues": reading.sha256_of(request.dialogues) if request.dialogues else None,
        "pictures": sha256_of_all((pictures, example_pictures)),
        "setting": {
            "name": setting.name,
            "means": means,
            "side": side,
            "prompts": {t: [*v.key, v.sha256] for t, v in chosen.items()},
            "decodings": {t: asdict(decoding) for t, decoding in decodings.items()},
            "ranked": [setting.ranked, setting.count_end],
            "picture": [str(request.scale), METHOD] if pictures is not None else None,
            "shots": _shots_facts(request, examples, entries),
            "limit": request.limit,
            "sample": request.sample,
            "seed": request.seed,
            "batch": request.batch,
        },
    }
    return _Plan(suite, setting, entries, asker, system, parts, {"digest": settings_digest(header), **header})


def _side(suite: Suite, request: Request) -> Side:
    """Return which text is asked: as chosen, else English with an English prompt where both are translated."""
    side = request.side or ("en" if request.language == suite.sides[-1] != suite.language else suite.sides[0])
    if side not in suite.sides:
        raise AnswerRefused("side_missing", f"{suite.name} has its questions in {', '.join(suite.sides)} alone")
    return side


def _dialogues(suite: Suite, request: Request) -> Any:
    return read_dialogues(request.dialogues) if suite.needs_dialogues and request.dialogues else None


def _pictures(request: Request, means: Means) -> Pictures | None:
    if not request.picture:
        if means == "similarity":
            raise AnswerRefused("picture_needed", "similarity to a picture needs one")
        return None
    if request.pictures is None:
        raise AnswerRefused("picture_needed", "--pictures names the folder of the pictures; --no-picture sends none")
    if not request.pictures.is_dir():
        raise AnswerRefused("picture_missing", f"there is no folder {request.pictures}")
    return Pictures(request.pictures, request.scale)


def _decoding(setting: Setting, type_: str, request: Request) -> Decoding:
    decoding = replace(setting.decodings.get(type_, Decoding()), seed=request.seed)
    if request.temperature is not None:
        decoding = replace(decoding, temperature=request.temperature)
    return decoding if request.max_tokens is None else replace(decoding, max_tokens=request.max_tokens)


def _examples(
    request: Request,
    suite: Suite,
    setting: Setting,
    context: Context,
    read: Sequence[reading.GoldRow],
    entries: Sequence[Entry],
    pictures: Pictures | None,
) -> tuple[Callable[[Entry], Sequence[shots.Example]], Pictures | None]:
    """Draw the examples; return those of an entry, and where their pictures are."""
    if not request.shots:
        return lambda _: (), None
    if request.shots_from is None:
        raise AnswerRefused("shots_too_few", "--shots-from names the file from which examples are drawn")
    groups = {
        entry.key: shots.group_of(suite, gold.tags)
        for row in read
        for entry, gold in zip(row.entries, row.gold, strict=True)
    }
    pool = reading.read_gold(suite, setting, request.shots_from, context)
    drawn = shots.draw(suite, pool, request.shots, request.seed, (groups[entry.key] for entry in entries))
    every = [example for examples in drawn.values() for example in examples]
    example_pictures = None
    folder = request.shots_pictures or request.pictures
    if pictures is not None and folder is not None:
        example_pictures = Pictures(folder, request.scale)
        example_pictures.check((example.entry for example in every), request.shots_from.name)
    shots.refuse_leaks(every, entries, example_pictures or Pictures(Path()), pictures)
    return lambda entry: drawn[groups[entry.key]], example_pictures


def _shots_facts(
    request: Request, examples: Callable[[Entry], Sequence[shots.Example]], entries: Sequence[Entry]
) -> dict[str, Any] | None:
    if not request.shots or request.shots_from is None:
        return None
    keys = sorted({example.entry.key for entry in entries for example in examples(entry)})
    return {"number": request.shots, "keys": keys, "file": reading.sha256_of(request.shots_from)}
