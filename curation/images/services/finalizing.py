"""Turning checked and described uploads into numbered pictures: first the files, then the rows.

The files are stored first and outside of the lock: a slow store does not block other requests, and an unavailable one
leaves no row behind.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import F

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import donor_uses, image_rules
from curation.benchmarks.rules import Images
from curation.core import audit
from curation.core.errors import DomainError, NotFound, StorageUnavailable
from curation.core.stores import store
from curation.images import access, rules
from curation.images.errors import DetailsMissing, UploadGone, UploadNotReady
from curation.images.models import Image, Rendition, Upload
from curation.images.rules import FinalizedUpload
from curation.images.services.duplicates import (
    NearDuplicate,
    find_near_duplicates,
    lock_numbering,
    near_duplicate_flags,
    record_near_pairs,
    refuse_duplicate,
)
from curation.images.services.storage import (
    RENDITIONS,
    original_key,
    remove_upload,
    upload_data,
    upload_folder,
)
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category
from curation.taxonomy.queries import axis_values, require_categories


def finalize_uploads(*, actor: Person, benchmark_slug: str, ids: Sequence[UUID]) -> list[FinalizedUpload]:
    """Turn checked and described uploads into pictures, each independently of the others.

    A repeat returns the pictures that the first try created.

    Raises:
        NotFound, OperationNotAllowed: The actor may not upload here.
        CategoriesNotFrozen: The board still decides on the categories.
        StorageUnavailable: The uploads before it were finalized; all others would fail for the same reason.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "upload_take")
    require_categories(benchmark)
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
    chosen_axes = {axis for details in details_of_uploads for axis in details.get("axes", {})}
    values = axis_values(benchmark, chosen_axes)
    results = []
    for upload_id in dict.fromkeys(ids):
        try:
            results.append(_finalize(actor, benchmark.pk, upload_id, limits, uses, categories, values))
        except StorageUnavailable:
            raise
        except DomainError as error:
            results.append(FinalizedUpload(upload_id, error=error))
    return results


def _finalize(
    actor: Person,
    benchmark_id: int,
    upload_id: UUID,
    limits: Images,
    uses: str,
    categories: Mapping[str, int],
    values: Mapping[str, Collection[str]],
) -> FinalizedUpload:
    upload = Upload.objects.filter(pk=upload_id, person=actor, benchmark_id=benchmark_id).first()
    if upload is None:
        raise NotFound
    if (earlier := _earlier_result(upload)) is not None:
        return earlier
    teams = actor.team_ids(benchmark_id)
    if fields := rules.missing(upload.details, limits, uses=uses, teams=teams):
        raise DetailsMissing(fields=fields)
    near = _NearDuplicates(upload, limits)
    near.compare_newer()  # before the lock, so that few pictures are left to compare under it
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
            lock_numbering(benchmark_id)
            locked = Upload.objects.select_for_update(of=("self",), no_key=True).get(pk=upload_id)
            if locked.image_id is not None:
                stored.discard()
                return _result_of(locked)
            if locked.state != Upload.State.READY:
                raise UploadNotReady(state=locked.state)
            refuse_duplicate(actor, benchmark_id, upload.client_key, upload.sha256)
            near.compare_newer()
            image = _store(locked, near.pictures, categories, values, teams, renditions)
            locked.state, locked.image, locked.disk_bytes = Upload.State.TAKEN, image, 0
            locked.save(update_fields=["state", "image", "disk_bytes"])
            stored_bytes = sum(r.bytes for r in renditions) + (locked.bytes if limits.keep_originals else 0)
            Benchmark.objects.filter(pk=benchmark_id).update(picture_bytes=F("picture_bytes") + stored_bytes)
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
        # After any other error, such as a lost connection, the transaction may be committed; the sweep decides.
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
    if image is None:  # the callers checked
        raise AssertionError
    return FinalizedUpload(upload.pk, image.pk, image.number)


