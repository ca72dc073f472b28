"""Turning checked and described uploads into numbered pictures: first the files, then the rows.

The files are stored first and outside of the lock: a slow store does not block other requests, and an unavailable one
leaves no row behind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction

from curation.benchmarks.queries import donor_uses, image_rules
from curation.benchmarks.rules import Images
from curation.core import audit
from curation.core.errors import DomainError, NotFound, StorageUnavailable
from curation.core.stores import store
from curation.images import access, rules
from curation.images.errors import DetailsMissing, UploadGone, UploadNotReady
from curation.images.models import Image, Rendition, Upload, image_label
from curation.images.rules import FinalizedUpload
from curation.images.services.storage import (
    RENDITIONS,
    original_key,
    remove_upload,
    upload_data,
    upload_folder,
)
from curation.images.services.twins import Near, lock_for_numbers, near_ones, note_neighbours, twin_of
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category


def finalize_uploads(*, actor: Person, benchmark_slug: str, ids: Sequence[UUID]) -> list[FinalizedUpload]:
    """Turn checked and described uploads into pictures, each independently of the others.

    A repeat returns the pictures that the first try created.

    Raises:
        NotFound, OperationNotAllowed: The actor may not upload here.
        StorageUnavailable: The uploads before it were finalized; all others would fail for the same reason.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "upload_take")
    limits, uses = image_rules(benchmark), donor_uses(benchmark)
    details_of_uploads = (
        access.uploads_of(actor, benchmark, "upload_take").filter(pk__in=ids).values_list("details", flat=True)
    )
    category_slugs = {details.get("category") for details in details_of_uploads} - {None}
    categories = dict(
        Category.objects.filter(benchmark=benchmark, slug__in=category_slugs).values_list("slug", "pk")
        if category_slugs
        else ()
    )
    results = []
    for upload_id in dict.fromkeys(ids):
        try:
            results.append(_finalize(actor, benchmark.pk, upload_id, limits, uses, categories))
        except StorageUnavailable:
            raise
        except DomainError as error:
            results.append(FinalizedUpload(upload_id, error=error))
    return results


def _finalize(
    actor: Person, benchmark_id: int, upload_id: UUID, limits: Images, uses: str, categories: Mapping[str, int]
) -> FinalizedUpload:
    upload = Upload.objects.filter(pk=upload_id, person=actor, benchmark_id=benchmark_id).first()
    if upload is None:
        raise NotFound
    if (earlier := _earlier_result(upload)) is not None:
        return earlier
    if lacking := rules.missing(upload.details, limits, uses=uses):
        raise DetailsMissing(fields=lacking)
    near = _Neighbours(upload, limits)
    near.extend()  # here, so that under the lock only what came in this very moment is left
    stored = _StoredFiles()
    try:
        renditions = stored.renditions(upload, keep_original=limits.keep_originals)
    except FileNotFoundError:
        # A concurrent request finalized or dropped it and removed its staged files.
        upload.refresh_from_db()
        stored.discard()
        if (earlier := _earlier_result(upload)) is not None:
            return earlier
        raise
    except (DomainError, OSError):
        stored.discard()
        raise
    try:
        with transaction.atomic():
            lock_for_numbers(benchmark_id)
            locked = Upload.objects.select_for_update(of=("self",), no_key=True).get(pk=upload_id)
            if locked.image_id is not None:
                stored.discard()
                return _result_of(locked)
            if locked.state != Upload.State.READY:
                raise UploadNotReady(state=locked.state)
            twin_of(actor.pk, benchmark_id, upload.client_key, upload.sha256)
            near.extend()
            image = _store(locked, near.found, categories, renditions)
            locked.state, locked.image = Upload.State.TAKEN, image
            locked.save(update_fields=["state", "image"])
            audit.record(
                action="upload_take",
                target_type="image",
                target_id=image.pk,
                label=image.label,
                actor_id=actor.pk,
                benchmark_id=benchmark_id,
                state_to=image.state,
                data={"sha256": image.sha256, "licence": image.licence, "flags": [f["code"] for f in image.flags]},
                client_key=upload.client_key,
            )
    except (DomainError, OSError, IntegrityError):
        # Any other end, a lost connection for one, may have come after the commit: then the sweep decides.
        stored.discard()
        raise
    remove_upload(upload_id)
    return FinalizedUpload(upload_id, image.pk, image.number)


def _earlier_result(upload: Upload) -> FinalizedUpload | None:
    """The result of an earlier try, or None if the upload can be finalized.

    Raises:
        UploadGone, UploadNotReady: It cannot.
    """
    if upload.image_id is not None:
        return _result_of(upload)
    if upload.state == Upload.State.DROPPED:
        raise UploadGone
    if upload.state != Upload.State.READY or upload.kind != "picture":
        raise UploadNotReady(state=upload.state)
    return None


