"""The registry of release formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from annotation.releases.exporters import (
    archive,
    card,
    changes,
    checksums,
    coco_boxes,
    coco_captions,
    croissant,
    cvlue_published,
    cvqa_hub,
    jsonl,
    key,
    label_studio,
    licences,
    parquet,
    table,
    tcc_csv,
)
from annotation.releases.exporters.base import EachKind, File, Whole, WholeExporter
from curation.core.registry import Registry

# Protocols choose among these (``release.exporters``); they are written in this order, not in the protocol's. Those of
# each kind write its files for every kind of a release, the others one file for the whole.
DATA: Final[Registry[WholeExporter]] = Registry(
    "export format",
    {
        "jsonl": EachKind(jsonl.EXPORTER),
        "parquet": EachKind(parquet.EXPORTER),
        "csv": EachKind(table.EXPORTER),
        "coco_captions": EachKind(coco_captions.EXPORTER),
        "coco_boxes": EachKind(coco_boxes.EXPORTER),
        "label_studio": EachKind(label_studio.EXPORTER),
        "cvlue_published": EachKind(cvlue_published.EXPORTER),
        "cvqa_hub": EachKind(cvqa_hub.EXPORTER),
        "tcc_csv": EachKind(tcc_csv.EXPORTER),
        "croissant": croissant.EXPORTER,  # after the files that it describes
    },
)
# These are always written; each may name the files of the ones before it.
ALWAYS: Final[Registry[WholeExporter]] = Registry(
    "part of every release",
    {
        "key": EachKind(key.EXPORTER),
        "licences": licences.EXPORTER,
        "changes": changes.EXPORTER,
        "card": card.EXPORTER,
        "checksums": checksums.EXPORTER,
        archive.FORMAT: archive.EXPORTER,
    },
)
# Formats that only some kinds have; every kind has the others.
_KINDS: Final[Mapping[str, frozenset[str]]] = {
    "coco_captions": frozenset({"captions"}),
    "coco_boxes": frozenset({"boxes"}),
    "cvlue_published": frozenset({"captions", "vqa", "grounding", "dialogue"}),
    "cvqa_hub": frozenset({"multiple_choice"}),
    "tcc_csv": frozenset({"multiple_choice"}),
}
# The occasional fields of records that a format needs: by format and kind.
_REQUIRED: Final[Mapping[tuple[str, str], frozenset[str]]] = {("cvqa_hub", "multiple_choice"): cvqa_hub.REQUIRED}


class Job(NamedTuple):
    """A file to write, with its exporter and its format's name."""

    format: str
    exporter: WholeExporter
    file: File


def holds_pictures(name: str) -> bool:
    """Return whether a file of a release has pictures inside."""
    return name.endswith(".parquet")


def selected_exporters(names: Sequence[str]) -> dict[str, WholeExporter]:
    """Return the exporters of a release by name, in the order of writing.

    Raises:
        UnknownEntry: The protocol names an unknown format.
    """
    selected = {name: DATA[name] for name in names}
    return {name: selected[name] for name in DATA if name in selected} | dict(ALWAYS)


def formats_of(names: Sequence[str], kind: str) -> list[str]:
    """Return which of a protocol's formats are written for a kind."""
    return [name for name in names if kind in _KINDS.get(name, (kind,))]


def required_fields(names: Sequence[str], kind: str) -> frozenset[str]:
    """Return the occasional fields that records of a kind have because a format needs them."""
    return frozenset[str]().union(*(_REQUIRED.get((name, kind), frozenset()) for name in names))


def work(names: Sequence[str], whole: Whole) -> list[Job]:
    """Return every file of a release, in the order of writing."""
    return [
        Job(name, exporter, file)
        for name, exporter in selected_exporters(names).items()
        for file in exporter.files(whole)
    ]
