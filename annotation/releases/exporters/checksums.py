"""sha256 of every other file, in the form that ``sha256sum --check`` reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out

NAME: Final = "checksums.txt"


class Checksums:
    """The list; written last. Key files stand in it too: a sum tells nothing about what it sums."""

    def files(self, facts: Facts) -> Sequence[File]:
        """One file, which reads no records."""
        return [File(NAME)]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a line a file."""
        for name, written in sorted(content.written().items()):
            out.file.write(f"{written.sha256}  {name}\n".encode())


EXPORTER: Final[Exporter] = Checksums()
