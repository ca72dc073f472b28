"""JSON lines: one file a split, one record a line, keys sorted.

The files of all splits one after another are the bytes that the release's digest names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final

from annotation.releases.exporters.base import Content, Exporter, Facts
from annotation.releases.rules import canonical


class JsonLines:
    """The format."""

    def files(self, facts: Facts) -> Mapping[str, Sequence[str]]:
        """One file a split."""
        return {f"{facts.kind}-{split}.jsonl": (split,) for split in facts.split_names}

    def write(self, name: str, content: Content, out: BinaryIO) -> None:
        """Write a split's records."""
        out.writelines(canonical(record) for record in content.records(self.files(content.facts)[name]))


EXPORTER: Final[Exporter] = JsonLines()
