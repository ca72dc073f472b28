"""Reads of prompts: those that ship, a benchmark's own versions, and renderings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.core.shapes import LocalisedText, PersonBrief, localised_text
from curation.people.access import benchmark_for, brief_for, names_visible
from curation.people.models import Person
from curation.prompts import rules
from curation.prompts.models import Prompt
from curation.prompts.rules import Body
from curation.prompts.shapes import PromptAnswer, PromptItem, PromptMessage, PromptPreview, PromptRow

MOST_OWN = 500  # versions of a benchmark that a list shows, the newest; bounds the answer
FILE = "prompt.yaml"  # how faults name a text that people typed


class Key(NamedTuple):
    """What names a version of a prompt in a benchmark."""

    name: str
    language: str
    no: int


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a prompt, shipped or a benchmark's own.

    ``source`` is None for own ones, the last three for shipped ones.
    """

    key: Key
    reading: str
    source: LocalisedText | None
    body: Body
    sha256: str
    base_no: int | None = None
    author: Person | None = None
    created_at: datetime | None = None


def shipped() -> Mapping[Key, Version]:
    """Return every prompt that ships, by name, language and number."""
    return _shipped(Path(settings.FIXTURES) / "prompts")


@lru_cache(maxsize=2)
def _shipped(folder: Path) -> dict[Key, Version]:
    # Cached for the life of the process: the files come with the program, and reading them takes a tenth of a second.
    return {version.key: version for path in sorted(folder.glob("*.yaml")) for version in _versions(path)}


def _versions(path: Path) -> Iterator[Version]:
    prompt = rules.parse_file(path.read_text(encoding="utf-8"), file=path.name)
    for language in prompt.languages:
        body = prompt.body(language)
        key = Key(prompt.name, language, prompt.no)
        source = localised_text(prompt.source.model_dump(by_alias=True))
        yield Version(key, prompt.reading, source, body, rules.body_sha256(body))


def version_of(benchmark: Benchmark, key: Key) -> Version:
    """Return a version that ships or is the benchmark's own.

    Raises:
        NotFound.
    """
    if (version := shipped().get(key)) is not None:
        return version
    row = Prompt.objects.filter(benchmark=benchmark, **key._asdict()).select_related("author").first()
    if row is None:
        raise NotFound
    return _own(row)


def _own(row: Prompt) -> Version:
    key = Key(row.name, row.language, row.no)
    body = Body.model_validate(row.body)
    return Version(key, row.reading, None, body, row.sha256, row.base_no, row.author, row.created_at)


def prompt_rows(person: Person, benchmark_slug: str) -> list[PromptRow]:
    """List every version of every prompt: those that ship, and the benchmark's own.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "prompt_list")
    own = Prompt.objects.filter(benchmark=benchmark).select_related("author").order_by("-id")[:MOST_OWN]
    versions = [*shipped().values(), *map(_own, own)]
    show_names = _show_names(person, benchmark)
    versions.sort(key=lambda v: (v.key.name, v.key.no, rules.LANGUAGES.index(v.key.language)))
    return [_row(person, version, show_names=show_names) for version in versions]


def prompt_page(person: Person, benchmark_slug: str, name: str, language: str, no: int) -> PromptAnswer:
    """Show one version with its text.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "prompt_show")
    return _answer(person, benchmark, version_of(benchmark, Key(name, language, no)))


def added_prompt(person: Person, new: Prompt) -> PromptAnswer:
    """A version that was just added, as :func:`prompt_page` shows it."""
    if new.benchmark is None:  # only own versions are added by people
        raise AssertionError
    return _answer(person, new.benchmark, _own(new))


def preview_prompt(
    person: Person,
    benchmark_slug: str,
    *,
    name: str,
    language: str,
    no: int,
    text: str | None = None,
    item: int | None = None,
    part: int = 0,
    side: str = "",
) -> PromptPreview:
    """Render a prompt as a model would get it, with the values of an accepted item.

    Args:
        person: The person who asks.
        benchmark_slug: The benchmark.
        name: The prompt's name, as for the next two of the version.
        language: Its language.
        no: Its number.
        text: A changed text of that version; None renders the version as it is.
        item: The item's id; None prints every variable as it is in the template.
        part: Which of the item's questions, counted from 0.
        side: The language of the item's texts, one of ``PromptItem.sides``; empty: the first.

    Raises:
        PromptVariable, FileInvalid: The text has faults.
        PromptItemNotAccepted: The item is not accepted.
        PromptTooLong: With the item's values it is too long to be sent.
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "prompt_preview")
    version = version_of(benchmark, Key(name, language, no))
    body = version.body if text is None else rules.parse_body(text, file=FILE)
    chosen = {"part": part, "side": side, "language": language, "operation": "prompt_preview"}
    shown = item_values(person, benchmark, item, **chosen) if item else None
    values = dict(shown.values) if shown else {}
    missing = [variable for variable in body.variables if variable not in values]
    return {
        "messages": _messages(rules.render(body, rules.placeholders(missing) | values)),
        "sha256": rules.body_sha256(body),
        "missing": list(missing),
        "item": PromptItem(label=shown.label, parts=shown.parts, sides=list(shown.sides)) if shown else None,
    }


def item_values(person: Person, benchmark: Benchmark, item: int, **chosen: Any) -> rules.ItemValues:
    """The values of an accepted item.

    ``chosen`` are its part, side and language, as in :func:`preview_prompt`, and the operation that reads them.

    Raises:
        PromptItemNotAccepted, NotFound, OperationNotAllowed.
    """
    if not rules.ITEM_VALUES:
        raise NotFound
    read = rules.ITEM_VALUES[0]
    return read(person, benchmark.pk, item, **chosen)


def _messages(messages: tuple[rules.Message, ...]) -> list[PromptMessage]:
    return [
        {"role": m.role, "parts": [{"text": part if isinstance(part, str) else None} for part in m.parts]}
        for m in messages
    ]


def _show_names(person: Person, benchmark: Benchmark) -> bool:
    return names_visible(person, benchmark.pk, benchmark.protocol.content if benchmark.protocol else None)


def _answer(person: Person, benchmark: Benchmark, version: Version) -> PromptAnswer:
    row = _row(person, version, show_names=_show_names(person, benchmark))
    worked_on = benchmark.protocol.content["kinds"] if benchmark.protocol else {}
    kinds = [
        kind
        for kind in rules.kinds_for(version.body.variables)
        if kind in worked_on and person.may(benchmark.pk, "prompt_preview", kind)
    ]
    return {**row, "text": rules.text_of(version.body), "kinds": kinds}


def _row(person: Person, version: Version, *, show_names: bool) -> PromptRow:
    by: PersonBrief | None = brief_for(person, version.author, show_names=show_names)
    return {
        "name": version.key.name,
        "no": version.key.no,
        "language": version.key.language,
        "reading": version.reading,
        "source": version.source,
        "variables": list(version.body.variables),
        "sha256": version.sha256,
        "is_own": version.base_no is not None,
        "base_no": version.base_no,
        "by": by,
        "created_at": version.created_at,
    }
