"""JSON lines: one file per split, one record per line, with sorted keys.

The concatenated files of all splits are the bytes of the release's digest, unless answers are withheld.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out
from annotation.releases.rules import canonical


class JsonLines:
    """The exporter of JSON lines."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file per split."""
        return [File(f"{facts.kind}-{split.name}.jsonl", split.rows) for split in facts.splits]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a split's records."""
        for done, record in enumerate(content.records(file.rows[out.done :]), out.done + 1):
            out.file.write(canonical(record))
            out.mark(done)


EXPORTER: Final[Exporter] = JsonLines()
