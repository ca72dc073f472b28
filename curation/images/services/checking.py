"""Uploads are looked at in the background, and each check is noted as it is done.

What passes is staged, what does not says why; the entries of a ZIP archive become uploads of their own.

Safe to run twice: everything is made anew from the file, which stays until the last check.
"""

from __future__ import annotations

import hashlib
import os
import uuid
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
from curation.images import rules
from curation.images.errors import UNFIT, ImageDuplicate, UploadDamaged
from curation.images.models import Image, Upload, image_label
from curation.images.services.receiving import KEPT_FOR, checks_of, largest, wake_check
from curation.images.services.storage import remove_upload, upload_data, upload_folder
from curation.images.services.twins import near_ones
from curation.lib import files

_BLOCK: Final = 1 << 20


def check_upload(upload_id: UUID, lease: jobs.Lease | None = None) -> DomainError | None:
    """Check an upload whose bytes are all there.

    Args:
        upload_id: Which; nothing is done when it is not waiting for its checks.
        lease: Of the job that does it, renewed as the checks go on; None where the caller waits.

    Returns:
        Why it is refused, or None.
    """
    upload = Upload.objects.select_related("benchmark__protocol").filter(pk=upload_id).first()
    if upload is None or upload.state != Upload.State.CHECKING:
        return None
    checking = _Checking(upload, lease)
    try:
        if upload.kind == "zip":
            _expand(upload, checking)
        else:
            _look_at(upload, checking)
    except rules.Unfit as unfit:
        return checking.refuse(UNFIT[unfit.code](**unfit.params))
    except (ImageDuplicate, UploadDamaged) as error:
        return checking.refuse(error)
    return None


def give_up(job_id: int) -> None:
    """Mark the upload of a job that failed for good; its sender may drop it and send it again."""
    job = Job.objects.get(pk=job_id)
    Upload.objects.filter(pk=job.args["upload"], state=Upload.State.CHECKING).update(
        state=Upload.State.FAILED,
        error_code=job.error_code,
        error_params=job.error_params,
        expires_at=timezone.now() + KEPT_FOR,
    )


class _Checking:
    """The checks of one upload, written down as they are done."""

    def __init__(self, upload: Upload, lease: jobs.Lease | None) -> None:
        self.upload, self.lease = upload, lease
        self.names = checks_of(upload.kind)
        self.checks: list[dict[str, Any]] = [{"code": name, "state": "waiting", "params": {}} for name in self.names]

    def done(self, name: str, state: str = "passed", **params: Any) -> None:
        """Note a check; stops the job when another worker has it."""
        self.checks[self.names.index(name)] = {"code": name, "state": state, "params": params}
        Upload.objects.filter(pk=self.upload.pk, state=Upload.State.CHECKING).update(checks=self.checks)
        if self.lease is not None:
            self.lease.progress(sum(c["state"] != "waiting" for c in self.checks), len(self.checks))

    def refuse(self, error: DomainError) -> DomainError:
        """End with a refusal: it belongs to the first check that was not passed."""
        waiting = next((c for c in self.checks if c["state"] == "waiting"), self.checks[-1])
        waiting |= {"state": "refused", "params": error.params}
        self.end(Upload.State.REFUSED, error_code=error.code, error_params=error.params)
        remove_upload(self.upload.pk)
        return error

    def end(self, state: str, **values: Any) -> None:
        """Write down how it ended, unless it was dropped meanwhile or another run was quicker."""
        ended = Upload.objects.filter(pk=self.upload.pk, state=Upload.State.CHECKING).update(
            state=state, checks=self.checks, expires_at=timezone.now() + KEPT_FOR, **values
        )
        if not ended and not Upload.objects.filter(pk=self.upload.pk).exclude(state=Upload.State.DROPPED).exists():
            remove_upload(self.upload.pk)


def _look_at(upload: Upload, checking: _Checking) -> None:
    limits = image_rules(upload.benchmark)
    data = upload_data(upload.pk).read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    if upload.sha256 and upload.sha256 != sha256:
        raise UploadDamaged
    # What can be told without decoding comes first: most of what is refused is refused by these.
    rules.fitting_type(data, limits)
    checking.done("type")
    rules.check_bytes(len(data), limits)
    checking.done("size")
    _refuse_twin(upload, sha256)
    checking.done("duplicate")
    told = {"type", "size"}
    cleaned = rules.clean(data, limits, report_passed=lambda name: None if name in told else checking.done(name))
    del data
    staged = [_staged(upload, encoded) for encoded in cleaned.renditions]
    thumb = upload_folder(upload.pk) / next(f["name"] for f in staged if f["role"] == "thumb")
    near, seen = near_ones(
        benchmark_id=upload.benchmark_id,
        hashes=cleaned.hashes,
        thumb=thumb,
        limit=limits.near_duplicate_distance,
    )
    standing = [n for n in near if not n.refused]
    flags = _flags(checking, cleaned, limits)
    if standing:
        checking.done("near_duplicate", "flagged", near=image_label(standing[0].number), distance=standing[0].distance)
    else:
        checking.done("near_duplicate")
    if not limits.keep_originals:
        upload_data(upload.pk).unlink(missing_ok=True)
    checking.end(
        Upload.State.READY,
        sha256=sha256,
        cleaned={
            "width": cleaned.width,
            "height": cleaned.height,
            "hashes": [cleaned.hashes.whole, cleaned.hashes.inner],
            "files": staged,
            "flags": flags,
            "near": [[n.image_id, n.number, n.distance, n.refused] for n in near],
            "seen": seen,
        },
    )


