"""A store in a folder. A hard link puts a file in place; the web server in front of the application sends it."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

from curation.core.errors import StorageUnavailable, StoredFileDiffers
from curation.core.stores.base import CHUNK_BYTES, Store, StoredFile, range_of, sha256_of
from curation.core.stores.space import disk_full_as_error, require_space
from curation.lib import files


class Folder(Store):
    """Files below one folder, each under its key.

    Args:
        root: The folder; the first stored file creates it.
        accel_prefix: The path to which the web server in front maps the folder; empty: Django sends the files.
    """

    def __init__(self, root: Path, *, accel_prefix: str = "") -> None:
        self.root, self.accel_prefix = root, accel_prefix

    def path(self, key: str) -> Path:
        """Return the path of a file."""
        return self.root / key

    def put(self, key: str, staged: Path, sha256: str) -> bool:
        """See :class:`Store`."""
        final = self.path(key)
        final.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(staged, final)
            os.utime(final)  # sweeps compare the time of storage, not the time of staging
        except FileExistsError:
            if sha256_of(final) != sha256:
                raise StoredFileDiffers(key=key) from None
            return False
        except OSError:  # the file system has no hard links
            if final.exists():
                if sha256_of(final) != sha256:
                    raise StoredFileDiffers(key=key) from None
                return False
            with disk_full_as_error():
                require_space(staged.stat().st_size)
                files.publish(files.stage(self.root, staged.read_bytes()), final)
            return True
        files.flush_folder(final.parent)
        return True

    def replace(self, key: str, staged: Path, sha256: str) -> None:
        """See :class:`Store`."""
        files.publish(staged, self.path(key))
        staged.unlink(missing_ok=True)  # renaming one hard link to another of the same file leaves both

    def read(self, key: str) -> bytes:
        """See :class:`Store`."""
        with self._translated_errors():
            return self.path(key).read_bytes()

    def chunks(self, key: str) -> Iterator[bytes]:
        """See :class:`Store`."""
        with self._translated_errors(), self.path(key).open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    def part(self, key: str, first: int, bytes_: int) -> Iterator[bytes]:
        """See :class:`Store`."""
        with self._translated_errors(), self.path(key).open("rb") as file:
            file.seek(first)
            while chunk := file.read(min(CHUNK_BYTES, bytes_)):
                bytes_ -= len(chunk)
                yield chunk

    @contextmanager
    def local_path(self, key: str) -> Iterator[Path]:
        """See :class:`Store`."""
        self.size(key)
        yield self.path(key)

    def size(self, key: str) -> int:
        """See :class:`Store`."""
        with self._translated_errors():
            return self.path(key).stat().st_size

    def remove(self, key: str) -> None:
        """See :class:`Store`."""
        self.path(key).unlink(missing_ok=True)

    def list_files(self, folder: str = "") -> Iterator[StoredFile]:
        """See :class:`Store`."""
        for path, stat in files.files_below(self.root / folder):
            yield StoredFile(f"{folder}/{path}" if folder else path, stat.st_size, stat.st_mtime_ns)

    def response(self, key: str, *, media_type: str, range_header: str = "", name: str = "") -> HttpResponseBase:
        """See :class:`Store`. The web server in front reads ``Range`` itself."""
        answer: HttpResponseBase
        if self.accel_prefix:
            answer = HttpResponse(content_type=media_type, headers={"X-Accel-Redirect": f"{self.accel_prefix}{key}"})
            if name:
                self.size(key)  # raises FileNotFoundError here instead of in the web server
                answer.headers["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
            return answer
        with self._translated_errors():
            file = self.path(key).open("rb")
        size = os.fstat(file.fileno()).st_size
        part = range_of(range_header, size)
        if part is not None and not part:
            file.close()
            return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
        answer = FileResponse(
            file if part is None else _Part(file, part),
            content_type=media_type,
            as_attachment=bool(name),
            filename=name,
        )
        answer.headers["Accept-Ranges"] = "bytes"
        if part is not None:
            answer.status_code = 206
            answer.headers["Content-Length"] = str(len(part))
            answer.headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
        return answer

    def check(self) -> None:
        """See :class:`Store`."""
        self.root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self.root) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Raise StorageUnavailable instead of FileNotFoundError when the folder itself is missing.

        An unmounted share must not make every file look deleted.
        """
        try:
            yield
        except FileNotFoundError:
            if not self.root.is_dir():
                raise StorageUnavailable from None
            raise
        except OSError as error:
            raise StorageUnavailable from error


class _Part(io.RawIOBase):
    """Reads some bytes of an open file, and closes it."""

    def __init__(self, file: BinaryIO, part: range) -> None:
        self._file, self._left = file, len(part)
        file.seek(part.start)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._file.read(min(len(buffer), self._left))
        buffer[: len(content)] = content
        self._left -= len(content)
        return len(content)

    def close(self) -> None:
        self._file.close()
        super().close()
