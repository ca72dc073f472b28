"""Answers of withheld splits in separate files, for those who score submissions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out
from annotation.releases.rules import canonical


class Key:
    """JSON lines: one for each item of a withheld split, in the order of its public records."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file for each split with withheld answers."""
        return [
            File(f"{facts.kind}-{split.name}-key.jsonl", split.rows, is_key=True)
            for split in facts.splits
            if split.withheld
        ]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a split's answers."""
        for done, answers in enumerate(content.keys(file.rows[out.done :]), out.done + 1):
            out.file.write(canonical(answers))
            out.mark(done)


EXPORTER: Final[Exporter] = Key()
