"""Reads about uploads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import BigIntegerField
from django.db.models.functions import Cast, Extract

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import donor_uses, image_rules
from curation.core import jobs
from curation.core.broker import PICTURES
from curation.core.errors import NotFound
from curation.core.models import Job
from curation.core.pages import cut_page
from curation.core.shapes import job_answer
from curation.images import access, rules
from curation.images.models import Image, Rendition, Upload, current_renditions, image_label, media_url
from curation.images.queries.pictures import row_error
from curation.images.rules import FinalizedUpload
from curation.images.shapes.pictures import FinalizedRow, FinalizedRows, UploadPage, UploadRow
from curation.lib.files import INCOMING
from curation.people.access import benchmark_for
from curation.people.models import Person

_MICROSECONDS: Final = Cast(Extract("created_at", "epoch") * 1_000_000, BigIntegerField())


def upload_page(
    person: Person,
    benchmark_slug: str,
    *,
    page_size: int,
    cursor: str | None = None,
    state: str = "",
    ids: Sequence[UUID] | None = None,
) -> UploadPage:
    """List the person's uploads, newest first, and whether a worker is running that checks them.

    Six statements: benchmark, page, near pictures, jobs, number waiting, the worker.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "upload_list")
    rows = access.uploads_of(person, benchmark, "upload_list").exclude(state=Upload.State.DROPPED)
    if state:
        rows = rows.filter(state=state)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    # Pages are cut by a number, and ids are random: microseconds since 1970 give the order of arrival.
    rows = rows.select_related("image").annotate(arrived=_MICROSECONDS)
    uploads, facts = cut_page(rows, by="-arrived", cursor=cursor, page_size=page_size, count=False)
    waiting = Upload.objects.filter(person=person, benchmark=benchmark, state=Upload.State.CHECKING)
    return {
        **facts,
        "results": _upload_rows(person, benchmark, uploads),
        "worker_alive": jobs.last_seen(PICTURES)["alive"],
        "waiting": waiting.count(),
    }


def uploads_by_id(person: Person, benchmark_slug: str, ids: Sequence[UUID]) -> list[UploadRow]:
    """Return some of the person's uploads, in the order of ``ids``.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "upload_list")
    rows = access.uploads_of(person, benchmark, "upload_list").filter(pk__in=ids).select_related("image")
    uploads = {upload.pk: upload for upload in rows}
    return _upload_rows(person, benchmark, [uploads[upload_id] for upload_id in ids if upload_id in uploads])


def finalized_rows(person: Person, finalized: Sequence[FinalizedUpload]) -> FinalizedRows:
    """Answer with the picture that each upload became, or the error."""
    return {"results": [_finalized_row(result) for result in finalized]}


def _finalized_row(result: FinalizedUpload) -> FinalizedRow:
    return {
        "id": result.upload_id,
        "image": {"id": result.image_id, "label": image_label(result.number)}
        if result.image_id is not None and result.number is not None
        else None,
        "error": row_error(result.error) if result.error else None,
    }


def _upload_rows(person: Person, benchmark: Benchmark, uploads: Sequence[Upload]) -> list[UploadRow]:
    limits, uses, teams = image_rules(benchmark), donor_uses(benchmark), person.team_ids(benchmark.pk)
    thumbs = _near_thumbs(person, benchmark, uploads)
    checks = jobs.open_jobs(upload.check_key for upload in uploads if upload.state == Upload.State.CHECKING)
    return [
        _upload_row(
            upload,
            thumbs,
            checks.get(upload.check_key),
            rules.missing(upload.details, limits, uses=uses, teams=teams),
        )
        for upload in uploads
    ]


class _Thumb(NamedTuple):
    """The thumb of a near duplicate of an upload."""

    label: str
    url: str


def _upload_row(upload: Upload, thumbs: Mapping[int, _Thumb], job: Job | None, missing: list[str]) -> UploadRow:
    cleaned = upload.cleaned or {}
    is_ready = upload.state == Upload.State.READY
    return {
        "id": upload.pk,
        "filename": upload.filename,
        "bytes": upload.bytes,
        "received": upload.received,
        "kind": upload.kind,
        "parent": upload.parent_id,
        "state": upload.state,
        "checks": upload.checks,
        "job": job_answer(job) if job else None,
        "error": {"code": upload.error_code, "params": upload.error_params} if upload.error_code else None,
        "details": upload.details,
        "missing": missing if upload.kind == "picture" else [],
        "width": cleaned.get("width"),
        "height": cleaned.get("height"),
        "thumb_url": f"/api/v1/uploads/{upload.pk}/thumb" if is_ready else None,
        "near": [
            {"id": image_id, "label": thumbs[image_id].label, "distance": bits, "thumb_url": thumbs[image_id].url}
            for image_id, _, bits, _ in cleaned.get("near", [])
            if image_id in thumbs
        ],
        "image": {"id": upload.image.pk, "label": upload.image.label} if upload.image else None,
        "expires_at": upload.expires_at,
    }


def _near_thumbs(person: Person, benchmark: Benchmark, uploads: Sequence[Upload]) -> dict[int, _Thumb]:
    """Return the thumbs of the uploads' near duplicates that the person may see, by id."""
    ready = [upload.cleaned or {} for upload in uploads if upload.state == Upload.State.READY]
    ids = {image_id for cleaned in ready for image_id, *_ in cleaned.get("near", [])}
    if not ids:
        return {}
    visible = access.images_visible_to(person, benchmark, "image_list").filter(pk__in=ids)
    usable = visible.exclude(state__in=[Image.State.REFUSED, Image.State.WITHDRAWN])
    files = Rendition.objects.filter(current_renditions(), image__in=usable, role=Rendition.Role.THUMB)
    files = files.select_related("image")
    return {
        file.image_id: _Thumb(file.image.label, media_url(file.image_id, file.pk, file.role, file.key))
        for file in files
    }


def staged_thumb(person: Person, upload_id: UUID) -> Path:
    """Return the path of a checked upload's thumb.

    Raises:
        NotFound: There is none, or it is another person's.
    """
    upload = access.upload_for(person, upload_id, "upload_thumb")
    files = (upload.cleaned or {}).get("files", [])
    name: str | None = next((file["name"] for file in files if file["role"] == "thumb"), None)
    if upload.state != Upload.State.READY or name is None:
        raise NotFound
    return Path(settings.MEDIA_ROOT) / INCOMING / str(upload.pk) / name