def _flags(checking: _Checking, cleaned: rules.Cleaned, limits: Images) -> list[dict[str, Any]]:
    if cleaned.sharpness >= limits.blur_below:
        checking.done("blurred")
        return []
    params = {"sharpness": round(cleaned.sharpness, 1), "limit": limits.blur_below}
    checking.done("blurred", "flagged", **params)
    return [{"code": "blurred", "params": params}]


def _refuse_twin(upload: Upload, sha256: str) -> None:
    """Refuse what is in the benchmark already, and what the same person is just bringing a second time."""
    twins = Image.objects.filter(benchmark_id=upload.benchmark_id, sha256=sha256).exclude(state=Image.State.REFUSED)
    twin = twins.exclude(contributor_id=upload.person_id, client_key=upload.client_key).first()
    if twin is not None:
        raise ImageDuplicate(twin=twin.label, twin_id=twin.pk)
    waiting = Upload.objects.filter(
        benchmark_id=upload.benchmark_id, person_id=upload.person_id, sha256=sha256, state=Upload.State.READY
    )
    if (other := waiting.exclude(pk=upload.pk).values_list("filename", flat=True).first()) is not None:
        raise ImageDuplicate(twin=other, twin_id=None)


def _staged(upload: Upload, encoded: rules.Encoded) -> dict[str, Any]:
    """Write a rendition beside the file it was made from, whole before the upload says that it is there."""
    name = f"{encoded.role}.{encoded.extension}"
    # Under its name in one step: a picture may already be made of what another run of this check had staged.
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


def _expand(upload: Upload, checking: _Checking) -> None:
    """Make an upload of every entry; refused ones say why in a row of their own, the others go on."""
    limits = image_rules(upload.benchmark)
    with (
        upload_data(upload.pk).open("rb") as file,
        rules.open_archive(file, largest=largest("", limits.bytes.maximum)) as archive,
    ):
        checking.done("type")
        refused = 0
        for n, entry in enumerate(archive.entries):
            refused += not _take_entry(upload, archive, entry, n)
            if checking.lease is not None and n % 5 == 0:
                checking.lease.progress(n, len(archive.entries))
    checking.done("entries", "flagged" if refused else "passed", files=len(archive.entries), refused=refused)
    checking.end(Upload.State.TAKEN)
    remove_upload(upload.pk)


def _take_entry(parent: Upload, archive: rules.Archive, entry: rules.Entry, n: int) -> bool:
    """Unpack an entry and have it checked; whether it is one that goes on."""
    # Derived, so that a job that was cut off finds the entries it had made.
    client_key = uuid.uuid5(parent.client_key, f"entry {n}")
    child = Upload.objects.filter(person_id=parent.person_id, client_key=client_key).first()
    if child is None:
        child = Upload.objects.create(
            benchmark=parent.benchmark,
            person_id=parent.person_id,
            parent=parent,
            filename=entry.name,
            bytes=entry.bytes,
            details=parent.details,
            checks=[],
            client_key=client_key,
            expires_at=timezone.now() + KEPT_FOR,
        )
    if child.state != Upload.State.RECEIVING:
        return child.state != Upload.State.REFUSED
    try:
        if entry.refused is not None:
            raise entry.refused
        upload_folder(child.pk).mkdir(parents=True, exist_ok=True)
        with upload_data(child.pk).open("wb") as file:
            archive.unpack(entry, file)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
    except rules.Unfit as unfit:
        error = UNFIT[unfit.code](**unfit.params)
        Upload.objects.filter(pk=child.pk).update(
            state=Upload.State.REFUSED, error_code=error.code, error_params=error.params
        )
        remove_upload(child.pk)
        return False
    with transaction.atomic():
        child.bytes = child.received = size
        child.state = Upload.State.CHECKING
        child.checks = [{"code": code, "state": "waiting", "params": {}} for code in checks_of(child.kind)]
        child.save(update_fields=["bytes", "received", "state", "checks"])
        wake_check(child)
    return True
