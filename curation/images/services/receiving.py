"""Bytes come in: in parts, each acknowledged once it lies on the disk (tus 1.0).

``Upload.received`` is what was acknowledged, never more than the disk holds. What a killed process leaves behind it is
cut off before the next part is written. A request that begins to send takes the upload over from an older one, whose
connection may be long dead, so that nobody waits for a lock; the older one finds out at its next block and stops.
"""

from __future__ import annotations

import base64
import binascii
import errno
import fcntl
import hashlib
import os
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import IO, Any, Final, Protocol
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.benchmarks.queries import image_rules
from curation.core import jobs
from curation.core.errors import ClientKeyReused
from curation.images import access, rules
from curation.images.errors import (
    UNFIT,
    FilenameNotPicture,
    ImageTooLarge,
    StorageFull,
    TooManyUploads,
    UploadChecksumUnknown,
    UploadChecksumWrong,
    UploadClosed,
    UploadGone,
    UploadIncomplete,
    UploadOffsetWrong,
    UploadsBusy,
    UploadTakenOver,
    UploadTooLarge,
)
from curation.images.models import Upload
from curation.images.rules.names import is_archive, says_picture
from curation.images.services.storage import remove_upload, upload_data, upload_folder
from curation.people.access import benchmark_for
from curation.people.models import Person

TUS_VERSION: Final = "1.0.0"
ALGORITHMS: Final = ("sha1", "sha256")
CHECK_TASK: Final = "curation.check_upload"
KEPT_FOR: Final = timedelta(hours=72)  # from the last byte or check on; then the upload is swept
BLOCK: Final = 1 << 18
ACKNOWLEDGED_EACH: Final = 8_000_000  # bytes of a long part without a checksum; what a killed process costs at most
_OPEN: Final = (Upload.State.RECEIVING, Upload.State.CHECKING, Upload.State.READY)

# Each part that is being received holds a thread; the others are kept for everybody else.
_slots = threading.BoundedSemaphore(settings.UPLOADS_AT_ONCE)


class Source(Protocol):
    """Where bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes; none at the end."""


@dataclass(frozen=True, slots=True)
class Begun:
    """An upload that was created; ``replayed`` when an earlier try with the same key had done so."""

    upload: Upload
    replayed: bool


def largest(name: str, protocol_maximum: int) -> int:
    """Bytes that a file of this name may have."""
    if is_archive(name):
        return int(settings.UPLOAD_ZIP_LIMIT_BYTES)
    return min(protocol_maximum, int(settings.UPLOAD_LIMIT_BYTES))


def create_upload(
    *,
    actor: Person,
    benchmark_slug: str,
    filename: str,
    length: int,
    client_key: UUID,
    sha256: str = "",
    details: Mapping[str, Any] | None = None,
) -> Begun:
    """Make room for a file that is about to be sent.

    Args:
        actor: Who sends it.
        benchmark_slug: Where.
        filename: As it was called; shown, never used as a path.
        length: Its bytes.
        client_key: Makes a repeat harmless.
        sha256: Of the whole file, when the sender knows it.
        details: What is known of the picture already.

    Raises:
        NotFound, OperationNotAllowed: The actor may not upload here.
        UploadTooLarge, ImageTooLarge: More bytes than are taken, by the length alone.
        TooManyUploads: The actor should finish some first.
        ClientKeyReused: The key was used for another file.
        DomainError: The name is refused (``errors.UNFIT``).
    """
    benchmark = benchmark_for(actor, benchmark_slug, "upload_create")
    try:
        name = rules.check_name(filename)
    except rules.Unfit as unfit:
        raise UNFIT[unfit.code](**unfit.params) from unfit
    if not is_archive(name) and not says_picture(name):
        raise FilenameNotPicture(filename=name)
    protocol = image_rules(benchmark)
    maximum = largest(name, protocol.bytes.maximum)
    if length > maximum:
        raise (UploadTooLarge if is_archive(name) else ImageTooLarge)(bytes=length, maximum=maximum)
    upload = Upload(
        benchmark=benchmark,
        person=actor,
        kind="zip" if is_archive(name) else "picture",
        filename=name,
        bytes=length,
        sha256=sha256,
        details=dict(details or {}),
        checks=[],
        client_key=client_key,
        expires_at=timezone.now() + KEPT_FOR,
    )
    waiting = Upload.objects.filter(person=actor, benchmark=benchmark, state__in=_OPEN)
    open_now = waiting[: settings.UPLOADS_OPEN_PER_PERSON].count()
    try:
        with transaction.atomic():
            earlier = Upload.objects.filter(person=actor, client_key=client_key).first()
            if earlier is not None and earlier.state == Upload.State.DROPPED:
                earlier.delete()
                earlier = None
            if earlier is None:
                if open_now >= settings.UPLOADS_OPEN_PER_PERSON:
                    raise TooManyUploads(open=open_now, maximum=settings.UPLOADS_OPEN_PER_PERSON)
                upload.save(force_insert=True)
                folder = upload_folder(upload.pk)
                folder.mkdir(parents=True)
                upload_data(upload.pk).touch()
                if length == 0:
                    _received_all(upload)
                return Begun(upload, replayed=False)
    except IntegrityError:
        earlier = Upload.objects.filter(person=actor, client_key=client_key).first()
        if earlier is None:
            raise
    if (earlier.benchmark_id, earlier.filename, earlier.bytes) != (benchmark.pk, name, length):
        raise ClientKeyReused
    return Begun(earlier, replayed=True)


