"""Receiving uploads in parts, each acknowledged once it is on the disk (tus 1.0).

``Upload.received`` is the number of acknowledged bytes, never more than are on the disk. Unacknowledged bytes of a
killed process are truncated before the next part is written. A request that begins to send takes the upload over from
an older one, whose connection may be long dead, so that no request waits for a lock; the older one notices at its next
block and stops.
"""

from __future__ import annotations

import base64
import binascii
import fcntl
import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import IO, Final, Protocol
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.benchmarks.queries import image_rules
from curation.core.errors import ClientKeyReused
from curation.core.stores.space import disk_full_as_error, require_space
from curation.images import access, rules
from curation.images.errors import (
    FILE_ERRORS,
    FilenameNotPicture,
    ImageTooLarge,
    UploadChecksumUnknown,
    UploadChecksumWrong,
    UploadClosed,
    UploadGone,
    UploadIncomplete,
    UploadOffsetWrong,
    UploadTakenOver,
    UploadTooLarge,
)
from curation.images.models import Upload
from curation.images.rules.names import has_archive_extension, has_picture_extension
from curation.images.services.enqueuing import resume_unpacking, start_checks
from curation.images.services.limits import lock_limits, require_bytes, require_uploads, used
from curation.images.services.slots import slots
from curation.images.services.storage import remove_upload, upload_data, upload_folder
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.queries import require_categories

TUS_VERSION: Final = "1.0.0"
ALGORITHMS: Final = ("sha1", "sha256")
UPLOAD_LIFETIME: Final = timedelta(hours=72)  # after the last byte or check; then the upload is swept
BLOCK: Final = 1 << 18  # bytes per read; bounds the memory of a request
ACKNOWLEDGE_EVERY: Final = 8_000_000  # bytes of a part without a checksum; a killed process loses no more than these


class Source(Protocol):
    """A source of bytes, such as a connection."""

    def read(self, size: int, /) -> bytes:
        """Read at most ``size`` bytes; none at the end."""


@dataclass(frozen=True, slots=True)
class CreatedUpload:
    """A new upload; ``replayed`` if an earlier try with the same key created it."""

    upload: Upload
    replayed: bool


def max_bytes(name: str, protocol_maximum: int) -> int:
    """Return the most bytes that a file of this name may have."""
    if has_archive_extension(name):
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
) -> CreatedUpload:
    """Create an upload for a file that is about to be sent.

    Args:
        actor: The sender.
        benchmark_slug: The benchmark.
        filename: Its name for display; never used as a path.
        length: Its bytes.
        client_key: Makes a repeat harmless.
        sha256: The whole file's, if the sender knows it.

    Raises:
        NotFound, OperationNotAllowed: The actor may not upload here.
        CategoriesNotFrozen: The board still decides on the categories.
        UploadTooLarge, ImageTooLarge: ``length`` is above the limit.
        TooManyUploads: The actor has too many unfinished uploads.
        PersonStorageLimit, BenchmarkStorageLimit: The file would exceed a limit in bytes.
        ClientKeyReused: The key was used for another file.
        StorageFull: The disk has no room for the file.
        DomainError: The name is invalid (``errors.FILE_ERRORS``).
    """
    benchmark = benchmark_for(actor, benchmark_slug, "upload_create")
    require_categories(benchmark)
    try:
        name = rules.check_name(filename)
    except rules.InvalidFile as invalid:
        raise FILE_ERRORS[invalid.code](**invalid.params) from invalid
    if not has_archive_extension(name) and not has_picture_extension(name):
        raise FilenameNotPicture(filename=name)
    protocol = image_rules(benchmark)
    maximum = max_bytes(name, protocol.bytes.maximum)
    if length > maximum:
        raise (UploadTooLarge if has_archive_extension(name) else ImageTooLarge)(bytes=length, maximum=maximum)
    upload = Upload(
        benchmark=benchmark,
        person=actor,
        kind="zip" if has_archive_extension(name) else "picture",
        filename=name,
        bytes=length,
        disk_bytes=length,
        sha256=sha256,
        checks=[],
        client_key=client_key,
        expires_at=timezone.now() + UPLOAD_LIFETIME,
    )
    try:
        with transaction.atomic():
            earlier = Upload.objects.filter(person=actor, client_key=client_key).first()
            if earlier is not None and earlier.state == Upload.State.DROPPED:
                earlier.delete()
                earlier = None
            if earlier is None:
                lock_limits(actor.pk, benchmark.pk)
                now = used(actor.pk, benchmark.pk)
                require_uploads(now)
                require_bytes(now, length)
                require_space(length)
                upload.save(force_insert=True)
                folder = upload_folder(upload.pk)
                folder.mkdir(parents=True)
                upload_data(upload.pk).touch()
                if length == 0:
                    start_checks(upload)
                return CreatedUpload(upload, replayed=False)
    except IntegrityError:
        earlier = Upload.objects.filter(person=actor, client_key=client_key).first()
        if earlier is None:
            raise
    if (earlier.benchmark_id, earlier.filename, earlier.bytes) != (benchmark.pk, name, length):
        raise ClientKeyReused
    return CreatedUpload(earlier, replayed=True)


