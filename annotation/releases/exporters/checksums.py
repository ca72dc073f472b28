"""The sha256 of every other public file, in the format of ``sha256sum --check``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import File, Out, Whole, WholeContent, WholeExporter

NAME: Final = "checksums.txt"


class Checksums:
    """The list, written last, without key files: with few answers, a checksum shows which of all keys is the right one.

    Only people of the benchmark who read its releases see the checksums of key files, on the release's page.
    """

    def files(self, whole: Whole) -> Sequence[File]:
        """Return one file, which reads no records."""
        return [File(NAME)]

    def write(self, file: File, content: WholeContent, out: Out) -> None:
        """Write one line per file."""
        for name, written in sorted(content.written().items()):
            if not written.is_key:
                out.file.write(f"{written.sha256}  {name}\n".encode())


EXPORTER: Final[WholeExporter] = Checksums()
