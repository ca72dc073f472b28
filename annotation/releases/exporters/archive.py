"""The list of what the release's archive holds: the public files and all pictures, each once.

The archive itself is never stored (``rules.archives``). Files with pictures inside are not in it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters.base import File, Out, Whole, WholeContent, WholeExporter
from annotation.releases.rules.archives import Entry, line_of

NAME: Final = "archive.index"
FORMAT: Final = "archive"  # files of this format are not downloaded


class ArchiveIndex:
    """The list, written last, because it has the checksums of everything else."""

    def files(self, whole: Whole) -> Sequence[File]:
        """Return one file, which reads every picture."""
        return [File(NAME, whole.rows, line=160)]

    def write(self, file: File, content: WholeContent, out: Out) -> None:
        """Write a line for each public file, then one for each picture."""
        if out.done == 0:
            for name, written in content.written().items():
                if not written.is_key and not name.endswith(".parquet"):
                    key, crc32 = content.stored(name)
                    out.file.write(line_of(Entry(name, key, written.bytes, crc32)))
        out.file.seek(0)
        listed = {json.loads(line)[0] for line in out.file}
        for done, picture in enumerate(content.pictures(file.rows[out.done :]), start=out.done + 1):
            if picture.path not in listed:
                listed.add(picture.path)
                size, crc32 = len(picture.content), zlib.crc32(picture.content)
                out.file.write(line_of(Entry(picture.path, picture.key, size, crc32, picture.image_id)))
            out.mark(done)


EXPORTER: Final[WholeExporter] = ArchiveIndex()
