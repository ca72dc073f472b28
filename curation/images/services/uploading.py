"""Uploading a whole file in one call, by the same steps as the browser: create, describe, send, check, finalize.

For programs that have the file, such as the demo's data.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import BinaryIO
from uuid import UUID

from curation.core.errors import ClientKeyReused, DomainError
from curation.images.errors import UploadClosed, UploadGone, UploadNotReady, UploadOffsetWrong, UploadTakenOver
from curation.images.models import Image
from curation.images.services.checking import check_upload
from curation.images.services.describing import describe_uploads
from curation.images.services.finalizing import finalize_uploads
from curation.images.services.receiving import append_part, create_upload, drop_upload
from curation.people.models import Person

_DETAILS = (
    *("source", "site", "url", "author", "licence", "category", "axes"),
    *("team", "uses", "waived", "donor_consent"),
)
# A concurrent request with the same file is ahead of this one, so its upload must not be dropped.
CONCURRENT_UPLOAD_ERRORS = (UploadTakenOver, UploadOffsetWrong, UploadClosed, UploadNotReady, UploadGone)


@dataclass(frozen=True, slots=True)
class UploadResult:
    """The picture that a file became; ``replayed`` if an earlier try with the same key created it."""

    image_id: int
    replayed: bool


def upload_image(
    *,
    actor: Person,
    benchmark_slug: str,
    file: BinaryIO,
    client_key: UUID,
    filename: str = "picture",
    **details: object,
) -> UploadResult:
    """Upload a picture and wait until it is finalized.

    Args:
        actor: The contributor.
        benchmark_slug: The benchmark.
        file: The file.
        client_key: Makes a repeat harmless.
        filename: Its name for display.
        details: Details of the picture (``rules.check_details``).

    Raises:
        DomainError: A step failed; nothing of the file is left.
    """
    if unknown := set(details) - set(_DETAILS):
        raise TypeError(f"no details of a picture: {', '.join(sorted(unknown))}")
    data = file.read()
    earlier = Image.objects.filter(contributor=actor, client_key=client_key).first()
    if earlier is not None:
        if (earlier.benchmark.slug, earlier.sha256) != (benchmark_slug, hashlib.sha256(data).hexdigest()):
            raise ClientKeyReused
        return UploadResult(earlier.pk, replayed=True)
    created = create_upload(
        actor=actor,
        benchmark_slug=benchmark_slug,
        filename=filename,
        length=len(data),
        client_key=client_key,
        sha256=hashlib.sha256(data).hexdigest(),
    )
    upload_id = created.upload.pk
    try:
        describe_uploads(actor=actor, benchmark_slug=benchmark_slug, ids=[upload_id], details=details)
        if data and not created.upload.received:
            append_part(actor=actor, upload_id=upload_id, offset=0, announced=len(data), source=_Bytes(data))
        _raise(check_upload(upload_id))
        (result,) = finalize_uploads(actor=actor, benchmark_slug=benchmark_slug, ids=[upload_id])
        _raise(result.error)
    except CONCURRENT_UPLOAD_ERRORS:
        raise
    except Exception:
        drop_upload(actor=actor, upload_id=upload_id)
        raise
    if result.image_id is None:  # impossible without an error; for the type checker
        raise AssertionError
    return UploadResult(result.image_id, replayed=False)


def _raise(error: DomainError | None) -> None:
    if error is not None:
        raise error


class _Bytes:
    """Bytes in memory, read like a connection."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = memoryview(data), 0

    def read(self, size: int, /) -> bytes:
        """Return the next bytes."""
        block = bytes(self.data[self.at : self.at + size])
        self.at += len(block)
        return block
