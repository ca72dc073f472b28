"""A folder as the store: files are put in place by a second name and sent by the web server in front."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase

from curation.core.errors import StoreAway, StoredFileDiffers
from curation.core.stores.base import PIECE, Kept, Store, sha256_of
from curation.lib import files


class Folder(Store):
    """Files below one folder, each under its key.

    Args:
        root: The folder; made by the first file.
        accel_prefix: Where a web server in front maps it; empty: the files are sent from here.
    """

    def __init__(self, root: Path, *, accel_prefix: str = "") -> None:
        self.root, self.accel_prefix = root, accel_prefix

    def path(self, key: str) -> Path:
        """Where a file lies."""
        return self.root / key

    def put(self, key: str, staged: Path, sha256: str) -> bool:
        """See :class:`Store`."""
        final = self.path(key)
        final.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(staged, final)
            os.utime(final)  # it came here now; sweeps go by that
        except FileExistsError:
            if sha256_of(final) != sha256:
                raise StoredFileDiffers(key=key) from None
            return False
        except OSError:  # a file system without second names
            if final.exists():
                if sha256_of(final) != sha256:
                    raise StoredFileDiffers(key=key) from None
                return False
            files.publish(files.stage(self.root, staged.read_bytes()), final)
            return True
        files.flush_folder(final.parent)
        return True

    def replace(self, key: str, staged: Path, sha256: str) -> None:
        """See :class:`Store`."""
        files.publish(staged, self.path(key))
        staged.unlink(missing_ok=True)  # still there when both were names of one file

    def read(self, key: str) -> bytes:
        """See :class:`Store`."""
        with self._there():
            return self.path(key).read_bytes()

    def pieces(self, key: str) -> Iterator[bytes]:
        """See :class:`Store`."""
        with self._there(), self.path(key).open("rb") as file:
            while piece := file.read(PIECE):
                yield piece

    @contextmanager
    def local(self, key: str) -> Iterator[Path]:
        """See :class:`Store`."""
        self.size(key)
        yield self.path(key)

    def size(self, key: str) -> int:
        """See :class:`Store`."""
        with self._there():
            return self.path(key).stat().st_size

    def remove(self, key: str) -> None:
        """See :class:`Store`."""
        self.path(key).unlink(missing_ok=True)

    def below(self, folder: str = "") -> Iterator[Kept]:
        """See :class:`Store`."""
        for path, stat in files.files_below(self.root / folder):
            yield Kept(f"{folder}/{path}" if folder else path, stat.st_size, stat.st_mtime_ns)

    def sent(self, key: str, *, media_type: str, wanted: str = "", name: str = "") -> HttpResponseBase:
        """See :class:`Store`. Downloads are read here, so that one whose file is gone is told so."""
        if self.accel_prefix and not name:
            return HttpResponse(content_type=media_type, headers={"X-Accel-Redirect": f"{self.accel_prefix}{key}"})
        with self._there():
            file = self.path(key).open("rb")
        return FileResponse(file, content_type=media_type, as_attachment=bool(name), filename=name)

    def look(self) -> None:
        """See :class:`Store`."""
        self.root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self.root) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())

    @contextmanager
    def _there(self) -> Iterator[None]:
        """Tell a file that is gone from a folder that is: a share that is not mounted says nothing of any file."""
        try:
            yield
        except FileNotFoundError:
            if not self.root.is_dir():
                raise StoreAway from None
            raise
        except OSError as error:
            raise StoreAway from error