def upload_with_offset(person: Person, upload_id: UUID, operation: str = "upload_offset") -> Upload:
    """Return the upload for an operation on it, with ``received`` limited to what is on the disk.

    Raises:
        NotFound, OperationNotAllowed: The person has no such upload, or may not do this.
        UploadGone: It was dropped.
    """
    upload = access.upload_for(person, upload_id, operation)
    if upload.state == Upload.State.DROPPED:
        raise UploadGone
    if upload.state == Upload.State.RECEIVING:
        upload.received = _bytes_on_disk(upload)
    return upload


def append_part(
    *, actor: Person, upload_id: UUID, offset: int, announced: int | None, source: Source, checksum: str = ""
) -> Upload:
    """Append a part to an upload.

    Args:
        actor: The upload's owner.
        upload_id: The upload.
        offset: Where the part begins, according to the sender.
        announced: Its length if the sender states one; otherwise at most the missing bytes are read.
        source: Its bytes.
        checksum: ``sha256 <base64>``; with one, the part is kept as a whole or not at all.

    Raises:
        NotFound, UploadGone, UploadClosed: The upload accepts no bytes.
        UploadOffsetWrong, UploadTakenOver: Another request was faster.
        UploadTooLarge: The part exceeds the upload's length.
        UploadsBusy: The server is receiving as many parts as it can, or as many of the actor's.
        UploadChecksumUnknown, UploadChecksumWrong, UploadIncomplete, StorageFull.
    """
    upload = upload_with_offset(actor, upload_id, "upload_part")
    expected = _parse_checksum(checksum)
    if upload.state != Upload.State.RECEIVING:
        if offset == upload.received and not announced:
            return upload  # the response to the last part was lost
        raise UploadClosed(state=upload.state)
    if offset != upload.received:
        raise UploadOffsetWrong(given=offset, offset=upload.received)
    remaining = upload.bytes - offset
    if announced is not None and announced > remaining:
        raise UploadTooLarge(bytes=offset + announced, maximum=upload.bytes)
    with slots.held_by(actor.pk), disk_full_as_error():
        require_space(announced or None)
        written = _write(upload, offset, remaining if announced is None else announced, source, expected)
    if announced is not None and written < announced:
        raise UploadIncomplete(received=written, announced=announced)
    return upload