def offset_of(person: Person, upload_id: UUID) -> Upload:
    """The upload with ``received`` as the disk has it.

    Raises:
        NotFound: There is none of this person.
        UploadGone: It was dropped.
    """
    upload = access.upload_for(person, upload_id, "upload_offset")
    if upload.state == Upload.State.DROPPED:
        raise UploadGone
    if upload.state == Upload.State.RECEIVING:
        upload.received = _held(upload)
    return upload


def append_part(
    *, actor: Person, upload_id: UUID, offset: int, announced: int | None, source: Source, checksum: str = ""
) -> Upload:
    """Write a part behind what is there.

    Args:
        actor: Whose upload it is.
        upload_id: Which.
        offset: Where the part begins, as the sender believes.
        announced: Its length, when the sender names one; without it no more than is missing is read.
        source: Its bytes.
        checksum: ``sha256 <base64>``; with one the part is kept whole or not at all.

    Raises:
        NotFound, UploadGone, UploadClosed: There is nothing to send to.
        UploadOffsetWrong, UploadTakenOver: Another request was quicker.
        UploadTooLarge: More than the upload's length.
        UploadsBusy: No room just now.
        UploadChecksumUnknown, UploadChecksumWrong, UploadIncomplete, StorageFull.
    """
    upload = offset_of(actor, upload_id)
    expected = _digest(checksum)
    if upload.state != Upload.State.RECEIVING:
        if offset == upload.received and not announced:
            return upload  # the last part's answer was lost
        raise UploadClosed(state=upload.state)
    if offset != upload.received:
        raise UploadOffsetWrong(given=offset, offset=upload.received)
    room = upload.bytes - offset
    if announced is not None and announced > room:
        raise UploadTooLarge(bytes=offset + announced, maximum=upload.bytes)
    if not _slots.acquire(blocking=False):
        raise UploadsBusy(seconds=1)
    try:
        written = _write(upload, offset, room if announced is None else announced, source, expected)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StorageFull from error
        raise
    finally:
        _slots.release()
    if announced is not None and written < announced:
        raise UploadIncomplete(received=written, announced=announced)
    return upload


def _write(upload: Upload, offset: int, most: int, source: Source, expected: tuple[str, bytes] | None) -> int:
    """Write and acknowledge; returns how many bytes were."""
    ours = secrets.token_hex(8)
    digest = hashlib.new(expected[0]) if expected else None
    written = acknowledged = 0
    with _ours(upload, ours, begin=True) as file:
        file.truncate(offset)
    while written < most and (block := _read(source, min(BLOCK, most - written))):
        if digest is not None:
            digest.update(block)
        with _ours(upload, ours) as file:
            file.seek(offset + written)
            file.write(block)
        written += len(block)
        if expected is None and written - acknowledged >= ACKNOWLEDGED_EACH:
            _acknowledge(upload, ours, offset + acknowledged, written - acknowledged)
            acknowledged = written
    if expected is not None and digest is not None:
        if written < most:
            return written  # cannot be held against its checksum: not acknowledged, cut off by the next part
        if digest.digest() != expected[1]:
            raise UploadChecksumWrong(algorithm=expected[0])
    _acknowledge(upload, ours, offset + acknowledged, written - acknowledged)
    return written


