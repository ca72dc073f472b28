"""The interface of every store."""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from itertools import islice
from pathlib import Path
from typing import ClassVar, NamedTuple, TypeVar

from django.http.response import HttpResponseBase

from curation.core.errors import StorageUnavailable

T = TypeVar("T")
CHUNK_BYTES = 1 << 20  # one read; bounds memory
# A single range: browsers request no more for a picture or a resumed download.
_RANGE = re.compile(r"bytes=(\d+)-(\d*)|bytes=-(\d+)", re.ASCII)
UNUSED_AFTER = 24 * 3600  # seconds; longer than any file is stored before its row is committed


class StoredFile(NamedTuple):
    """A file in a store: its key, its size in bytes, its time of storage in nanoseconds since 1970."""

    key: str
    bytes: int
    mtime_ns: int


class Store(ABC):
    """Finished files by key; a key is a relative path of plain characters, and the file under it never changes.

    Every method except :meth:`discard` raises :class:`StorageUnavailable` when the store does not respond.
    """

    # How many files :meth:`read_many` reads at the same time.
    parallel_reads: ClassVar[int] = 1

    @abstractmethod
    def put(self, key: str, staged: Path, sha256: str) -> bool:
        """Store a staged file. The staged copy stays, so that the file is not lost if the transaction fails.

        Returns:
            True if this call stored the file; False if the store already had the same bytes under the key.

        Raises:
            StoredFileDiffers: The store has other bytes under the key. It keeps them.
        """

    @abstractmethod
    def replace(self, key: str, staged: Path, sha256: str) -> None:
        """Store a staged file, overwrite a stored file that differs, and remove the staged copy.

        Only for content whose checksum was recorded earlier.
        """

    @abstractmethod
    def read(self, key: str) -> bytes:
        """Return the whole content of a file.

        Raises:
            FileNotFoundError.
        """

    @abstractmethod
    def chunks(self, key: str) -> Iterator[bytes]:
        """Yield a file in chunks, for files that may not fit into memory.

        Raises:
            FileNotFoundError: On the first chunk.
        """

    @abstractmethod
    def part(self, key: str, first: int, bytes_: int) -> Iterator[bytes]:
        """Yield some consecutive bytes of a file in chunks.

        Raises:
            FileNotFoundError: On the first chunk.
        """

    def fetch(self, key: str, target: Path) -> str:
        """Copy a file to ``target``; return the SHA-256 of what was written.

        Raises:
            FileNotFoundError.
        """
        digest = hashlib.sha256()
        with target.open("wb") as copy:
            for chunk in self.chunks(key):
                digest.update(chunk)
                copy.write(chunk)
        return digest.hexdigest()

    def sha256(self, key: str) -> str:
        """Compute the SHA-256 of the file's present content.

        Raises:
            FileNotFoundError.
        """
        digest = hashlib.sha256()
        for chunk in self.chunks(key):
            digest.update(chunk)
        return digest.hexdigest()

    @abstractmethod
    def local_path(self, key: str) -> AbstractContextManager[Path]:
        """Return a path at which this process can read the file while the context lasts.

        Raises:
            FileNotFoundError: On entering.
        """

    def destroy(self, key: str) -> None:
        """Remove a file and every older version of it that the store keeps; nothing happens if there is none."""
        self.remove(key)

    @abstractmethod
    def size(self, key: str) -> int:
        """Return a file's size in bytes.

        Raises:
            FileNotFoundError.
        """

    def exists(self, key: str) -> bool:
        """Return whether the store has the file."""
        try:
            self.size(key)
        except FileNotFoundError:
            return False
        return True

    @abstractmethod
    def remove(self, key: str) -> None:
        """Remove a file if it exists."""

    def discard(self, keys: Iterable[str]) -> None:
        """Destroy files of a failed write. If the store does not respond, the sweep destroys the rest later.

        Older versions go as well: a file of a covering that failed shows what the next one covers.
        """
        with suppress(StorageUnavailable):
            for key in keys:
                self.destroy(key)

    def remove_unused(self, folder: str, used: Callable[[Sequence[str]], set[str]], before: float) -> int:
        """Destroy files that no row refers to; return how many.

        Args:
            folder: Where the files are.
            used: Returns those of some keys that a row refers to.
            before: Only files stored before this time, in seconds since 1970: a file is stored before its row.
        """
        keys = (file.key for file in self.list_files(folder) if file.mtime_ns < before * 1e9)
        removed = 0
        while block := list(islice(keys, 500)):
            unused = set(block) - used(block)
            for key in unused:
                self.destroy(key)
            removed += len(unused)
        return removed

    @abstractmethod
    def list_files(self, folder: str = "") -> Iterator[StoredFile]:
        """Yield every file whose key begins with ``folder/``; without ``folder``, every file."""

    @abstractmethod
    def response(self, key: str, *, media_type: str, range_header: str = "", name: str = "") -> HttpResponseBase:
        """Build a response with a file. The caller has checked that the client may read it.

        Args:
            key: The file's key.
            media_type: The response's content type.
            range_header: The request's ``Range`` header, or empty.
            name: The file name of a download; empty: the browser displays the file.

        Raises:
            FileNotFoundError.
        """

    @abstractmethod
    def check(self) -> None:
        """Check that files can be read and written; for health checks."""

    def read_many(self, files: Iterable[tuple[T, str]]) -> Iterator[tuple[T, bytes | None]]:
        """Yield each label with its file's content, in order; None for a missing file.

        A store whose reads wait for a network reads several files at a time.

        Args:
            files: The caller's own label of each file, and its key.
        """
        if self.parallel_reads == 1:
            yield from ((label, self._read_or_none(key)) for label, key in files)
            return
        ahead: deque[tuple[T, Future[bytes | None]]] = deque()
        with ThreadPoolExecutor(self.parallel_reads) as threads:
            try:
                for label, key in files:
                    ahead.append((label, threads.submit(self._read_or_none, key)))
                    if len(ahead) >= 2 * self.parallel_reads:
                        first, content = ahead.popleft()
                        yield first, content.result()
                while ahead:
                    first, content = ahead.popleft()
                    yield first, content.result()
            finally:
                threads.shutdown(cancel_futures=True)

    def _read_or_none(self, key: str) -> bytes | None:
        try:
            return self.read(key)
        except FileNotFoundError:
            return None


def is_range(header: str) -> bool:
    """Return whether a ``Range`` header asks for a single range of bytes; any other is ignored (RFC 9110, 14.2)."""
    return _RANGE.fullmatch(header) is not None


def range_of(header: str, size: int) -> range | None:
    """Return which bytes of a file of ``size`` bytes a ``Range`` header asks for.

    Returns:
        The bytes' numbers, empty if the file ends before them; None if the header asks for no single range.
    """
    match = _RANGE.fullmatch(header)
    if match is None:
        return None
    first, last, suffix = match.groups()
    if suffix is not None:
        return range(max(0, size - int(suffix)), size)
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1, size) if last else size)


def sha256_of(path: Path) -> str:
    """Compute the SHA-256 of a file on disk."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
