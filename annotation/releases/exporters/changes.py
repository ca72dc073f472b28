"""The changes since the previous release: one line per item, in the order of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out
from annotation.releases.rules import canonical

NAME: Final = "changes.jsonl"


class Changes:
    """The list of changes; the first release of a kind has an empty one."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file, with a step for each line."""
        return [File(NAME, range(sum(facts.changes.values())))]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write the added, removed and changed items."""
        for done, change in enumerate(content.changes(file.rows[out.done :]), out.done + 1):
            out.file.write(canonical(change))
            out.mark(done)


EXPORTER: Final[Exporter] = Changes()
