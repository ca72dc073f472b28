"""What every store can do."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import ClassVar, NamedTuple, TypeVar

from django.http.response import HttpResponseBase

from curation.core.errors import StoreAway

T = TypeVar("T")
PIECE = 1 << 20


class Kept(NamedTuple):
    """A file in a store: its key, its size in bytes, when it came there in nanoseconds since 1970."""

    key: str
    bytes: int
    mtime_ns: int


class Store(ABC):
    """Finished files by key; a key is a relative path of plain characters, and the file under it never changes.

    Every method but :meth:`discard` raises :class:`StoreAway` when the store cannot be asked.
    """

    # How many files are read at the same time where many are wanted.
    readers: ClassVar[int] = 1

    @abstractmethod
    def put(self, key: str, staged: Path, sha256: str) -> bool:
        """Give a staged file its place; it stays staged too, so that it is not lost should a transaction fail.

        Returns:
            Whether this call put it there; False when the same bytes lay there already.

        Raises:
            StoredFileDiffers: Something else lies there. It is left alone.
        """

    @abstractmethod
    def replace(self, key: str, staged: Path, sha256: str) -> None:
        """As :meth:`put`, but the staged file is gone afterwards, and what lies there and differs makes room.

        Only for what a sum that was written down earlier vouches for.
        """

    @abstractmethod
    def read(self, key: str) -> bytes:
        """All of a file.

        Raises:
            FileNotFoundError.
        """

    @abstractmethod
    def pieces(self, key: str) -> Iterator[bytes]:
        """A file piece by piece, for what need not fit into memory.

        Raises:
            FileNotFoundError: With the first piece.
        """

    def fetch(self, key: str, target: Path) -> str:
        """Copy a file to ``target``; return the SHA-256 of what was written.

        Raises:
            FileNotFoundError.
        """
        digest = hashlib.sha256()
        with target.open("wb") as copy:
            for piece in self.pieces(key):
                digest.update(piece)
                copy.write(piece)
        return digest.hexdigest()

    def sha256(self, key: str) -> str:
        """Of the file as it would be read now.

        Raises:
            FileNotFoundError.
        """
        digest = hashlib.sha256()
        for piece in self.pieces(key):
            digest.update(piece)
        return digest.hexdigest()

    @abstractmethod
    def local(self, key: str) -> AbstractContextManager[Path]:
        """A path under which this process can read the file, for as long as the context lasts.

        Raises:
            FileNotFoundError: On entering.
        """

    @abstractmethod
    def size(self, key: str) -> int:
        """In bytes.

        Raises:
            FileNotFoundError.
        """

    def exists(self, key: str) -> bool:
        """Whether there is such a file."""
        try:
            self.size(key)
        except FileNotFoundError:
            return False
        return True

    @abstractmethod
    def remove(self, key: str) -> None:
        """Remove a file, if it is there."""

    def discard(self, keys: Iterable[str]) -> None:
        """Remove what a failed write has put there, as far as the store can be asked; the sweep takes the rest."""
        with suppress(StoreAway):
            for key in keys:
                self.remove(key)

    @abstractmethod
    def below(self, folder: str = "") -> Iterator[Kept]:
        """Every file whose key begins with ``folder/``, or every file."""

    @abstractmethod
    def sent(self, key: str, *, media_type: str, wanted: str = "", name: str = "") -> HttpResponseBase:
        """An answer with a file, for somebody who may have it: that is looked at before.

        Args:
            key: Which.
            media_type: What it is.
            wanted: The request's ``Range``, if any.
            name: Offered as a download under this name; empty: shown.

        Raises:
            FileNotFoundError.
        """

    @abstractmethod
    def look(self) -> None:
        """Ask whether files can be read and written; for whoever watches."""

    def read_many(self, named: Iterable[tuple[T, str]]) -> Iterator[tuple[T, bytes | None]]:
        """Read files in the order given, several at a time where that is quicker; None for what is not there.

        Args:
            named: What the caller knows a file by, and its key.
        """
        if self.readers == 1:
            yield from ((known, self._read_or_none(key)) for known, key in named)
            return
        ahead: deque[tuple[T, Future[bytes | None]]] = deque()
        with ThreadPoolExecutor(self.readers) as threads:
            try:
                for known, key in named:
                    ahead.append((known, threads.submit(self._read_or_none, key)))
                    if len(ahead) >= 2 * self.readers:
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


def sha256_of(path: Path) -> str:
    """Of a file on the disk."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
