"""Reading and checking everything that a request names, before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from curation.prompts.rules import Body
from evaluation.answering.rules import reading, shots
from evaluation.answering.rules.pictures import METHOD, Pictures, sha256_of_all, unpack
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.answering.services import prompts, systems
from evaluation.answering.services.asking import Asker
from evaluation.backends.asks import Decoding, Detail
from evaluation.profiles.gold_files import embeds_pictures
from evaluation.suites.rules import (
    SUITES,
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
        pictures: The folder in which its pictures are; None if they are inside of it.
        out: The file of predictions; its journal is beside it.
        setting: The suite's setting; empty: the first.
        means: How the system answers.
        language: The language of the prompt.
        prompt: The number of the prompt's version.
        side: Which text of the questions is asked.
        dialogues: The file with the texts of dialogues.
        captions: The list of captions, where ``gold`` is only a list of pictures.
        shots: How many examples come before a question.
        shots_from: The file from which they are drawn.
        shots_pictures: The folder of their pictures; None: inside of the file, or that of the questions.
        picture: Whether pictures are sent.
        scale: The factor of both sides of each picture.
        limit: Only the first so many questions.
        sample: Only so many questions, drawn.
        seed: Of every draw and of decoding.
        temperature, max_tokens, detail: In place of the setting's.
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
    captions: Path | None = None
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
    detail: Detail | None = None
    batch: int = BATCH
    benchmark: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A request after everything that it names was read and checked.

    Attributes:
        withheld: How many entries have no right answer in the gold file.
    """

    suite: Suite
    setting: Setting
    entries: list[Entry]
    withheld: int
    asker: Asker
    system: systems.AnsweringSystem
    parts: frozenset[systems.Part]
    header: dict[str, Any]


def plan_of(request: Request) -> Plan:
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
    if request.captions is not None and setting.prompts:
        raise AnswerRefused("captions_not_for_suite", f"{suite.name} searches no captions; leave out --captions")
    context = Context(side, _dialogues(suite, request), request.captions)
    read = reading.read_gold(suite, setting, request.gold, context)
    entries = reading.chosen(read, limit=request.limit, sample=request.sample, seed=request.seed)
    if not setting.prompts and len({entry.type for entry in entries}) == 1:
        reason = "pictures and captions are searched for each other: leave out --limit and --sample, or name --captions"
        raise AnswerRefused("nothing_to_rank", reason)
    parts = system.parts(means, suite, entries)
    if chosen:
        prompts.check_values(chosen, entries, request.gold.name)
    pictures = _pictures(request, means, entries)
    bodies = {type_: version.body for type_, version in chosen.items()}
    examples, example_pictures = _examples(request, suite, setting, context, read, entries, pictures, bodies)
    decodings = {type_: _decoding(setting, type_, request) for type_ in setting.prompts}
    asker = Asker(setting, means, bodies, decodings, pictures, examples, example_pictures)
    header = {
        "system": system.facts,
        "suite": suite.name,
        "gold": reading.sha256_of(request.gold),
        "dialogues": reading.sha256_of(request.dialogues) if request.dialogues else None,
        "captions": reading.sha256_of(request.captions) if request.captions else None,
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
    withheld = reading.withheld(read)
    count = len(withheld.intersection(entry.key for entry in entries))
    return Plan(suite, setting, entries, count, asker, system, parts, {"digest": settings_digest(header), **header})


def _side(suite: Suite, request: Request) -> Side:
    """Return which text is asked: as chosen, else English with an English prompt where both are translated."""
    side = request.side or ("en" if request.language == suite.sides[-1] != suite.language else suite.sides[0])
    if side not in suite.sides:
        raise AnswerRefused("side_missing", f"{suite.name} has its questions in {', '.join(suite.sides)} alone")
    return side


def _dialogues(suite: Suite, request: Request) -> Any:
    return read_dialogues(request.dialogues) if suite.needs_dialogues and request.dialogues else None


def _pictures(request: Request, means: Means, entries: Sequence[Entry]) -> Pictures | None:
    """Find the pictures of all entries; return None if none is sent."""
    if request.picture:
        return _checked(request.gold, request.pictures, entries, request, option="--pictures")
    if means == "similarity":
        raise AnswerRefused("picture_needed", "similarity to a picture needs one")
    return None


def _checked(file: Path, folder: Path | None, entries: Sequence[Entry], request: Request, *, option: str) -> Pictures:
    """Return the pictures that entries of a file need, from the file itself or from a folder."""
    if embeds_pictures(file):
        if folder is not None:
            raise AnswerRefused("pictures_inside", f"{file.name} has its pictures inside; leave out {option}")
        folder = request.out.with_name(request.out.name + ".pictures")
        unpack(file, entries, folder)
    if folder is None:
        reason = f"{option} names the folder of the pictures of {file.name}; --no-picture sends none"
        raise AnswerRefused("picture_needed", reason)
    if not folder.is_dir():
        raise AnswerRefused("picture_missing", f"there is no folder {folder}")
    pictures = Pictures(folder, request.scale)
    pictures.check(entries, file.name)
    return pictures


def _decoding(setting: Setting, type_: str, request: Request) -> Decoding:
    chosen = {name: getattr(request, name) for name in ("temperature", "max_tokens", "detail")}
    own = setting.decodings.get(type_, Decoding())
    return replace(own, seed=request.seed, **{name: value for name, value in chosen.items() if value is not None})


def _examples(
    request: Request,
    suite: Suite,
    setting: Setting,
    context: Context,
    read: Sequence[reading.GoldRow],
    entries: Sequence[Entry],
    pictures: Pictures | None,
    bodies: Mapping[str, Body],
) -> tuple[Callable[[Entry], Sequence[shots.Example]], Pictures | None]:
    """Draw the examples; return those of an entry, and where their pictures are."""
    if not request.shots:
        return lambda _: (), None
    if request.shots_from is None:
        raise AnswerRefused("shots_too_few", "--shots-from names the file from which examples are drawn")
    groups = {
        entry.key: shots.group_of(suite, entry, gold.tags)
        for row in read
        for entry, gold in zip(row.entries, row.gold, strict=True)
    }
    explained = {type_ for type_, body in bodies.items() if body.shows_explanations}
    pool = reading.read_gold(suite, setting, request.shots_from, context)
    drawn = shots.draw(
        suite, pool, request.shots, request.seed, (groups[entry.key] for entry in entries), explained=explained
    )
    every = [example for examples in drawn.values() for example in examples]
    example_pictures = None
    if pictures is not None:
        folder = request.shots_pictures
        if folder is None and not embeds_pictures(request.shots_from):
            folder = request.pictures
        illustrated = [example.entry for example in every]
        example_pictures = _checked(request.shots_from, folder, illustrated, request, option="--shots-pictures")
    shots.refuse_leaks(every, entries, example_pictures or Pictures(Path()), pictures)
    return lambda entry: drawn[groups[entry.key]], example_pictures


def _shots_facts(
    request: Request, examples: Callable[[Entry], Sequence[shots.Example]], entries: Sequence[Entry]
) -> dict[str, Any] | None:
    if not request.shots or request.shots_from is None:
        return None
    keys = sorted({example.entry.key for entry in entries for example in examples(entry)})
    return {"number": request.shots, "keys": keys, "file": reading.sha256_of(request.shots_from)}
