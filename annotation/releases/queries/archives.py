"""A release as one download: its public files and its pictures, each once, as a ZIP file that is never stored."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator
from functools import lru_cache
from threading import BoundedSemaphore
from typing import Final

from annotation.releases import access
from annotation.releases.errors import ArchiveBusy, ReleaseFileGone, ReleaseNotWritten
from annotation.releases.exporters import archive
from annotation.releases.models import Release, ReleaseFile, ReleaseImage
from annotation.releases.queries.contents import key_of
from annotation.releases.rules.archives import Archive
from curation.core.stores import store
from curation.images.models import Image
from curation.people.models import Person

# Archives that one process sends at a time. Each holds a thread until its last byte, unless the web server in front
# requests it in slices (docs/deploy/nginx.conf); the other threads stay free for work.
AT_ONCE: Final = 2
WAIT: Final = 2.0  # seconds for a place; a slice occupies one for less
_places: Final = BoundedSemaphore(AT_ONCE)


class ArchiveToSend:
    """A release's archive.

    Attributes:
        release: The release.
        name: Its file name.
        size: Its size in bytes.
        files: How many files it has.
        tag: Identifies its bytes: other content, or a picture that was withdrawn since, changes it.
    """

    def __init__(self, release: Release, index: ReleaseFile) -> None:
        gone = frozenset(
            ReleaseImage.objects.filter(release=release, image__state=Image.State.WITHDRAWN).values_list(
                "image_id", flat=True
            )
        )
        self._archive = _archive(release.pk, release.label, index.sha256, gone)
        self.release = release
        self.name = f"{release.label}.zip"
        self.size, self.files = self._archive.size, self._archive.files
        self.tag = hashlib.sha256(f"{index.sha256} {sorted(gone)}".encode()).hexdigest()

    def parts(self, part: range) -> ArchiveParts:
        """Return the bytes of a range; the caller closes it.

        Raises:
            ArchiveBusy: This process sends as many archives as it may.
        """
        return ArchiveParts(self._archive, part)


class ArchiveParts:
    """The bytes of a range of an archive, in chunks; occupies one of the process's places until it is closed."""

    def __init__(self, whole: Archive, part: range) -> None:
        if not _places.acquire(timeout=WAIT):
            raise ArchiveBusy
        self._is_open = True
        self._chunks = _chunks(whole, part)

    def __iter__(self) -> Iterator[bytes]:
        yield from self._chunks
        self.close()

    def close(self) -> None:
        """Free the place."""
        self._chunks.close()
        if self._is_open:
            self._is_open = False
            _places.release()


def _chunks(whole: Archive, part: range) -> Generator[bytes]:
    for piece in whole.pieces(part):
        if isinstance(piece, bytes):
            yield piece
        else:
            yield from store().part(piece.key, piece.first, piece.bytes)


@lru_cache(maxsize=2)  # a download comes as many ranges; an index of 200,000 pictures is read in 0.3 s
def _archive(release_id: int, label: str, sha256: str, without: frozenset[int]) -> Archive:
    try:
        lines = store().read(key_of(release_id, archive.NAME))
    except FileNotFoundError:
        raise ReleaseFileGone(name=archive.NAME) from None
    return Archive(lines, folder=label, without=without)


def archive_to_send(person: Person, release_id: int) -> ArchiveToSend:
    """The archive of a release.

    Raises:
        ReleaseNotWritten: Its files are not written yet, or were written before releases had archives.
        NotFound, OperationNotAllowed, ReleaseWithdrawn, ReleaseFileGone, StorageUnavailable.
    """
    return archive_of(access.available_release_for(person, release_id, "release_archive"))


def archive_of(release: Release) -> ArchiveToSend:
    """As :func:`archive_to_send`, for a caller that has checked who asks."""
    index = ReleaseFile.objects.filter(release=release, format=archive.FORMAT).first()
    if index is None:
        raise ReleaseNotWritten(missing=[archive.NAME])
    return ArchiveToSend(release, index)