class _NearDuplicates:
    """The near duplicates of an upload: those that the checks found, and those that were added since."""

    def __init__(self, upload: Upload, limits: Images) -> None:
        cleaned: dict[str, Any] = upload.cleaned or {}
        self.benchmark_id, self.limit = upload.benchmark_id, limits.near_duplicate_distance
        self.hashes = rules.Hashes(*cleaned["hashes"])
        self.thumb = upload_folder(upload.pk) / next(f["name"] for f in cleaned["files"] if f["role"] == "thumb")
        self.pictures = [NearDuplicate(*entry) for entry in cleaned["near"]]
        self.highest_id: int = cleaned["seen"]

    def compare_newer(self) -> None:
        """Compare with the pictures that were added since the last comparison."""
        more, self.highest_id = find_near_duplicates(
            benchmark_id=self.benchmark_id,
            hashes=self.hashes,
            thumb=self.thumb,
            limit=self.limit,
            after=self.highest_id,
        )
        self.pictures += more


def _store(
    upload: Upload,
    near: list[NearDuplicate],
    categories: Mapping[str, int],
    values: Mapping[str, Collection[str]],
    teams: Collection[int],
    renditions: Sequence[Rendition],
) -> Image:
    """Number the picture and write its rows; the caller holds the benchmark's lock."""
    cleaned: dict[str, Any] = upload.cleaned or {}
    details = upload.details
    newest = Image.objects.filter(benchmark_id=upload.benchmark_id).order_by("-number").values_list("number", flat=True)
    category_id = categories.get(details.get("category", ""))
    flags = [*cleaned["flags"], *near_duplicate_flags(near)]
    image = Image(
        benchmark_id=upload.benchmark_id,
        number=(newest.first() or 0) + 1,
        sha256=upload.sha256,
        phash=cleaned["hashes"][0],
        phash_inner=cleaned["hashes"][1],
        width=cleaned["width"],
        height=cleaned["height"],
        contributor_id=upload.person_id,
        team_id=rules.team_of(details, teams),
        source=_source(details),
        licence=details["licence"],
        category_id=category_id,
        collected_for_id=category_id,
        # A value that the protocol's newer list lacks is left out, as such a category is.
        axes={axis: value for axis, value in details.get("axes", {}).items() if value in values.get(axis, ())},
        flags=flags,
        client_key=upload.client_key,
    )
    image.save(force_insert=True)
    record_near_pairs(image, near)
    for rendition in renditions:
        rendition.image = image
    Rendition.objects.bulk_create(renditions)
    return image


def _source(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a picture comes from, as ``Image.source`` stores it."""
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
    """The files that one try to finalize an upload stores, before any row refers to them."""

    def __init__(self) -> None:
        self._store, self._keys = store(), list[str]()

    def renditions(self, upload: Upload, *, keep_original: bool) -> list[Rendition]:
        """Store the cleaned files; return their rows, still without a picture.

        The uploaded file is never discarded, because a concurrent try may rely on it; the sweep removes it if no row
        refers to it.

        The keys do not contain the picture's id, because ids must be in the order of commits (``find_near_duplicates``
        compares with higher ids) and are therefore drawn under the lock.
        """
        staged: Sequence[Mapping[str, Any]] = (upload.cleaned or {})["files"]
        rows = []
        for rendition_id, file in zip(rendition_ids(len(staged)), staged, strict=True):
            key = f"{RENDITIONS}/{upload.pk}/{rendition_id}-{file['name']}"
            self._store.put(key, upload_folder(upload.pk) / file["name"], file["sha256"])
            self._keys.append(key)
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
        """Remove the files that this try has stored."""
        self._store.discard(self._keys)


def rendition_ids(count: int) -> list[int]:
    """Draw ids before the rows exist, because the files' names contain them and the rows are never changed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select nextval(pg_get_serial_sequence('curation_rendition', 'id')) from generate_series(1, %s)", [count]
        )
        return [row[0] for row in cursor.fetchall()]