def _read(source: Source, size: int) -> bytes:
    try:
        return source.read(size)
    except (ConnectionError, TimeoutError):
        return b""


@contextmanager
def _ours(upload: Upload, ours: str, *, begin: bool = False) -> Iterator[IO[bytes]]:
    """The upload's file, locked for one block, as long as nobody took it over.

    Raises:
        UploadTakenOver: Somebody did.
        UploadGone: It was dropped meanwhile.
    """
    owner = upload_folder(upload.pk) / "owner"
    try:
        with upload_data(upload.pk).open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if begin:
                owner.write_text(ours)
            elif owner.read_text() != ours:
                raise UploadTakenOver
            yield file
    except FileNotFoundError as error:
        raise UploadGone from error


def _acknowledge(upload: Upload, ours: str, offset: int, written: int) -> None:
    """Flush what was written to the disk, then say so."""
    if not written:
        return
    with _ours(upload, ours) as file:
        file.flush()
        os.fsync(file.fileno())
        end = offset + written
        with transaction.atomic():
            mine = Upload.objects.filter(pk=upload.pk, state=Upload.State.RECEIVING, received=offset)
            if not mine.update(received=end, expires_at=timezone.now() + KEPT_FOR):
                raise UploadTakenOver
            upload.received = end
            if end == upload.bytes:
                _received_all(upload)


def _received_all(upload: Upload) -> None:
    """All bytes are there: have them checked."""
    upload.state = Upload.State.CHECKING
    upload.checks = [{"code": code, "state": "waiting", "params": {}} for code in checks_of(upload.kind)]
    upload.save(update_fields=["state", "checks"])
    wake_check(upload)


def checks_of(kind: str) -> tuple[str, ...]:
    """What is looked at in a file of a kind."""
    return rules.CHECKS if kind == "picture" else ("type", "entries")


def wake_check(upload: Upload) -> None:
    """Have an upload checked in the background."""
    jobs.enqueue(
        task=CHECK_TASK,
        args={"upload": str(upload.pk)},
        dedupe_key=f"check-upload-{upload.pk}",
        benchmark_id=upload.benchmark_id,
        actor_id=upload.person_id,
    )


def _held(upload: Upload) -> int:
    """What was acknowledged and is on the disk."""
    try:
        on_disk = upload_data(upload.pk).stat().st_size
    except FileNotFoundError as error:
        raise UploadGone from error
    if on_disk < upload.received:  # the disk was put back to an earlier day
        Upload.objects.filter(pk=upload.pk).update(received=on_disk)
    return min(on_disk, upload.received)


def _digest(checksum: str) -> tuple[str, bytes] | None:
    if not checksum:
        return None
    algorithm, _, encoded = checksum.partition(" ")
    try:
        digest = base64.b64decode(encoded, validate=True)
    except (ValueError, binascii.Error):
        digest = b""
    if algorithm not in ALGORITHMS or len(digest) != hashlib.new(algorithm).digest_size:
        raise UploadChecksumUnknown(algorithms=list(ALGORITHMS))
    return algorithm, digest


def drop_upload(*, actor: Person, upload_id: UUID) -> None:
    """Throw an upload away; doing so twice is one thing.

    Raises:
        NotFound: There is none of this person.
        UploadClosed: It became a picture.
    """
    with transaction.atomic():
        upload = access.upload_for(actor, upload_id, "upload_drop", lock=True)
        if upload.state == Upload.State.TAKEN:
            raise UploadClosed(state=upload.state)
        upload.state = Upload.State.DROPPED
        upload.cleaned = None
        upload.save(update_fields=["state", "cleaned"])
    remove_upload(upload_id)


def sweep_uploads() -> int:
    """Remove uploads that nobody came back to in time, with their bytes; return how many.

    Those that were taken go too: the picture carries everything.
    """
    swept = 0
    old = Upload.objects.filter(expires_at__lt=timezone.now()).exclude(state=Upload.State.CHECKING)
    while ids := list(old.filter(entries=None).values_list("pk", flat=True)[:200]):
        for upload_id in ids:
            remove_upload(upload_id)
        swept += Upload.objects.filter(pk__in=ids).delete()[0]
    return swept
