"""The licence of every picture, with its source and author."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import File, Out, Whole, WholeContent, WholeExporter
from annotation.releases.exporters.cells import line

NAME: Final = "licences.csv"
_COLUMNS: Final = ("label", "split", "image", "licence", "source_kind", "source_url", "source_author", "image_sha256")


class Licences:
    """The exporter of the list."""

    def files(self, whole: Whole) -> Sequence[File]:
        """Return one file for all splits."""
        return [File(NAME, whole.rows)]

    def write(self, file: File, content: WholeContent, out: Out) -> None:
        """Write one row per picture, even if it has several items, of one kind or several."""
        if not out.done:
            out.file.write(line(_COLUMNS))
        for done, record in enumerate(content.first_records(file.rows[out.done :]), out.done + 1):
            if record is not None:
                facts = record | {f"source_{name}": value for name, value in record["source"].items()}
                out.file.write(line(facts[column] for column in _COLUMNS))
            out.mark(done)


EXPORTER: Final[WholeExporter] = Licences()