def _write(upload: Upload, offset: int, most: int, source: Source, expected: tuple[str, bytes] | None) -> int:
    """Write and acknowledge a part; return how many bytes were written."""
    token = secrets.token_hex(8)
    digest = hashlib.new(expected[0]) if expected else None
    written = acknowledged = 0
    with _locked_file(upload, token, take_over=True) as file:
        file.truncate(offset)
    while written < most and (block := _read(source, min(BLOCK, most - written))):
        require_space(len(block))  # again: other parts and other programs write too
        if digest is not None:
            digest.update(block)
        with _locked_file(upload, token) as file:
            file.seek(offset + written)
            file.write(block)
        written += len(block)
        if expected is None and written - acknowledged >= ACKNOWLEDGE_EVERY:
            _acknowledge(upload, token, offset + acknowledged, written - acknowledged)
            acknowledged = written
    if expected is not None and digest is not None:
        if written < most:
            return written  # cannot be verified, so it is not acknowledged; the next part truncates it
        if digest.digest() != expected[1]:
            raise UploadChecksumWrong(algorithm=expected[0])
    _acknowledge(upload, token, offset + acknowledged, written - acknowledged)
    return written


def _read(source: Source, size: int) -> bytes:
    try:
        return source.read(size)
    except (ConnectionError, TimeoutError):
        return b""


@contextmanager
def _locked_file(upload: Upload, token: str, *, take_over: bool = False) -> Iterator[IO[bytes]]:
    """Open the upload's file and lock it for one block.

    Args:
        upload: The upload.
        token: Identifies the request.
        take_over: Make this request the one that sends; otherwise it must be that already.

    Raises:
        UploadTakenOver: Another request took the upload over.
        UploadGone: The upload was dropped.
    """
    owner = upload_folder(upload.pk) / "owner"
    try:
        with upload_data(upload.pk).open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if take_over:
                owner.write_text(token)
            elif owner.read_text() != token:
                raise UploadTakenOver
            yield file
    except FileNotFoundError as error:
        raise UploadGone from error


def _acknowledge(upload: Upload, token: str, offset: int, written: int) -> None:
    """Flush the written bytes to the disk, then count them as received."""
    if not written:
        return
    with _locked_file(upload, token) as file:
        file.flush()
        os.fsync(file.fileno())
        end = offset + written
        with transaction.atomic():
            unchanged = Upload.objects.filter(pk=upload.pk, state=Upload.State.RECEIVING, received=offset)
            if not unchanged.update(received=end, expires_at=timezone.now() + UPLOAD_LIFETIME):
                raise UploadTakenOver
            upload.received = end
            if end == upload.bytes:
                start_checks(upload)


def _bytes_on_disk(upload: Upload) -> int:
    """Return how many bytes are acknowledged and on the disk."""
    try:
        on_disk = upload_data(upload.pk).stat().st_size
    except FileNotFoundError as error:
        raise UploadGone from error
    if on_disk < upload.received:  # the disk was restored from an older backup
        Upload.objects.filter(pk=upload.pk).update(received=on_disk)
    return min(on_disk, upload.received)


def _parse_checksum(checksum: str) -> tuple[str, bytes] | None:
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
    """Drop an upload and its file; a repeat does nothing.

    Raises:
        NotFound: The person has no such upload.
        UploadClosed: It became a picture.
    """
    with transaction.atomic():
        upload = access.upload_for(actor, upload_id, "upload_drop", lock=True)
        if upload.state == Upload.State.TAKEN:
            raise UploadClosed(state=upload.state)
        upload.state, upload.disk_bytes = Upload.State.DROPPED, 0
        upload.cleaned = None
        upload.save(update_fields=["state", "disk_bytes", "cleaned"])
        resume_unpacking(upload.parent_id)
    remove_upload(upload_id)


def sweep_uploads() -> int:
    """Remove expired uploads with their files; return how many.

    Finalized uploads expire too: their pictures have everything that is needed. Entries stay as long as their archive
    is checked: by their rows its job knows what it has unpacked.
    """
    swept = 0
    old = Upload.objects.filter(expires_at__lt=timezone.now())
    old = old.exclude(state=Upload.State.CHECKING).exclude(parent__state=Upload.State.CHECKING)
    while ids := list(old.filter(entries=None).values_list("pk", flat=True)[:200]):
        for upload_id in ids:
            remove_upload(upload_id)
        swept += Upload.objects.filter(pk__in=ids).delete()[0]
    return swept
