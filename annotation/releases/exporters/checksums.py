"""The sha256 of every other file, in the format of ``sha256sum --check``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out

NAME: Final = "checksums.txt"


class Checksums:
    """The list, written last. It includes key files, because a checksum reveals nothing about the content."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file, which reads no records."""
        return [File(NAME)]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write one line per file."""
        for name, written in sorted(content.written().items()):
            out.file.write(f"{written.sha256}  {name}\n".encode())


EXPORTER: Final[Exporter] = Checksums()
