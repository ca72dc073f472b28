"""JSON lines: one file a split, one record a line, keys sorted.

The files of all splits one after another are the bytes that the release's digest names, as long as no answers are
withheld.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out
from annotation.releases.rules import canonical


class JsonLines:
    """The format."""

    def files(self, facts: Facts) -> Sequence[File]:
        """One file a split."""
        return [File(f"{facts.kind}-{split.name}.jsonl", split.rows) for split in facts.splits]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a split's records."""
        for done, record in enumerate(content.records(file.rows[out.done :]), out.done + 1):
            out.file.write(canonical(record))
            out.mark(done)


EXPORTER: Final[Exporter] = JsonLines()
