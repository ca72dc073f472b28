"""Uploaded ZIP archives: read entry by entry within limits; entry names are never used as paths."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Final

from curation.images.rules.cleaning import InvalidFile
from curation.images.rules.names import check_name, has_archive_extension

MOST_ENTRIES: Final = 1_000  # each becomes an upload
MOST_BYTES: Final = 4_000_000_000  # of all entries, unpacked
MOST_RATIO: Final = 100  # unpacked to packed; pictures hardly compress, zip bombs do
_FREE_RATIO_BELOW: Final = 1_000_000  # bytes; the ratio of smaller files does not matter
_BLOCK: Final = 1 << 18  # bytes per read; bounds memory
_ENCRYPTED: Final = 0x1
_FAULTS: Final = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error)
# Files that operating systems add to archives.
_LITTER: Final = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in an archive.

    Attributes:
        name: The last part of its name, for display; for a refused entry the printable part of the whole name.
        bytes: Unpacked size, as announced.
        refused: Why it is refused, or None.
    """

    name: str
    bytes: int
    refused: InvalidFile | None
    info: zipfile.ZipInfo


@dataclass(frozen=True, slots=True)
class Archive:
    """An open archive with its files, without folders and system files."""

    entries: tuple[Entry, ...]
    _zip: zipfile.ZipFile

    def unpack(self, entry: Entry, into: IO[bytes]) -> None:
        """Write an entry's bytes.

        Raises:
            InvalidFile: It is damaged, or larger than announced.
        """
        written = 0
        try:
            with self._zip.open(entry.info) as packed:
                while block := packed.read(_BLOCK):
                    written += len(block)
                    if written > entry.bytes:
                        raise InvalidFile("archive_entry_bomb", entry=entry.name)
                    into.write(block)
        except _FAULTS as error:
            raise InvalidFile("archive_entry_damaged", entry=entry.name) from error


@contextmanager
def open_archive(file: IO[bytes], *, largest: int) -> Iterator[Archive]:
    """Open an archive and read its list of files.

    Args:
        file: The archive; it must be seekable.
        largest: Most bytes of a picture.

    Raises:
        InvalidFile: It is not an archive, or exceeds a limit as a whole.
    """
    try:
        archive = zipfile.ZipFile(file)
    except _FAULTS as error:
        raise InvalidFile("archive_undecodable") from error
    with archive:
        infos = [i for i in archive.infolist() if not i.is_dir() and not _is_litter(i.filename)]
        if not infos:
            raise InvalidFile("archive_empty")
        if len(infos) > MOST_ENTRIES:
            raise InvalidFile("archive_too_many_files", files=len(infos), maximum=MOST_ENTRIES)
        total = sum(i.file_size for i in infos)
        if total > MOST_BYTES:
            raise InvalidFile("archive_too_large", bytes=total, maximum=MOST_BYTES)
        yield Archive(tuple(_entry(info, largest) for info in infos), archive)


def _is_litter(name: str) -> bool:
    return name.startswith(_LITTER[0]) or PurePosixPath(name).name in _LITTER


def _entry(info: zipfile.ZipInfo, largest: int) -> Entry:
    display_name = _printable(info.filename)
    try:
        _check(info, largest)
        return Entry(check_name(PurePosixPath(info.filename).name), info.file_size, None, info)
    except InvalidFile as refused:
        return Entry(display_name, info.file_size, refused, info)


def _check(info: zipfile.ZipInfo, largest: int) -> None:
    name = info.orig_filename  # including everything after a NUL, which the library cuts off
    display_name = _printable(name)
    if "\0" in name:
        raise InvalidFile("filename_control_character")
    if name.startswith(("/", "\\")) or (len(name) > 1 and name[1] == ":"):
        raise InvalidFile("archive_entry_absolute", entry=display_name)
    if ".." in name.replace("\\", "/").split("/"):
        raise InvalidFile("archive_entry_outside", entry=display_name)
    mode = info.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
        raise InvalidFile("archive_entry_link", entry=display_name)
    if info.flag_bits & _ENCRYPTED:
        raise InvalidFile("archive_entry_encrypted", entry=display_name)
    if has_archive_extension(name):
        raise InvalidFile("archive_entry_nested", entry=display_name)
    if info.file_size > _FREE_RATIO_BELOW and info.file_size > MOST_RATIO * max(1, info.compress_size):
        raise InvalidFile("archive_entry_bomb", entry=display_name)
    if info.file_size > largest:
        raise InvalidFile("image_too_large", bytes=info.file_size, maximum=largest)


def _printable(name: str) -> str:
    """Return the printable end of a name."""
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    return plain[-120:] or "\N{REPLACEMENT CHARACTER}"
