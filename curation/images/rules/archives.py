"""Uploaded ZIP archives: read entry by entry within limits; entry names are never used as paths."""

from __future__ import annotations

import lzma
import os
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
# Bytes of the list of files, which is read into memory as a whole; one of 1,000 files with long names has 300,000.
MOST_DIRECTORY_BYTES: Final = 4_000_000
_NAME_BYTES: Final = 400  # of a file in that list, where more files are allowed; names are as long as paths
_END, _END_BYTES, _LONGEST_COMMENT = b"PK\x05\x06", 22, 65_535  # APPNOTE 6.3.10, section 4.3.16
_LOCATOR, _LOCATOR_BYTES, _END_64_BYTES = b"PK\x06\x07", 20, 56  # sections 4.3.15 and 4.3.14
_BLOCK: Final = 1 << 18  # bytes per read; bounds memory
_ENCRYPTED: Final = 0x1
_IS_UTF8: Final = 0x800  # bit 11: the name is UTF-8
_FAULTS: Final = (
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError),
    *(zlib.error, lzma.LZMAError),
)
# Files that operating systems add to archives.
_LITTER: Final = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in an archive.

    Attributes:
        name: The last part of its name, for display; for a refused entry the printable part of the whole name.
        path: Its whole name with forward slashes; never opened as a path.
        bytes: Unpacked size, as announced.
        refused: Why it is refused, or None.
    """

    name: str
    path: str
    bytes: int
    refused: InvalidFile | None
    info: zipfile.ZipInfo


@dataclass(frozen=True, slots=True)
class Archive:
    """An open archive with its files, without folders and system files."""

    entries: tuple[Entry, ...]
    _zip: zipfile.ZipFile

    def blocks(self, entry: Entry) -> Iterator[bytes]:
        """Yield an entry's bytes.

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
                    yield block
        except _FAULTS as error:
            raise InvalidFile("archive_entry_damaged", entry=entry.name) from error


@contextmanager
def open_archive(file: IO[bytes], *, largest: int, most_entries: int | None = None) -> Iterator[Archive]:
    """Open an archive and read its list of files.

    Args:
        file: The archive; it must be seekable.
        largest: Most bytes of a picture.
        most_entries: Most files in it, where they do not become uploads.

    Raises:
        InvalidFile: It is not an archive, or exceeds a limit as a whole.
    """
    directory, size = _directory_bytes(file)
    most_bytes = MOST_DIRECTORY_BYTES if most_entries is None else max(MOST_DIRECTORY_BYTES, _NAME_BYTES * most_entries)
    maximum = MOST_ENTRIES if most_entries is None else most_entries
    if directory > most_bytes:
        raise InvalidFile("archive_directory_too_large", bytes=directory, maximum=most_bytes)
    try:
        archive = zipfile.ZipFile(file)
    except _FAULTS as error:
        raise InvalidFile("archive_undecodable") from error
    with archive:
        infos = [i for i in archive.infolist() if not i.is_dir() and not _is_litter(i.filename)]
        if not infos:
            raise InvalidFile("archive_empty")
        if len(infos) > maximum:
            raise InvalidFile("archive_too_many_files", files=len(infos), maximum=maximum)
        entries = tuple(_entry(info, largest) for info in infos)
        total = sum(entry.bytes for entry in entries if entry.refused is None)
        unpacked = min(MOST_BYTES, max(_FREE_RATIO_BELOW, MOST_RATIO * size))
        if total > unpacked:
            raise InvalidFile("archive_too_large", bytes=total, maximum=unpacked)
        yield Archive(entries, archive)


def _directory_bytes(file: IO[bytes]) -> tuple[int, int]:
    """Return the size of the list of files as the archive's end announces it, and the size of the archive.

    Both records that ``zipfile`` believes are read, the larger number counts. Without an end it is 0.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _LONGEST_COMMENT - _END_BYTES - _LOCATOR_BYTES - _END_64_BYTES))
    tail = file.read()
    file.seek(0)
    # Without a comment the end is where it has to be, whatever its own fields look like.
    has_no_comment = tail[-_END_BYTES:].startswith(_END) and tail.endswith(b"\0\0")
    end = len(tail) - _END_BYTES if has_no_comment else tail.rfind(_END)
    if end == -1:
        return 0, size
    announced = int.from_bytes(tail[end + 12 : end + 16], "little")
    locator = end - _LOCATOR_BYTES
    if locator >= _END_64_BYTES and tail.startswith(_LOCATOR, locator):
        record = locator - _END_64_BYTES
        announced = max(announced, int.from_bytes(tail[record + 40 : record + 48], "little"))
    return announced, size


def _is_litter(name: str) -> bool:
    return name.startswith(_LITTER[0]) or PurePosixPath(name).name in _LITTER


def _entry(info: zipfile.ZipInfo, largest: int) -> Entry:
    name = _decoded(info.filename, info)
    display_name, path = _printable(name), name.replace("\\", "/")
    try:
        _check(info, largest)
        return Entry(check_name(PurePosixPath(name).name), path, info.file_size, None, info)
    except InvalidFile as refused:
        return Entry(display_name, path, info.file_size, refused, info)


def _decoded(name: str, info: zipfile.ZipInfo) -> str:
    """Return a name that an archive has without saying its encoding as what wrote it meant.

    The library reads such names as code page 437. Tools of Chinese systems write GB 18030 or its predecessors, others
    UTF-8 without saying so.
    """
    if info.flag_bits & _IS_UTF8 or name.isascii():
        return name
    try:
        written = name.encode("cp437")
    except UnicodeEncodeError:
        return name
    for encoding in ("utf-8", "gb18030"):
        try:
            return written.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name


def _check(info: zipfile.ZipInfo, largest: int) -> None:
    # Including everything after a NUL, which the library cuts off.
    name = _decoded(info.orig_filename, info)
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
