"""The changes since the previous release: one line per item, kind by kind, in the order of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import File, Out, Whole, WholeContent, WholeExporter
from annotation.releases.rules import canonical

NAME: Final = "changes.jsonl"


class Changes:
    """The list of changes; the first release of a kind has an empty one."""

    def files(self, whole: Whole) -> Sequence[File]:
        """Return one file, with a step for each line."""
        return [File(NAME, range(sum(n for facts in whole.kinds for n in facts.changes.values())))]

    def write(self, file: File, content: WholeContent, out: Out) -> None:
        """Write the added, removed and changed items."""
        for done, change in enumerate(content.changes(file.rows[out.done :]), out.done + 1):
            out.file.write(canonical(change))
            out.mark(done)


EXPORTER: Final[WholeExporter] = Changes()
