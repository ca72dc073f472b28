"""CVQA's own format: the columns of its data set on Hugging Face's hub, as Parquet with the pictures inside.

One row per question. ``Options`` are in the order that the release's seed draws, and ``Label`` is the right one's
position, -1 where the answer is withheld; then a key has the labels, in the form of the leaderboard's submissions.
Splits without items have no files, as the published data set has ``test`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from annotation.releases.exporters.base import Content, DrawnOptions, Exporter, Facts, File, Out
from annotation.releases.exporters.cells import line
from annotation.releases.exporters.parquet import IMAGE, embedded, schema, shards_of, typed, write_shard
from annotation.releases.rules import question_id, translated

NAME: Final = "cvqa-hub"

SCHEMA: Final[pa.Schema] = schema(
    {
        "image": IMAGE,
        "ID": typed("string"),
        "Subset": typed("string"),
        "Question": typed("string"),
        "Translated Question": typed("string"),
        "Options": typed(["string"]),
        "Translated Options": typed(["string"]),
        "Label": typed("int64"),
        "Category": typed("string"),
        "Image Type": typed("string"),
        "Image Source": typed("string"),
        "License": typed("string"),
    }
)
# The occasional fields of its records that it reads.
REQUIRED: Final = frozenset({"language_name", "country", "research_only"})
# How the published data set spells the paper's categories; others keep their code.
_CATEGORIES: Final[Mapping[str, str]] = {
    "vehicles": "Vehicles and Transportation",
    "food": "Cooking and food",
    "people": "People and everyday life",
    "sports": "Sports and recreation",
    "plants_animals": "Plants and animal",
    "objects": "Objects / materials / clothing",
    "brands": "Brands / products / companies",
    "geography": "Geography / buildings / landmarks",
    "tradition": "Traditions / art / history",
    "pop_culture": "Public Figure and pop culture",
}
# The published data set has a blank in South Korea, but underscores in these.
_NAMES: Final[Mapping[str, str]] = {"Egyptian Arabic": "Egyptian_Arabic", "Sri Lanka": "Sri_Lanka"}
# A licence of Creative Commons: its name, and its version.
_CREATIVE_COMMONS: Final = re.compile(r"CC-([A-Z-]+)-(\d\.\d)")


class CvqaHub:
    """The exporter of CVQA's format."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return the shards of each split that has items, and a key for each that is withheld; for this kind only."""
        if facts.kind != "multiple_choice":
            return []
        splits = [split for split in facts.splits if split.items]
        # Shards read each record twice: for the picture and for the options.
        shards = [file._replace(passes=2) for split in splits for file in shards_of(NAME, split)]
        keys = [File(f"{NAME}-{s.name}-key.csv", s.rows, passes=2, is_key=True) for s in splits if s.withheld]
        return [*shards, *keys]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a shard or a key."""
        if file.is_key:
            _write_key(file, content, out)
            return
        pictures = content.with_pictures(file.rows)
        drawn = content.drawn_options(file.rows)
        rows = (_row(record, picture, options) for (record, picture), options in zip(pictures, drawn, strict=True))
        write_shard(out, SCHEMA, rows)


def _write_key(file: File, content: Content, out: Out) -> None:
    """Write one line per question; an interrupted key restarts, because it is small."""
    out.file.write(line(["ID", "Label"]))
    records, drawn = content.records(file.rows), content.drawn_options(file.rows, key=True)
    for record, options in zip(records, drawn, strict=True):
        out.file.write(line([question_id(record), options.right]))


def _row(record: Mapping[str, Any], picture: bytes, drawn: DrawnOptions) -> dict[str, Any]:
    return {
        "image": embedded(record, picture),
        "ID": question_id(record),
        "Subset": str((_name(record["language_name"]), _name(record["country"]))),
        "Question": record["question"]["local"],
        "Translated Question": translated(record["question"]),
        "Options": [option["local"] for option in drawn.options],
        "Translated Options": [translated(option) for option in drawn.options],
        "Label": -1 if drawn.right is None else drawn.right,
        "Category": _CATEGORIES.get(record["category"], record["category"]),
        "Image Type": "External" if record["source"]["kind"] == "external" else "Self",
        "Image Source": _source(record),
        "License": _CREATIVE_COMMONS.sub(r"CC \1 \2", record["licence"]),
    }


def _name(name: str) -> str:
    return _NAMES.get(name, name)


def _source(record: Mapping[str, Any]) -> str:
    if record["source"]["kind"] == "external":
        return str(record["source"]["url"])
    return "Self-research_only" if record["research_only"] else "Self-open"


def is_written(content: Content) -> bool:
    """Return whether a release has files in this format."""
    return any(file.name in content.written() for file in EXPORTER.files(content.facts))


EXPORTER: Final[Exporter] = CvqaHub()
