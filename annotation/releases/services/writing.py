"""What a worker does with a frozen release: write its files; and how people get at them."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from django.conf import settings as site

from annotation.releases import access, queries, rules
from annotation.releases.errors import (
    ReleaseContentDiffers,
    ReleaseFileDiffers,
    ReleaseFileGone,
    ReleasePictureDamaged,
)
from annotation.releases.exporters import registry
from annotation.releases.exporters.base import Exporter, Facts
from annotation.releases.models import Release, ReleaseFile
from curation.core import files, jobs
from curation.people.models import Person

WRITE_FILES: Final = "annotation.write_release_files"
_REPORT_EVERY: Final = 1.0  # seconds between progress reports


def open_file(*, actor: Person, release_id: int, name: str) -> tuple[ReleaseFile, BinaryIO]:
    """Open a written file for download; the caller closes it.

    Raises:
        ReleaseFileGone: Somebody removed it from the store.
        NotFound, OperationNotAllowed.
    """
    file = access.file_for(actor, release_id, name, "release_file")
    try:
        return file, (folder_of(release_id) / file.name).open("rb")
    except FileNotFoundError:
        raise ReleaseFileGone(name=name) from None


def folder_of(release_id: int) -> Path:
    """Where a release's files lie."""
    return Path(site.MEDIA_ROOT) / "releases" / str(release_id)


class _Stored:
    """A frozen release's data as exporters see it, with progress reported to the job while it is read."""

    def __init__(self, facts: Facts, release_id: int, lease: jobs.Lease) -> None:
        self.facts = facts
        self._release_id = release_id
        self._lease = lease
        self._sums: dict[str, str] = {}
        self._reported = 0.0
        self.done = 0
        self.total = 0

    def records(self, splits: Sequence[str]) -> Iterator[dict[str, Any]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, _ in self._read(splits):
            yield record

    def with_pictures(self, splits: Sequence[str]) -> Iterator[tuple[dict[str, Any], bytes]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, key in self._read(splits):
            try:
                picture = (Path(site.MEDIA_ROOT) / key).read_bytes()
            except FileNotFoundError:
                picture = b""
            if hashlib.sha256(picture).hexdigest() != record["image_sha256"]:
                raise ReleasePictureDamaged(label=record["label"])
            yield record, picture

    def written(self) -> Mapping[str, str]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        return dict(self._sums)

    def add_sum(self, name: str, sha256: str) -> None:
        """Note a finished file."""
        self._sums[name] = sha256

    def report(self) -> None:
        """Renew the lease; raises ``LeaseLost`` when another worker took over."""
        self._reported = time.monotonic()
        self._lease.progress(self.done, self.total)

    def _read(self, splits: Sequence[str]) -> Iterator[tuple[dict[str, Any], str]]:
        for record, key in queries.records(self._release_id, splits):
            yield record, key
            self.done += 1
            if time.monotonic() - self._reported > _REPORT_EVERY:
                self.report()


def write_files(lease: jobs.Lease) -> None:
    """Write every file of a frozen release; safe to run twice, since equal content gives equal bytes.

    A file appears whole or not at all: written under another name, flushed to the disk, then renamed. Files that are
    there already are compared with their published sha256 and left alone.

    Raises:
        ReleasePictureDamaged, ReleaseContentDiffers, ReleaseFileDiffers: The store or the database was tampered with.
    """
    release = Release.objects.select_related("benchmark", "protocol").get(pk=lease.args["release_id"])
    facts = queries.facts_of(release)
    content = _Stored(facts, release.pk, lease)
    exporters = registry.chosen(queries.settings_of(release.protocol_id).exporters)
    work = [(exporter, name, splits) for exporter in exporters for name, splits in exporter.files(facts).items()]
    items = {split.name: split.items for split in facts.splits}
    content.total = sum(items.values()) + sum(items[s] for _, _, splits in work for s in splits)
    content.report()
    _check_digest(release, content)
    folder = folder_of(release.pk)
    folder.mkdir(parents=True, exist_ok=True)
    known = dict(ReleaseFile.objects.filter(release=release).values_list("name", "sha256"))
    for exporter, name, splits in work:
        sha256 = _sha256(folder / name)
        if sha256 is not None and sha256 == known.get(name):
            content.done += sum(items[s] for s in splits)
        else:
            sha256 = _write_one(folder, name, exporter, content, known.get(name))
            row = ReleaseFile(release=release, name=name, bytes=(folder / name).stat().st_size, sha256=sha256)
            ReleaseFile.objects.bulk_create([row], ignore_conflicts=True)
        content.add_sum(name, sha256)
        content.report()


def _check_digest(release: Release, content: _Stored) -> None:
    digest = hashlib.sha256()
    for record in content.records(content.facts.split_names):
        digest.update(rules.canonical(record))
    if digest.hexdigest() != release.digest:
        raise ReleaseContentDiffers(now=digest.hexdigest(), frozen=release.digest)


def _write_one(folder: Path, name: str, exporter: Exporter, content: _Stored, published: str | None) -> str:
    """Write a file, put it in its place and return its sha256."""
    part = folder / f".{name}.{secrets.token_hex(4)}.part"  # two workers may be at it when a lease ran out
    try:
        with part.open("wb") as out:
            exporter.write(name, content, out)
            out.flush()
            os.fsync(out.fileno())
        sha256 = _sha256(part)
        if sha256 is None or published not in (None, sha256):
            raise ReleaseFileDiffers(name=name, now=sha256, published=published)
        files.publish(part, folder / name)
    finally:
        part.unlink(missing_ok=True)
    return sha256


def _sha256(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
