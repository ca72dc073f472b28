"""Every format this version can write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from annotation.releases.exporters import (
    card,
    changes,
    checksums,
    coco_captions,
    croissant,
    cvlue_published,
    jsonl,
    key,
    label_studio,
    licences,
    parquet,
    table,
)
from annotation.releases.exporters.base import Exporter, Facts, File
from curation.core.registry import Registry

# A protocol chooses among these (``release.exporters``); whatever order it names them in, they write in this one.
DATA: Final[Registry[Exporter]] = Registry(
    "export format",
    {
        "jsonl": jsonl.EXPORTER,
        "parquet": parquet.EXPORTER,
        "csv": table.EXPORTER,
        "coco_captions": coco_captions.EXPORTER,
        "label_studio": label_studio.EXPORTER,
        "cvlue_published": cvlue_published.EXPORTER,
        "croissant": croissant.EXPORTER,  # after the files that it describes
    },
)
# These stand beside whatever was chosen; each may name the files of those before it.
ALWAYS: Final[Registry[Exporter]] = Registry(
    "part of every release",
    {
        "key": key.EXPORTER,
        "licences": licences.EXPORTER,
        "changes": changes.EXPORTER,
        "card": card.EXPORTER,
        "checksums": checksums.EXPORTER,
    },
)


class Job(NamedTuple):
    """A file to write, with who writes it and what its format is called."""

    format: str
    exporter: Exporter
    file: File


def chosen(names: Sequence[str]) -> dict[str, Exporter]:
    """The exporters of a release by name, in the order in which they write.

    Raises:
        UnknownEntry: The protocol names a format that does not exist.
    """
    wanted = {name: DATA[name] for name in names}
    return {name: wanted[name] for name in DATA if name in wanted} | dict(ALWAYS)


def work(names: Sequence[str], facts: Facts) -> list[Job]:
    """Every file of a release, in the order in which they are written."""
    return [Job(name, exporter, file) for name, exporter in chosen(names).items() for file in exporter.files(facts)]
