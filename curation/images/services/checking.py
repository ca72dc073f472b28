"""Checking uploads in the background; the result of each check is stored as soon as it is known.

Renditions of a valid picture are staged beside it; the entries of a ZIP archive become uploads of their own.

A check can be repeated: it only reads the uploaded file, which is kept until the last check.
"""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from curation.benchmarks.queries import image_rules
from curation.benchmarks.rules import Images
from curation.core import jobs
from curation.core.errors import DomainError
from curation.core.models import Job
from curation.core.stores.space import disk_full_as_error, require_space
from curation.images import rules
from curation.images.errors import (
    FILE_ERRORS,
    BenchmarkStorageLimit,
    ImageDuplicate,
    PersonStorageLimit,
    TooManyUploads,
    UploadDamaged,
)
from curation.images.models import Image, Upload
from curation.images.services.duplicates import duplicate_of, find_near_duplicates
from curation.images.services.enqueuing import check_names, resume_unpacking, waiting_checks
from curation.images.services.receiving import UPLOAD_LIFETIME, max_bytes
from curation.images.services.storage import remove_upload, upload_data, upload_folder
from curation.images.services.unpacking import unpack
from curation.lib import files
from curation.lib.child_process import ChildFailed, Limits, preload, run_in_child

log = logging.getLogger(__name__)
preload(rules.clean_file.__module__)

#: For decoding and encoding one picture. The largest accepted ones take up to 22 s, 650 MB of memory and 1,090 MB of
#: addresses (docs/performance.md).
CLEANING_LIMITS: Final = Limits(processor_seconds=60, seconds=120, memory=1_500_000_000)


def check_upload(upload_id: UUID, lease: jobs.Lease | None = None) -> DomainError | None:
    """Check an upload that was received completely.

    Args:
        upload_id: The upload; nothing is done unless it waits for its checks.
        lease: The job's lease, renewed with each check; None where the caller waits.

    Returns:
        The error that the upload is refused with, or None.

    Raises:
        StorageFull: The disk has no room for what the check writes; the job waits until it has.
    """
    upload = Upload.objects.select_related("benchmark__protocol").filter(pk=upload_id).first()
    if upload is None or upload.state != Upload.State.CHECKING:
        return None
    progress = _CheckProgress(upload, lease)
    try:
        with disk_full_as_error():
            if upload.kind == "zip":
                _check_archive(upload, progress)
            else:
                _check_picture(upload, progress)
    except rules.InvalidFile as invalid:
        return progress.refuse(FILE_ERRORS[invalid.code](**invalid.params))
    except (ImageDuplicate, UploadDamaged, TooManyUploads, PersonStorageLimit, BenchmarkStorageLimit) as error:
        return progress.refuse(error)
    except FileNotFoundError:
        # Another run of this check was faster, as when a command waits for a check whose job a worker has taken.
        upload.refresh_from_db()
        if upload.state == Upload.State.CHECKING:
            raise
        invalid_file = FILE_ERRORS.get(upload.error_code)
        return None if invalid_file is None else invalid_file(**upload.error_params)
    return None


def mark_check_failed(job_id: int) -> None:
    """Mark the upload of a job that will not be retried as failed; its sender may drop it and send it again."""
    job = Job.objects.get(pk=job_id)
    with transaction.atomic():
        upload = Upload.objects.select_for_update(of=("self",), no_key=True).filter(pk=job.args["upload"]).first()
        if upload is None or upload.state != Upload.State.CHECKING:
            return
        upload.state, upload.disk_bytes = Upload.State.FAILED, upload.bytes  # an archive unpacks no more
        upload.error_code, upload.error_params = job.error_code, job.error_params
        upload.expires_at = timezone.now() + UPLOAD_LIFETIME
        upload.save(update_fields=["state", "disk_bytes", "error_code", "error_params", "expires_at"])
        resume_unpacking(upload.parent_id)


class _CheckProgress:
    """The results of an upload's checks, stored as they become known."""

    def __init__(self, upload: Upload, lease: jobs.Lease | None) -> None:
        self.upload, self.lease = upload, lease
        self.names = check_names(upload.kind)
        self.checks: list[dict[str, Any]] = waiting_checks(upload.kind)

    def record(self, name: str, state: str = "passed", **params: Any) -> None:
        """Store the result of a check; stops the job if another worker has its lease."""
        self.checks[self.names.index(name)] = {"code": name, "state": state, "params": params}
        Upload.objects.filter(pk=self.upload.pk, state=Upload.State.CHECKING).update(checks=self.checks)
        if self.lease is not None:
            self.lease.progress(sum(c["state"] != "waiting" for c in self.checks), len(self.checks))

    def is_recorded(self, name: str) -> bool:
        """Whether the check has a result."""
        return bool(self.checks[self.names.index(name)]["state"] != "waiting")

    def refuse(self, error: DomainError) -> DomainError:
        """Refuse the upload; the error belongs to the first check without a result."""
        waiting = next((c for c in self.checks if c["state"] == "waiting"), self.checks[-1])
        waiting |= {"state": "refused", "params": error.params}
        self.end(Upload.State.REFUSED, disk_bytes=0, error_code=error.code, error_params=error.params)
        remove_upload(self.upload.pk)
        return error

    def end(self, state: str, **values: Any) -> None:
        """Store the final state, unless the upload was dropped or another run was faster."""
        with transaction.atomic():
            ended = Upload.objects.filter(pk=self.upload.pk, state=Upload.State.CHECKING).update(
                state=state, checks=self.checks, expires_at=timezone.now() + UPLOAD_LIFETIME, **values
            )
            if ended:
                resume_unpacking(self.upload.parent_id)
        if not ended and not Upload.objects.filter(pk=self.upload.pk).exclude(state=Upload.State.DROPPED).exists():
            remove_upload(self.upload.pk)


