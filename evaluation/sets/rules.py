"""What item sets may be made of, and in which order their entries are asked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from curation.benchmarks.rules import Between
from curation.lib.canonical import canonical_json
from evaluation.suites.rules import SUITES, Entry, Side, Suite

#: Characters of a set's name, and of ids and names of pictures in its files.
NAME: Final = 120
LONGEST: Final = 200
#: Pictures of a set; the list of files in a ZIP is in memory.
MOST_PICTURES: Final = 50_000
#: Entries of a set.
MOST_ENTRIES: Final = 200_000
#: Entries that a worker answers between two writes, unless one picture has more.
CHUNK: Final = 16
#: The side of the texts that retrieval embeds.
CAPTIONS: Final[Side] = "content"
#: Why files are refused.
FAULTS: Final = (
    "wrong_row",
    "wrong_file",
    "too_many_entries",
    "nothing_to_ask",
    "picture_missing",
    "picture_unclear",
    "pictures_needed",
    "dialogues_needed",
    "picture_refused",
    "archive_refused",
)


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """Limits of pictures that come from elsewhere: what decoders can bear, not what a protocol collects."""

    bytes: Between
    formats: tuple[str, ...] = ("JPEG", "PNG", "WebP", "HEIC")
    side: Between = field(default_factory=lambda: Between(minimum=1, maximum=16_000))
    pixels_maximum: int = 80_000_000
    aspect_maximum_percent: int = 100_000


class SetRefused(Exception):
    """The files make no set; the attributes are those of ``ItemSet.fault``."""

    def __init__(
        self,
        code: str,
        *,
        file: str = "",
        line: int = 0,
        field: str = "",
        expected: str = "",
        params: Mapping[str, Any] | None = None,
    ) -> None:
        self.fault: dict[str, Any] = {"code": code, "file": file, "line": line, "field": field, "expected": expected}
        self.fault["params"] = dict(params or {})
        super().__init__(code)


def suites_of_files() -> dict[str, Suite]:
    """The suites whose files make sets: those that ask questions by a prompt."""
    return {suite.name: suite for suite in SUITES.values() if all(setting.prompts for setting in suite.settings)}


class Question(NamedTuple):
    """An entry before it has a number: what is asked by side, and its right answer."""

    key: str
    line: int
    cluster: str
    tags: Mapping[str, str]
    gold: Any
    texts: Mapping[Side, Mapping[str, Any]]

    @property
    def picture(self) -> str:
        """Its picture's name in the gold file; the same in every language."""
        return str(next(iter(self.texts.values()))["picture"])

    @property
    def length(self) -> int:
        """Characters of its texts, in the longest language."""
        return max(
            len("".join(map(str, text["values"].values()))) + sum(map(len, text["options"]))
            for text in self.texts.values()
        )


def stored(entry: Entry, explanation: str = "") -> dict[str, Any]:
    """Write what a suite asks as it is stored, with the reason of the right answer, which only examples show."""
    return {
        **({"explanation": explanation} if explanation else {}),
        "picture": entry.picture,
        "type": entry.type,
        "values": dict(entry.values),
        "options": list(entry.options),
        "names": list(entry.names),
    }


def entry_of(key: str, line: int, texts: Mapping[str, Any]) -> Entry:
    """Read what :func:`stored` wrote."""
    return Entry(
        key=key,
        line=line,
        picture=texts["picture"],
        values=texts["values"],
        type=texts["type"],
        options=tuple(texts["options"]),
        names=tuple(texts["names"]),
    )


def caption_of(texts: Mapping[str, Any]) -> str:
    """Return the caption that an entry of retrieval embeds."""
    caption: str = texts[CAPTIONS]["values"]["text"]
    return caption


def digest_of(gold_sha256: str, numbered: Iterable[tuple[str, Any, str]]) -> str:
    """Compute the SHA-256 of a set from its gold file's, and from key, texts and picture file of each entry."""
    digest = hashlib.sha256(gold_sha256.encode())
    for row in numbered:
        digest.update(canonical_json(row))
    return digest.hexdigest()


def in_chunks(
    entries: Sequence[tuple[int, int | None]], size: int = CHUNK, *, pictures: int | None = None
) -> list[list[int]]:
    """Cut numbered entries into chunks that never split a picture.

    Args:
        entries: Number and picture of each entry, in the order of numbers.
        size: How many entries a chunk has at most, unless one picture has more.
        pictures: How many pictures a chunk has at most, instead of a limit of entries.
    """
    chunks: list[list[int]] = []
    group: list[int] = []
    most, taken = size if pictures is None else pictures, 0
    for at, (no, picture) in enumerate(entries):
        group.append(no)
        if picture is not None and at + 1 < len(entries) and entries[at + 1][1] == picture:
            continue
        takes = len(group) if pictures is None else 1
        if chunks and taken + takes <= most:
            chunks[-1] += group
            taken += takes
        else:
            chunks.append(group)
            taken = takes
        group = []
    return chunks
