"""What the card counts of a kind's records: pictures, texts, languages, countries."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from annotation.kinds.texts import text_groups, texts_at
from annotation.releases.exporters import cvqa_hub, tcc_csv
from annotation.releases.exporters.base import Content, DrawnOptions
from annotation.releases.exporters.card.markdown import cell
from annotation.releases.exporters.tcc_tables import Tables
from annotation.releases.rules import CANDIDATES, SCORED_ROUND, drawn_options, question_id
from curation.core.text import count_characters


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
class Statistics:
    """The counts of one pass over all records."""

    by_category: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    sides: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    texts: dict[str, _Texts] = field(default_factory=lambda: defaultdict(_Texts))
    # Items and pictures by language and country, and for each of these by category.
    pairs: dict[tuple[str, ...], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    by_pair: dict[tuple[tuple[str, ...], str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    # Number of options → position of the right one where files print it → questions.
    positions: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    # Number of candidate answers → scored questions of dialogues.
    candidates: Counter[int] = field(default_factory=Counter)
    # For a release in TCC-Bench's format: its tables, and by question the columns of cells with an apostrophe.
    tables: Tables | None = None
    with_apostrophes: dict[str, list[str]] = field(default_factory=dict)

    def count_options(self, record: Mapping[str, Any], drawn: DrawnOptions, language: str) -> None:
        """Count a question whose options files print."""
        if drawn.right is not None:  # not withheld
            self.positions[len(drawn.options)][drawn.right] += 1
        if self.tables is not None:
            self.tables.add(record, drawn, language)
            if columns := tcc_csv.with_apostrophes(record, drawn):
                self.with_apostrophes[question_id(record)] = columns

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
            yield f"| {' | '.join(map(cell, pair))} | {counts['items']} |"

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
        yield f"| country | language | all | {' | '.join(cell(category) or 'none' for category in categories)} |"
        yield f"| --- | --- |{' ---: |' * (len(categories) + 1)}"
        for country, language, tag in pairs:
            pair = (language, tag, country)
            counts = [self.pairs[pair], *(self.by_pair[pair, category] for category in categories)]
            cells = [f"{of['items']} ({of['pictures']})" if of["items"] else "0" for of in counts]
            yield f"| {' | '.join([cell(country), cell(language), *cells])} |"


_PAIR: Final = ("language_name", "language", "country")


def statistics_of(content: Content) -> Statistics:
    """Count a kind's public records in one pass."""
    statistics, groups, before = Statistics(), text_groups(content.facts.tree), None
    categories: set[str] = set()  # of the picture's items so far
    if tcc_csv.tables_of(content):
        statistics.tables = Tables()
    for record, drawn in _with_options(content, draws=cvqa_hub.is_written(content) or statistics.tables is not None):
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
        if record.get(SCORED_ROUND):
            statistics.candidates[len(record[CANDIDATES])] += 1
        if drawn is not None:
            statistics.count_options(record, drawn, content.facts.language)
        for group, name in groups.items():
            for text in texts_at(record, group):
                if text:
                    statistics.texts[name].add(text)
    return statistics


def _with_options(content: Content, *, draws: bool) -> Iterator[tuple[dict[str, Any], DrawnOptions | None]]:
    """Yield each public record, if files print options with these; only withheld ones are read for themselves."""
    seed = content.facts.option_seed
    for split in content.facts.splits:
        records = content.records(split.rows)
        if draws and split.withheld:
            yield from zip(records, content.drawn_options(split.rows), strict=True)
        else:
            yield from ((record, DrawnOptions(*drawn_options(record, seed)) if draws else None) for record in records)
