"""The licence of every picture, with its source and author."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out
from annotation.releases.exporters.cells import line

NAME: Final = "licences.csv"
_COLUMNS: Final = ("label", "split", "image", "licence", "source_kind", "source_url", "source_author", "image_sha256")


class Licences:
    """The exporter of the list."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file for all splits."""
        return [File(NAME, facts.rows)]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write one row per picture, even if it has several items."""
        if not out.done:
            out.file.write(line(_COLUMNS))
        before = out.state
        for done, record in enumerate(content.records(file.rows[out.done :]), out.done + 1):
            if record["image"] != before:  # records are ordered by split and picture
                facts = record | {f"source_{name}": value for name, value in record["source"].items()}
                out.file.write(line(facts[column] for column in _COLUMNS))
            before = record["image"]
            out.mark(done, before)


EXPORTER: Final[Exporter] = Licences()