def _result_of(upload: Upload) -> FinalizedUpload:
    image = upload.image
    if image is None:  # the caller has seen that there is one
        raise AssertionError
    return FinalizedUpload(upload.pk, image.pk, image.number)


class _Neighbours:
    """The pictures that look the same: those found by the checks, and those that came in since."""

    def __init__(self, upload: Upload, limits: Images) -> None:
        cleaned: dict[str, Any] = upload.cleaned or {}
        self.benchmark_id, self.limit = upload.benchmark_id, limits.near_duplicate_distance
        self.hashes = rules.Hashes(*cleaned["hashes"])
        self.thumb = upload_folder(upload.pk) / next(f["name"] for f in cleaned["files"] if f["role"] == "thumb")
        self.found = [Near(*entry) for entry in cleaned["near"]]
        self.seen: int = cleaned["seen"]

    def extend(self) -> None:
        """Look at what came in since the last look."""
        more, self.seen = near_ones(
            benchmark_id=self.benchmark_id,
            hashes=self.hashes,
            thumb=self.thumb,
            limit=self.limit,
            after=self.seen,
        )
        self.found += more


def _store(upload: Upload, near: list[Near], categories: Mapping[str, int], renditions: Sequence[Rendition]) -> Image:
    """Number the picture and write its rows; the caller holds the benchmark's lock."""
    cleaned: dict[str, Any] = upload.cleaned or {}
    details = upload.details
    newest = Image.objects.filter(benchmark_id=upload.benchmark_id).order_by("-number").values_list("number", flat=True)
    category_id = categories.get(details.get("category", ""))
    flags = list(cleaned["flags"])
    standing = sorted((n for n in near if not n.refused), key=lambda n: (n.distance, n.number))
    if standing:
        nearest = {"near": image_label(standing[0].number), "distance": standing[0].distance}
        flags.append({"code": "near_duplicate", "params": nearest})
    image = Image(
        benchmark_id=upload.benchmark_id,
        number=(newest.first() or 0) + 1,
        sha256=upload.sha256,
        phash=cleaned["hashes"][0],
        phash_inner=cleaned["hashes"][1],
        width=cleaned["width"],
        height=cleaned["height"],
        contributor_id=upload.person_id,
        source=_source(details),
        licence=details["licence"],
        category_id=category_id,
        collected_for_id=category_id,
        flags=flags,
        client_key=upload.client_key,
    )
    image.save(force_insert=True)
    note_neighbours(image, near)
    for rendition in renditions:
        rendition.image = image
    Rendition.objects.bulk_create(renditions)
    return image


def _source(details: Mapping[str, Any]) -> dict[str, Any]:
    """Where a picture comes from, as its row keeps it."""
    return {
        "kind": details["source"],
        "site": details.get("site", ""),
        "url": details.get("url", ""),
        "author": details.get("author", ""),
        "uses": details.get("uses"),
        "waived": bool(details.get("waived")),
        "donor_consent": bool(details.get("donor_consent")),
    }


class _StoredFiles:
    """The files of one try to take an upload: in the store before any row names them."""

    def __init__(self) -> None:
        self._store, self._ours = store(), list[str]()

    def renditions(self, upload: Upload, *, keep_original: bool) -> list[Rendition]:
        """Put the cleaned files in place; their rows, still without a picture.

        The file as uploaded is never taken back: another try of the same one may count on it, and the sweep removes
        what no row names.

        The keys do not hold the picture's id, which is drawn under the lock: ids have to come in the order of commits
        (``near_ones`` looks at what came after one).
        """
        staged: Sequence[Mapping[str, Any]] = (upload.cleaned or {})["files"]
        rows = []
        for rendition_id, file in zip(_rendition_ids(len(staged)), staged, strict=True):
            key = f"{RENDITIONS}/{upload.pk}/{rendition_id}-{file['name']}"
            self._store.put(key, upload_folder(upload.pk) / file["name"], file["sha256"])
            self._ours.append(key)
            rows.append(
                Rendition(
                    pk=rendition_id,
                    role=file["role"],
                    sha256=file["sha256"],
                    bytes=file["bytes"],
                    width=file["width"],
                    height=file["height"],
                    key=key,
                )
            )
        if keep_original:
            self._store.put(original_key(upload.benchmark_id, upload.sha256), upload_data(upload.pk), upload.sha256)
        return rows

    def discard(self) -> None:
        """Take back what this try has put there."""
        self._store.discard(self._ours)


def _rendition_ids(count: int) -> list[int]:
    """Ids ahead of the rows, because the files' names hold them and the rows can never be changed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select nextval(pg_get_serial_sequence('curation_rendition', 'id')) from generate_series(1, %s)", [count]
        )
        return [row[0] for row in cursor.fetchall()]
