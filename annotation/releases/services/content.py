"""A frozen release's content as exporters read it, with progress reported to the job."""

from __future__ import annotations

import hashlib
import time
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from annotation.kinds.published import withhold
from annotation.releases import queries, rules
from annotation.releases.errors import ReleaseContentDiffers, ReleaseFileCovered, ReleasePictureDamaged
from annotation.releases.exporters.base import DrawnOptions, Facts, StoredPicture, Whole, Written
from annotation.releases.models import Release
from curation.core import jobs
from curation.core.errors import DomainError
from curation.core.stores import store

REPORT_INTERVAL: Final = 1.0  # seconds between progress reports


class KindContent:
    """The data of one kind of a frozen release (:class:`annotation.releases.exporters.base.Content`)."""

    def __init__(self, stored: StoredContent, facts: Facts) -> None:
        self.facts = facts
        self._stored = stored
        self._withheld = {split.name for split in facts.splits if split.withheld}

    def records(self, rows: range) -> Iterator[dict[str, Any]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, _ in self._stored.read(rows):
            yield self.public(record)

    def with_pictures(self, rows: range) -> Iterator[tuple[dict[str, Any], bytes]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, picture in store().read_many(self._stored.read(rows)):
            if hashlib.sha256(picture or b"").hexdigest() != record["image_sha256"]:
                raise self._stored.wrong_picture(record["label"])
            yield self.public(record), picture or b""

    def keys(self, rows: range) -> Iterator[dict[str, Any]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, _ in self._stored.read(rows):
            _, answers = withhold(self.facts.tree, record)
            yield {name: record[name] for name in ("item", "revision", "image", "split")} | answers

    def drawn_options(self, rows: range, *, key: bool = False) -> Iterator[DrawnOptions]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, _ in self._stored.read(rows):
            options, right = rules.drawn_options(record, self.facts.option_seed)
            yield DrawnOptions(options, right if key or record["split"] not in self._withheld else None)

    def written(self) -> Mapping[str, Written]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        return self._stored.written()

    def public(self, record: dict[str, Any]) -> dict[str, Any]:
        """A record of the kind without the answers that its split withholds."""
        return rules.public_record(self.facts.tree, record) if record["split"] in self._withheld else record


class StoredContent:
    """The content of a frozen release (:class:`annotation.releases.exporters.base.WholeContent`).

    Attributes:
        done: Steps of the job that are complete.
        total: Steps of the job.
    """

    def __init__(self, release: Release, lease: jobs.Lease) -> None:
        self.whole: Whole = queries.facts_of(release)
        self.kinds = [KindContent(self, facts) for facts in self.whole.kinds]
        self._release = release
        self._lease = lease
        self._written: dict[str, Written] = {}
        self._reported_at = 0.0
        self.done = 0
        self.total = 0

    def first_records(self, rows: range) -> Iterator[dict[str, Any] | None]:
        """See :class:`annotation.releases.exporters.base.WholeContent`."""
        contents = {own.facts.kind: own for own in self.kinds}
        for row in queries.first_records(self._release.pk, rows):
            yield contents[row.kind].public(row.record) if row.is_first else None
            self._step()

    def pictures(self, rows: range) -> Iterator[StoredPicture]:
        """See :class:`annotation.releases.exporters.base.WholeContent`."""
        rows_and_keys = ((row, row.key) for row in queries.pictures(self._release.pk, rows))
        for row, content in store().read_many(rows_and_keys):
            if hashlib.sha256(content or b"").hexdigest() != row.sha256:
                raise self.wrong_picture(row.label)
            yield StoredPicture(row.path, row.key, row.image_id, content or b"")
            self._step()

    def changes(self, rows: range) -> Iterator[dict[str, Any]]:
        """See :class:`annotation.releases.exporters.base.WholeContent`."""
        for change in islice(queries.changes_of(self._release), rows.start, rows.stop):
            record, previous = change["record"], change["previous_record"]
            fields = [name for name in record if record[name] != previous.get(name)] if record and previous else []
            yield {
                "change": change["change"],
                # Releases of one kind have the bytes that they had before there were others.
                **({"kind": change["kind"]} if self.whole.is_mixed else {}),
                "item": change["label"],
                "image": (record or previous or {})["label"],
                "revision": change["revision"],
                "previous_revision": change["previous_revision"],
                "fields": sorted(fields),
                # Releases without corrected errata have the bytes that they had before there were errata.
                **({"errata": change["errata"]} if self._release.corrected else {}),
            }
            self._step()

    def written(self) -> Mapping[str, Written]:
        """See :class:`annotation.releases.exporters.base.WholeContent`."""
        return dict(self._written)

    def stored(self, name: str) -> tuple[str, int]:
        """See :class:`annotation.releases.exporters.base.WholeContent`."""
        key, crc32 = queries.key_of(self._release.pk, name), 0
        for chunk in store().chunks(key):
            crc32 = zlib.crc32(chunk, crc32)
        return key, crc32

    def add(self, name: str, written: Written) -> None:
        """Add a finished file to :meth:`written`."""
        self._written[name] = written

    def verify_records(self) -> int:
        """Compare all records with the release's digest; return their size in bytes. Counts no steps.

        Raises:
            ReleaseContentDiffers: A record was changed in the database, past its triggers.
        """
        digest, size = hashlib.sha256(), 0
        for record, _ in queries.records(self._release.pk, self.whole.rows):
            line = rules.canonical(record)
            digest.update(line)
            size += len(line)
            self._report_at_intervals()
        if digest.hexdigest() != self._release.digest:
            raise ReleaseContentDiffers(now=digest.hexdigest(), frozen=self._release.digest)
        return size

    def wrong_picture(self, label: str) -> DomainError:
        """The error for a picture without its frozen file: it was covered meanwhile, or the store is damaged."""
        if queries.covered_pictures(self._release):
            return ReleaseFileCovered(label=self._release.label)
        return ReleasePictureDamaged(label=label)

    def report(self) -> None:
        """Report progress, which renews the lease.

        Raises:
            LeaseLost: Another worker took over.
        """
        self._reported_at = time.monotonic()
        self._lease.progress(self.done, self.total)

    def read(self, rows: range) -> Iterator[tuple[dict[str, Any], str]]:
        """Yield records by ordinal, each with its picture's key in the store; every one is a step."""
        for record, key in queries.records(self._release.pk, rows):
            yield record, key
            self._step()

    def _step(self) -> None:
        self.done += 1
        self._report_at_intervals()

    def _report_at_intervals(self) -> None:
        if time.monotonic() - self._reported_at > REPORT_INTERVAL:
            self.report()
