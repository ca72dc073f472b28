"""sha256 of every other file, in the form that ``sha256sum --check`` reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final

from annotation.releases.exporters.base import Content, Exporter, Facts

NAME: Final = "checksums.txt"


class Checksums:
    """The list; written last."""

    def files(self, facts: Facts) -> Mapping[str, Sequence[str]]:
        """One file, which reads no records."""
        return {NAME: ()}

    def write(self, name: str, content: Content, out: BinaryIO) -> None:
        """Write a line a file."""
        out.writelines(f"{sha256}  {file}\n".encode() for file, sha256 in sorted(content.written().items()))


EXPORTER: Final[Exporter] = Checksums()
