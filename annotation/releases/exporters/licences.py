"""The licence of every picture, with where it comes from and whom to name."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final

from annotation.releases.exporters.base import Content, Exporter, Facts

NAME: Final = "licences.csv"
_COLUMNS: Final = ("label", "split", "image", "licence", "source_kind", "source_url", "source_author", "image_sha256")


class Licences:
    """The list."""

    def files(self, facts: Facts) -> Mapping[str, Sequence[str]]:
        """One file for all splits."""
        return {NAME: facts.split_names}

    def write(self, name: str, content: Content, out: BinaryIO) -> None:
        """Write a row for each picture, also where several items lie on it."""
        text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(_COLUMNS)
        before = ""
        for record in content.records(self.files(content.facts)[name]):
            if record["image"] != before:  # records are ordered by split and picture
                facts = record | {f"source_{name}": value for name, value in record["source"].items()}
                rows.writerow(facts[column] for column in _COLUMNS)
            before = record["image"]
        text.detach()  # the file stays open: whoever opened it closes it


EXPORTER: Final[Exporter] = Licences()
