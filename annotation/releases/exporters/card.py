"""The data set's card: ``README.md`` with the front matter that Hugging Face's hub and ``datasets`` read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, BinaryIO, Final

import yaml

from annotation.kinds.registry import KINDS
from annotation.releases.exporters.base import Content, Exporter, Facts
from curation.core.text import count_characters

NAME: Final = "README.md"
# Field → meaning; what a kind's content adds comes after, in the kind's own words.
_FIELDS: Final = {
    "id": "number of the picture in the benchmark",
    "label": "the picture's name there",
    "item": "name of the annotated item",
    "revision": "which version of the item's content this is, counted from 1",
    "image": "the picture; in JSON lines its name, in Parquet its name and its bytes",
    "image_sha256": "sha256 of the picture's bytes",
    "width, height": "pixels of the picture, which is stored upright",
    "category": "the picture's category, empty where it has none",
    "subset": "the part of the collection it belongs to, empty where there are no parts",
    "licence": "the picture's own licence",
    "source": "kind, address and author of the picture",
    "split": "the split; all items of a picture are in the same one",
    "protocol_version": "version of the protocol",
}


class Card:
    """The card."""

    def files(self, facts: Facts) -> Mapping[str, Sequence[str]]:
        """One file, which counts the texts of all splits."""
        return {NAME: facts.split_names}

    def write(self, name: str, content: Content, out: BinaryIO) -> None:
        """Write it."""
        front = yaml.safe_dump(_front(content), allow_unicode=True, sort_keys=True, width=1_000)
        out.write(f"---\n{front}---\n\n{chr(10).join(_body(content))}\n".encode())


def _front(content: Content) -> dict[str, Any]:
    facts = content.facts
    files = [
        {"split": split.name, "path": f"{facts.kind}-{split.name}.parquet"}
        for split in facts.splits
        if split.items and f"{facts.kind}-{split.name}.parquet" in content.written()
    ]
    front: dict[str, Any] = {
        "pretty_name": facts.title.get("en", facts.slug),
        "language": [facts.language],
        "tags": ["lantern", facts.kind],
        "size_categories": [_size(sum(s.items for s in facts.splits))],
    }
    if facts.licence:
        front["license"] = facts.licence.lower()
    if files:
        front["configs"] = [{"config_name": "default", "data_files": files}]
    return front


def _size(items: int) -> str:
    bounds = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]
    return next((name for limit, name in bounds if items < limit), "1M<n<10M")


def _body(content: Content) -> Iterator[str]:
    facts = content.facts
    titles = " · ".join(dict.fromkeys(facts.title[tag] for tag in ("zh-Hans", "zh-Hant", "en") if tag in facts.title))
    yield from (f"# {_cell(titles)}: {facts.label}", "")
    yield f"A frozen release of the benchmark `{facts.slug}`, kind of annotation `{facts.kind}`. It holds what had been"
    yield f"accepted up to event {facts.event_id} and was frozen at {facts.frozen_at:%Y-%m-%dT%H:%M:%SZ}."
    yield from ("", "## Splits", "", "| split | share | pictures | items |", "| --- | ---: | ---: | ---: |")
    for split in facts.splits:
        yield f"| {split.name} | {split.percent} % | {split.images} | {split.items} |"
    yield f"| all | | {sum(s.images for s in facts.splits)} | {sum(s.items for s in facts.splits)} |"
    yield from (
        "",
        "Every picture is in one split. The shares hold for all pictures together by largest remainder, and for",
    )
    yield "each category up to one picture. Inside a category pictures are taken in the order of"
    yield f'sha256("{facts.seed}:" followed by the picture\'s number in decimal digits); the seed is {facts.seed}.'
    yield from ("", "## Licences", "")
    yield f"The collection is published under {_cell(facts.licence) or 'no licence of its own'}. Each picture has its"
    yield from (
        "own licence, listed in `licences.csv` with its source and author:",
        "",
        "| licence | pictures |",
        "| --- | ---: |",
    )
    for licence, count in facts.licences.items():
        yield f"| {_cell(licence)} | {count} |"
    yield from ("", "## Fields", "", "| field | meaning |", "| --- | --- |")
    columns = {name: column.meaning for name, column in KINDS[facts.kind].columns.items()}
    for name, meaning in {**_FIELDS, **columns}.items():
        yield f"| {name} | {meaning} |"
    yield from (
        "",
        "## Texts",
        "",
        "Lengths are in characters: letters and digits, not punctuation, blanks or emoji.",
        "",
    )
    yield "| | texts | distinct | shortest | mean | longest |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, counted in _texts(content).items():
        yield f"| {name} | {counted.row()} |"
    yield from ("", "## Protocol", "")
    yield f"Made under protocol `{facts.protocol_name}`, version {facts.protocol_version}, sha256 of its file"
    yield from (f"`{facts.protocol_sha256}`.", "", "## Checking", "")
    yield "`sha256sum --check checksums.txt` compares the files. The release's digest is the sha256 of all records in"
    yield f"the order of the splits, each as JSON with sorted keys on a line of its own: `{facts.digest}`."
    lines = [f"{facts.kind}-{split}.jsonl" for split in facts.split_names]
    if content.written().keys() >= set(lines):
        yield from ("", f"`cat {' '.join(lines)} | sha256sum` gives it.")


@dataclass(slots=True)
class _Counted:
    """Texts of one name: how many, how many different ones, how long."""

    lengths: Counter[int] = field(default_factory=Counter)
    seen: set[bytes] = field(default_factory=set)  # digests: a release's texts are too many to hold

    def add(self, text: str) -> None:
        self.lengths[count_characters(text)] += 1
        self.seen.add(blake2b(text.encode(), digest_size=8).digest())

    def row(self) -> str:
        if not self.lengths:
            return "0 | 0 | | | "
        total = self.lengths.total()
        mean = sum(length * times for length, times in self.lengths.items()) / total
        return f"{total} | {len(self.seen)} | {min(self.lengths)} | {mean:.1f} | {max(self.lengths)}"


def _texts(content: Content) -> dict[str, _Counted]:
    counted: dict[str, _Counted] = defaultdict(_Counted)
    kind = KINDS[content.facts.kind]
    for record in content.records(content.facts.split_names):
        for name, texts in kind.texts(record).items():
            for text in texts:
                counted[name].add(text)
    return counted


def _cell(text: str) -> str:
    """Text that people typed, so that it cannot end a table's cell or begin a tag."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


EXPORTER: Final[Exporter] = Card()
