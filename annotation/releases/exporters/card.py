"""The data set's card: ``README.md`` with the front matter that Hugging Face's hub and ``datasets`` read."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import yaml

from annotation.kinds.registry import KINDS
from annotation.kinds.texts import text_groups, texts_at
from annotation.releases.exporters import cvqa_hub
from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out
from annotation.releases.exporters.columns import columns_of
from annotation.releases.exporters.parquet import shards_of
from annotation.releases.rules import PER_PICTURE, drawn_options
from curation.core.text import count_characters

NAME: Final = "README.md"


class Card:
    """The exporter of the card."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file, which reads the texts of all splits."""
        return [File(NAME, facts.rows)]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write the card. An interrupted one restarts, because its counts are not saved."""
        front = yaml.safe_dump(_front(content), allow_unicode=True, sort_keys=True, width=1_000)
        out.file.write(f"---\n{front}---\n\n{chr(10).join(_body(content))}\n".encode())


def _front(content: Content) -> dict[str, Any]:
    facts = content.facts
    configs = [
        {"config_name": name, "data_files": files}
        for name, prefix in (("default", facts.kind), ("cvqa_hub", cvqa_hub.NAME))
        if (files := _data_files(content, prefix))
    ]
    tags = list(facts.languages) or [facts.language]
    # The hub's ``language`` takes ISO 639 codes; the tags with script and country are beside it.
    codes = sorted({tag.split("-")[0] for tag in tags})
    front: dict[str, Any] = {
        "pretty_name": facts.title.get("en", facts.slug),
        "language": codes,
        "tags": ["lantern", facts.kind],
        "size_categories": [_size(sum(s.items for s in facts.splits))],
    }
    if tags != codes:
        front["language_bcp47"] = tags
    if facts.licence == PER_PICTURE:
        front |= {"license": "other", "license_name": PER_PICTURE}
    elif facts.licence:
        front["license"] = facts.licence.lower()
    if configs:
        front["configs"] = configs
    return front


def _data_files(content: Content, prefix: str) -> list[dict[str, str]]:
    """Return the Parquet files of the splits whose names begin with a prefix, as ``datasets`` reads them."""
    return [
        {"split": split.name, "path": f"{prefix}-{split.name}-*.parquet"}
        for split in content.facts.splits
        if split.items and shards_of(prefix, split)[0].name in content.written()
    ]


def _size(items: int) -> str:
    bounds = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]
    return next((name for limit, name in bounds if items < limit), "1M<n<10M")


def _body(content: Content) -> Iterator[str]:
    statistics = _statistics_of(content)
    for section in (_about, _splits, _changes, _licences, _consent, _fields):
        yield from section(content)
    yield from statistics.pictures()
    yield from statistics.items()
    yield from statistics.languages()
    yield from statistics.countries()
    if cvqa_hub.is_written(content):
        yield from cvqa_hub.letters(content.facts, statistics.positions)
    yield from _protocol(content)
    yield from _checking(content)


_LEFT_OUT: Final = {
    "item_todo": "items not started",
    "item_made": "items in work, not yet accepted",
    "item_skipped": "items skipped",
    "item_returned": "items returned",
    "item_excluded": "items excluded",
    "picture_without_item": "accepted pictures without an item",
}


def _about(content: Content) -> Iterator[str]:
    facts = content.facts
    titles = " · ".join(dict.fromkeys(facts.title[tag] for tag in ("zh-Hans", "zh-Hant", "en") if tag in facts.title))
    yield from (f"# {_cell(titles)}: {facts.label}", "")
    yield f"A frozen release of the benchmark `{facts.slug}`, kind of annotation `{facts.kind}`. It holds what had been"
    yield f"accepted up to event {facts.event_id} and was frozen at {facts.frozen_at:%Y-%m-%dT%H:%M:%SZ}."
    if facts.left_out:
        counts = ", ".join(f"{n} {_LEFT_OUT[code]}" for code, n in sorted(facts.left_out.items()))
        yield f"Not included: {counts}."
    if facts.canary:
        yield from ("", "Please keep the evaluation data out of training corpora. Canary:", f"`{facts.canary}`")
    if facts.notes:
        yield from ("", *(_line(line) for line in facts.notes.splitlines()))


def _splits(content: Content) -> Iterator[str]:
    facts = content.facts
    yield from (
        "",
        "## Splits",
        "",
        "| split | share | pictures | items | answers |",
        "| --- | ---: | ---: | ---: | --- |",
    )
    for split in facts.splits:
        share = "" if split.percent is None else f"{split.percent}%"
        answers = "withheld" if split.withheld else "given"
        yield f"| {split.name} | {share} | {split.images} | {split.items} | {answers} |"
    yield f"| all | | {sum(s.images for s in facts.splits)} | {sum(s.items for s in facts.splits)} | |"
    yield from (
        "",
        "Every picture is in one split, and so is everything made about it. Pictures that an earlier release",
    )
    yield "had put into a split stay there unless that was asked for otherwise; of the others, category by category,"
    yield "those come first whose number, in decimal digits behind"
    yield f'"{facts.seed}:", has the smallest sha256; the seed is {facts.seed}.'


def _changes(content: Content) -> Iterator[str]:
    facts = content.facts
    yield from ("", "## Changes", "")
    if not facts.previous:
        yield "The first release of its kind. `changes.jsonl` is empty."
        return
    counts = ", ".join(f"{facts.changes.get(name, 0)} {name}" for name in ("added", "removed", "changed"))
    yield f"Against `{facts.previous}`: {counts}. `changes.jsonl` names each item."


def _licences(content: Content) -> Iterator[str]:
    facts = content.facts
    yield from ("", "## Licences", "")
    licence = "no licence of its own" if facts.licence == PER_PICTURE else _cell(facts.licence)
    yield f"The collection is published under {licence or 'no licence of its own'}. Each picture has its"
    yield from ("own licence, listed in `licences.csv` with its source and author:", "")
    yield from ("| licence | pictures |", "| --- | ---: |")
    for licence, count in facts.licences.items():
        yield f"| {_cell(licence)} | {count} |"


_DONORS: Final = {
    "ask": "For each picture of their own they said whether it may be used for research and commercially.",
    "waive": "For each picture of their own they waived their rights in it.",
}


def _consent(content: Content) -> Iterator[str]:
    consent = content.facts.consent
    yield from ("", "## Consent", "")
    if not consent:
        yield "The protocol asks contributors for no consent of their own."
        return
    yield f"Contributors agreed to version {consent['version']} of the benchmark's text, sha256 `{consent['sha256']}`,"
    yield "before they gave anything. What had been taken back when the release was frozen is not in it."
    if consent["donors"] in _DONORS:
        yield _DONORS[consent["donors"]]


def _fields(content: Content) -> Iterator[str]:
    yield from ("", "## Fields", "", "| field | meaning |", "| --- | --- |")
    for name, column in columns_of(content.facts).items():
        yield f"| {name} | {column.meaning} |"
    if any(name.endswith(".csv") for name in content.written()):
        yield ""
        yield "In `.csv` files, a cell that spreadsheets would take for a formula has an apostrophe before it."


def _protocol(content: Content) -> Iterator[str]:
    facts = content.facts
    yield from ("", "## Protocol and versions", "", "| of | version |", "| --- | --- |")
    yield f"| release | {facts.label} |"
    yield f"| compared with | {facts.previous or 'none'} |"
    yield f"| protocol `{facts.protocol_name}` | {facts.protocol_version}, file's sha256 `{facts.protocol_sha256}` |"
    yield f"| shape of `{facts.kind}` | {KINDS[facts.kind].content_schema} |"


def _checking(content: Content) -> Iterator[str]:
    facts = content.facts
    yield from ("", "## Checking", "")
    if not facts.public_digest:
        yield "`sha256sum --check checksums.txt` compares the files."
        return
    yield "`sha256sum --check checksums.txt` compares the files. The release's digest is the sha256 of all records,"
    yield "answers included, in the order of the splits, each as JSON with sorted keys on a line of its own:"
    yield f"`{facts.public_digest}`."
    lines = [f"{facts.kind}-{split}.jsonl" for split in facts.split_names]
    if content.written().keys() >= set(lines):
        yield from ("", f"`cat {' '.join(lines)} | sha256sum` gives it.")


@dataclass(slots=True)
class _Texts:
    """Counts of the texts of one name: all, distinct, by length."""

    lengths: Counter[int] = field(default_factory=Counter)
    # Eight bytes of each text's digest, because the texts of a release do not fit into memory.
    digests: array[int] = field(default_factory=lambda: array("Q"))

    def add(self, text: str) -> None:
        self.lengths[count_characters(text)] += 1
        self.digests.append(int.from_bytes(blake2b(text.encode(), digest_size=8).digest()))

    def row(self) -> str:
        if not self.lengths:
            return "0 | 0 | | | "
        total = self.lengths.total()
        mean = sum(length * times for length, times in self.lengths.items()) / total
        distinct = len(np.unique(np.frombuffer(self.digests, dtype=np.uint64)))
        return f"{total} | {distinct} | {min(self.lengths)} | {mean:.1f} | {max(self.lengths)}"


@dataclass(slots=True)
class _Statistics:
    """The counts of one pass over all records."""

    by_category: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    sides: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    texts: dict[str, _Texts] = field(default_factory=lambda: defaultdict(_Texts))
    # Items and pictures by language and country, and for each of these by category.
    pairs: dict[tuple[str, ...], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    by_pair: dict[tuple[tuple[str, ...], str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    # Number of options → position of the right one where files print it → questions.
    positions: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def pictures(self) -> Iterator[str]:
        """Yield tables of pictures and items by category, and of the pictures' sizes."""
        yield from ("", "## Pictures", "", "| category | pictures | items |", "| --- | ---: | ---: |")
        for category, counts in sorted(self.by_category.items()):
            yield f"| {category or 'none'} | {counts['pictures']} | {counts['items']} |"
        yield from ("", "| in pixels | smallest | mean | largest |", "| --- | ---: | ---: | ---: |")
        for side, lengths in self.sides.items():
            mean = sum(length * times for length, times in lengths.items()) / lengths.total()
            yield f"| {side} | {min(lengths)} | {mean:.0f} | {max(lengths)} |"

    def items(self) -> Iterator[str]:
        """Yield the table of texts and their lengths."""
        yield from ("", "## Texts", "")
        yield "Lengths are in characters: letters and digits, not punctuation, blanks or emoji. What is withheld is not"
        yield "counted."
        yield from (
            "",
            "| | texts | distinct | shortest | mean | longest |",
            "| --- | ---: | ---: | ---: | ---: | ---: |",
        )
        for name, statistics in self.texts.items():
            yield f"| {name} | {statistics.row()} |"

    def languages(self) -> Iterator[str]:
        """Yield the table of items by language and country, if the records name them."""
        if not self.pairs:
            return
        yield from ("", "## Languages", "", "| language | tag | country | items |", "| --- | --- | --- | ---: |")
        for pair, counts in sorted(self.pairs.items()):
            yield f"| {' | '.join(map(_cell, pair))} | {counts['items']} |"

    def countries(self) -> Iterator[str]:
        """Yield the table of items and pictures by country and category, if the records name countries."""
        pairs = sorted((country, language, tag) for language, tag, country in self.pairs if country)
        if not pairs:
            return
        categories = sorted(self.by_category)
        yield from (
            "",
            "## Countries and categories",
            "",
            "Items, and in brackets the pictures that they are about.",
            "",
        )
        yield f"| country | language | all | {' | '.join(_cell(category) or 'none' for category in categories)} |"
        yield f"| --- | --- |{' ---: |' * (len(categories) + 1)}"
        for country, language, tag in pairs:
            pair = (language, tag, country)
            counts = [self.pairs[pair], *(self.by_pair[pair, category] for category in categories)]
            cells = [f"{of['items']} ({of['pictures']})" if of["items"] else "0" for of in counts]
            yield f"| {' | '.join([_cell(country), _cell(language), *cells])} |"


