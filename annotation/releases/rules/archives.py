"""A ZIP file that is never stored: every byte of it follows from a list of stored files, so that any range can be sent.

Files are stored, not compressed: pictures are compressed already, and the size of everything is known before anything
is read. The format is PKWARE's APPNOTE 6.3.10, with ZIP64 only where a number needs it; the date of each file is the
format's first (1980-01-01), because equal content has equal bytes. No Django here.
"""

from __future__ import annotations

import json
import struct
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

_MOST32: Final = 0xFFFFFFFF  # a number from here on is in a ZIP64 field
_MOST16: Final = 0xFFFF
_UTF8: Final = 0x800  # names are UTF-8
_DATE: Final = 0x21
_MODE: Final = 0o100644 << 16  # a regular file that its owner may change


class Entry(NamedTuple):
    """A file of the archive.

    Attributes:
        name: Its path in the archive.
        key: Its key in the store.
        bytes: Its size.
        crc32: Its checksum as the format has it.
        image_id: The picture that it is; 0 for other files.
    """

    name: str
    key: str
    bytes: int
    crc32: int
    image_id: int = 0


class Stretch(NamedTuple):
    """Some consecutive bytes of a stored file."""

    key: str
    first: int
    bytes: int


def line_of(entry: Entry) -> bytes:
    """Encode an entry as a line of the list."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Archive:
    """The bytes of an archive.

    Attributes:
        size: Its size in bytes.
        files: How many files it has.

    Args:
        lines: The list of its files, a line each (:func:`line_of`).
        folder: The folder in the archive that holds them all.
        without: Pictures that are left out.
    """

    def __init__(self, lines: bytes, *, folder: str, without: Collection[int] = ()) -> None:
        self._folder = folder
        self._lines: list[bytes] = []
        self._starts, self._central = array("Q"), array("Q")  # objects would take twenty times the memory
        position = central = 0
        for line in lines.splitlines():
            entry = self._entry(line)
            if entry.image_id and entry.image_id in without:
                continue
            self._lines.append(line)
            self._starts.append(position)
            self._central.append(central)
            central += len(_central_header(entry, position))
            position += len(_local_header(entry)) + entry.bytes
        self.files = len(self._lines)
        self._directory = position
        self._end = _end(self.files, position, central)
        self._end_start = position + central
        self.size = self._end_start + len(self._end)

    def pieces(self, part: range) -> Iterator[bytes | Stretch]:
        """Yield the bytes of a range: headers as they are, contents as stretches of stored files."""
        at = part.start
        index = bisect_right(self._starts, at) - 1
        while at < min(part.stop, self._directory):
            entry, start = self._entry(self._lines[index]), self._starts[index]
            header = _local_header(entry)
            if piece := header[at - start : part.stop - start]:
                yield piece
                at += len(piece)
            first = at - start - len(header)
            if (n := min(entry.bytes - first, part.stop - at)) > 0:
                yield Stretch(entry.key, first, n)
                at += n
            index += 1
        index = bisect_right(self._central, at - self._directory) - 1
        while at < min(part.stop, self._end_start):
            header = _central_header(self._entry(self._lines[index]), self._starts[index])
            start = self._directory + self._central[index]
            piece = header[at - start : part.stop - start]
            yield piece
            at += len(piece)
            index += 1
        if at < part.stop:
            yield self._end[at - self._end_start : part.stop - self._end_start]

    def _entry(self, line: bytes) -> Entry:
        name, *rest = json.loads(line)
        return Entry(f"{self._folder}/{name}", *rest)


def _local_header(entry: Entry) -> bytes:
    name = entry.name.encode()
    large = entry.bytes >= _MOST32
    extra = struct.pack("<HHQQ", 1, 16, entry.bytes, entry.bytes) if large else b""
    size = _MOST32 if large else entry.bytes
    fields = (0x04034B50, 45 if large else 20, _UTF8, 0, 0, _DATE, entry.crc32, size, size, len(name), len(extra))
    return struct.pack("<IHHHHHIIIHH", *fields) + name + extra


def _central_header(entry: Entry, offset: int) -> bytes:
    name = entry.name.encode()
    beyond = [n for n in (entry.bytes, entry.bytes, offset) if n >= _MOST32]
    extra = struct.pack(f"<HH{len(beyond)}Q", 1, 8 * len(beyond), *beyond) if beyond else b""
    size = min(entry.bytes, _MOST32)
    version = 45 if beyond else 20
    fields = (0x02014B50, 3 << 8 | version, version, _UTF8, 0, 0, _DATE, entry.crc32, size, size, len(name), len(extra))
    return struct.pack("<IHHHHHHIIIHHHHHII", *fields, 0, 0, 0, _MODE, min(offset, _MOST32)) + name + extra


def _end(files: int, directory: int, bytes_: int) -> bytes:
    """The end of an archive: where its directory begins and how long it is."""
    short = (min(files, _MOST16), min(files, _MOST16), min(bytes_, _MOST32), min(directory, _MOST32))
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, *short, 0)
    if files < _MOST16 and bytes_ < _MOST32 and directory < _MOST32:
        return end
    long = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 3 << 8 | 45, 45, 0, 0, files, files, bytes_, directory)
    return long + struct.pack("<IIQI", 0x07064B50, 0, directory + bytes_, 1) + end