def _check_picture(upload: Upload, progress: _CheckProgress) -> None:
    require_space(upload.bytes)  # about what the renditions will have; before they cost seconds to make
    limits = image_rules(upload.benchmark)
    data = upload_data(upload.pk).read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    if upload.sha256 and upload.sha256 != sha256:
        raise UploadDamaged
    # Checks without decoding come first, because they find most invalid files.
    rules.accepted_type(data, limits)
    progress.record("type")
    rules.check_bytes(len(data), limits)
    progress.record("size")
    _refuse_duplicate(upload, sha256)
    progress.record("duplicate")
    del data
    cleaned = _clean(upload, limits, progress)
    staged = [_stage(upload, encoded) for encoded in cleaned.renditions]
    thumb = upload_folder(upload.pk) / next(f["name"] for f in staged if f["role"] == "thumb")
    near, newest_compared = find_near_duplicates(
        benchmark_id=upload.benchmark_id,
        hashes=cleaned.hashes,
        thumb=thumb,
        limit=limits.near_duplicate_distance,
    )
    accepted_near = [n for n in near if not n.refused]
    flags = _flags(progress, cleaned, limits)
    if accepted_near:
        nearest = accepted_near[0]
        progress.record("near_duplicate", "flagged", distance=nearest.distance)
    else:
        progress.record("near_duplicate")
    if not limits.keep_originals:
        upload_data(upload.pk).unlink(missing_ok=True)
    progress.end(
        Upload.State.READY,
        sha256=sha256,
        disk_bytes=sum(file["bytes"] for file in staged) + (upload.bytes if limits.keep_originals else 0),
        cleaned={
            "width": cleaned.width,
            "height": cleaned.height,
            "hashes": [cleaned.hashes.whole, cleaned.hashes.inner],
            "files": staged,
            "flags": flags,
            "near": [[n.image_id, n.number, n.distance, n.refused] for n in near],
            "seen": newest_compared,
        },
    )


def _clean(upload: Upload, limits: Images, progress: _CheckProgress) -> rules.Cleaned:
    """Decode and clean the file in a child process, and record the checks that it passed."""
    try:
        result = run_in_child(rules.clean_file, CLEANING_LIMITS, upload_data(upload.pk), limits)
    except ChildFailed as failure:
        log.warning("upload %s was not decoded: %s", upload.pk, failure)
        raise rules.InvalidFile("image_too_costly") from failure
    for name in result.passed:
        if not progress.is_recorded(name):
            progress.record(name)
    if result.cleaned is None:
        raise result.invalid or AssertionError
    return result.cleaned


def _flags(progress: _CheckProgress, cleaned: rules.Cleaned, limits: Images) -> list[dict[str, Any]]:
    if cleaned.sharpness >= limits.blur_below:
        progress.record("blurred")
        return []
    params = {"sharpness": round(cleaned.sharpness, 1), "limit": limits.blur_below}
    progress.record("blurred", "flagged", **params)
    return [{"code": "blurred", "params": params}]


def _refuse_duplicate(upload: Upload, sha256: str) -> None:
    """Refuse a file that the benchmark has already, or that another upload of the same person has."""
    same_file = Image.objects.filter(benchmark_id=upload.benchmark_id, sha256=sha256).exclude(state=Image.State.REFUSED)
    duplicate = same_file.exclude(contributor_id=upload.person_id, client_key=upload.client_key).first()
    if duplicate is not None:
        raise duplicate_of(duplicate, upload.person)
    waiting = Upload.objects.filter(
        benchmark_id=upload.benchmark_id, person_id=upload.person_id, sha256=sha256, state=Upload.State.READY
    )
    if (other := waiting.exclude(pk=upload.pk).values_list("filename", flat=True).first()) is not None:
        raise ImageDuplicate(twin=other, twin_id=None)


def _stage(upload: Upload, encoded: rules.Encoded) -> dict[str, Any]:
    """Write a rendition beside the uploaded file; return its row for ``Upload.cleaned``."""
    name = f"{encoded.role}.{encoded.extension}"
    require_space(len(encoded.data))
    # Renamed in one step, because a concurrent request may read the file that another run of this check staged.
    files.stage(Path(settings.MEDIA_ROOT), encoded.data).replace(upload_folder(upload.pk) / name)
    return {
        "role": encoded.role,
        "name": name,
        "sha256": encoded.sha256,
        "bytes": len(encoded.data),
        "width": encoded.width,
        "height": encoded.height,
    }


# --- ZIP archives


def _check_archive(upload: Upload, progress: _CheckProgress) -> None:
    """Unpack the next entries; after the last one the archive is done."""
    limits = image_rules(upload.benchmark)
    with (
        upload_data(upload.pk).open("rb") as file,
        rules.open_archive(file, largest=max_bytes("", limits.bytes.maximum)) as archive,
    ):
        progress.record("type")
        result = unpack(upload, archive, progress.lease)
    if result is None:
        return
    entries, refused = result
    progress.record("entries", "flagged" if refused else "passed", files=entries, refused=refused)
    progress.end(Upload.State.TAKEN, disk_bytes=0)
    remove_upload(upload.pk)