_PAIR: Final = ("language_name", "language", "country")


def _statistics_of(content: Content) -> _Statistics:
    statistics, groups, before = _Statistics(), text_groups(content.facts.tree), None
    categories: set[str] = set()  # of the picture's items so far
    draws = cvqa_hub.is_written(content)
    for record in content.records(content.facts.rows):
        is_new = record["image"] != before  # records are ordered by split and picture
        if is_new:
            categories.clear()
            for side in ("width", "height"):
                statistics.sides[side][record[side]] += 1
        before = record["image"]
        category = record["category"]
        is_first = category not in categories
        categories.add(category)
        statistics.by_category[category].update(items=1, pictures=int(is_first))
        if "language" in record:
            pair = tuple(record[name] for name in _PAIR)
            statistics.pairs[pair].update(items=1, pictures=int(is_new))
            statistics.by_pair[pair, category].update(items=1, pictures=int(is_first))
        if draws and record["options"]:  # none where they are withheld
            options, right = drawn_options(record, content.facts.option_seed)
            statistics.positions[len(options)][right] += 1
        for group, name in groups.items():
            for text in texts_at(record, group):
                if text:
                    statistics.texts[name].add(text)
    return statistics


# What Markdown (CommonMark, GitHub's and the hub's additions) reads inside a line, and at its start.
_INLINE: Final = str.maketrans(
    {mark: f"\\{mark}" for mark in "\\`*_[]|~$"} | {"&": "&amp;", "<": "&lt;", "\n": " ", "\u2028": " ", "\u2029": " "}
)
_BLOCK: Final = re.compile(r"([0-9]{1,9})?([-+=>#.)])")


def _cell(text: str) -> str:
    """Escape text that people typed, so that it is no markup and does not end a table's cell."""
    return text.translate(_INLINE)


def _line(text: str) -> str:
    """Escape a line that people typed, so that it is no heading, list, rule, quote or block of code either."""
    line = _cell(text.strip())
    match = _BLOCK.match(line)
    at_start = match and bool(match[1]) == (match[2] in ".)")
    return f"{line[: match.start(2)]}\\{line[match.start(2) :]}" if match and at_start else line


EXPORTER: Final[Exporter] = Card()
