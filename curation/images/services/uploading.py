"""Pictures come in: whole, cleaned and numbered, or not at all."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.benchmarks.rules import Images
from curation.core import audit, files
from curation.core.errors import ClientKeyReused, DomainError
from curation.images import rules
from curation.images.errors import UNFIT, CategoryUnknown, ImageTooLarge, LicenceNotAllowed, SourceAddressMissing
from curation.images.models import Image, Rendition, image_label
from curation.images.services.storage import ORIGINALS, RENDITIONS, remove
from curation.images.services.twins import lock_for_numbers, nearest, note_neighbours, twin_of
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category

# Decoding a picture of the largest size takes up to 900 MB for a moment, so two are at a time in a process.
_DECODING = threading.BoundedSemaphore(2)


@dataclass(frozen=True, slots=True)
class Upload:
    """What an upload led to; ``replayed`` when an earlier try with the same key had made the picture."""

    image_id: int
    replayed: bool


def upload_image(
    *,
    actor: Person,
    benchmark_slug: str,
    file: BinaryIO,
    source: str,
    source_url: str,
    author: str,
    licence: str,
    category: str,
    client_key: UUID,
) -> Upload:
    """Take in a picture: check it, clean it, store what is served of it, number it.

    The costly part (decoding, hashing, encoding, writing) is done before the transaction, so that uploads run side by
    side; inside it the benchmark's row is locked for the number, the check for twins and the renames alone.

    Args:
        actor: Who contributes it.
        benchmark_slug: Where.
        file: The file as uploaded; its name and declared type are never looked at.
        source: ``own`` or ``external``.
        source_url: Where an external picture comes from; stored, never fetched.
        author: Whom to name; empty for one's own.
        licence: A code of the protocol's list.
        category: Slug of the category it was collected for, or empty.
        client_key: Makes a repeat harmless.

    Raises:
        NotFound, OperationNotAllowed: The actor may not upload here.
        DomainError: One of ``images.errors``; nothing was kept.
        ClientKeyReused: The key belongs to another file.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "image_upload")
    limits = image_rules(benchmark)
    data = file.read(limits.bytes.maximum + 1)
    if len(data) > limits.bytes.maximum:
        size = getattr(file, "size", None) or len(data)
        raise ImageTooLarge(bytes=size, maximum=limits.bytes.maximum)
    sha256 = hashlib.sha256(data).hexdigest()
    if earlier := _earlier_upload(actor, benchmark, client_key, sha256):
        return earlier
    _check_source(limits, source, source_url, licence)
    category_id = _category(benchmark, category)
    twin = twin_of(actor.pk, benchmark.pk, client_key, sha256)  # again under the lock; here to spare the decoding
    if twin is not None:
        return Upload(twin, replayed=True)
    try:
        with _DECODING:
            cleaned = rules.clean(data, limits)
    except rules.Unfit as unfit:
        raise UNFIT[unfit.code](**unfit.params) from unfit

    image = Image(
        benchmark=benchmark,
        sha256=sha256,
        phash=cleaned.phash,
        width=cleaned.width,
        height=cleaned.height,
        contributor=actor,
        source={"kind": source, "url": source_url, "author": author},
        licence=licence,
        category_id=category_id,
        client_key=client_key,
    )
    if cleaned.sharpness < limits.blur_below:
        image.flags.append(
            {"code": "blurred", "params": {"sharpness": round(cleaned.sharpness, 1), "limit": limits.blur_below}}
        )
    root = Path(settings.MEDIA_ROOT)
    staged = [(encoded, files.stage(root, encoded.data)) for encoded in cleaned.renditions]
    original = files.stage(root, data) if limits.keep_originals else None
    left: list[Path] = [path for _, path in staged] + ([original] if original else [])
    try:
        with transaction.atomic():
            lock_for_numbers(benchmark.pk)
            if (twin := twin_of(actor.pk, benchmark.pk, client_key, sha256)) is not None:
                remove(left)
                return Upload(twin, replayed=True)
            _store(image, limits, staged, left)
            if original is not None:
                place = root / ORIGINALS / str(benchmark.pk) / sha256[:2] / sha256
                files.publish(original, place)
                left.append(place)
            audit.record(
                action="image_upload",
                target_type="image",
                target_id=image.pk,
                label=image.label,
                actor_id=actor.pk,
                benchmark_id=benchmark.pk,
                state_to=image.state,
                data={"sha256": sha256, "licence": licence, "flags": [f["code"] for f in image.flags]},
                client_key=client_key,
            )
    except IntegrityError:
        remove(left)
        # The same request on another connection was quicker, or somebody used the key for something else.
        if earlier := _earlier_upload(actor, benchmark, client_key, sha256):
            return earlier
        audit.already_done(actor_id=actor.pk, client_key=client_key, action="image_upload")
        raise
    except (DomainError, OSError):
        # Any other end, a lost connection for one, may have come after the commit: then the sweep decides.
        remove(left)
        raise
    return Upload(image.pk, replayed=False)


def _check_source(limits: Images, source: str, source_url: str, licence: str) -> None:
    if source == "external" and not source_url:
        raise SourceAddressMissing
    allowed = [entry.code for entry in limits.licences]
    if licence not in allowed:
        raise LicenceNotAllowed(licence=licence, allowed=allowed)


def _category(benchmark: Benchmark, slug: str) -> int | None:
    if not slug:
        return None
    found = Category.objects.filter(benchmark=benchmark, slug=slug).values_list("pk", flat=True).first()
    if found is None:
        raise CategoryUnknown(category=slug)
    return found


def _earlier_upload(actor: Person, benchmark: Benchmark, client_key: UUID, sha256: str) -> Upload | None:
    earlier = Image.objects.filter(contributor=actor, client_key=client_key).first()
    if earlier is None:
        return None
    if (earlier.benchmark_id, earlier.sha256) != (benchmark.pk, sha256):
        raise ClientKeyReused
    return Upload(earlier.pk, replayed=True)


def _store(image: Image, limits: Images, staged: Iterable[tuple[rules.Encoded, Path]], left: list[Path]) -> None:
    """Number the picture and put its rows and files in place; what was put on disk is added to ``left``.

    The caller holds the benchmark's lock.
    """
    benchmark_id = image.benchmark_id
    newest = Image.objects.filter(benchmark_id=benchmark_id).order_by("-number").values_list("number", flat=True)
    image.number = (newest.first() or 0) + 1
    near = nearest(image, limits.near_duplicate_distance)
    if near is not None:
        image.flags.append({"code": "near_duplicate", "params": {"near": image_label(near[0]), "distance": near[1]}})
    image.save(force_insert=True)
    note_neighbours(image, limits.near_duplicate_distance)
    staged = list(staged)
    rows = []
    for rendition_id, (encoded, path) in zip(_rendition_ids(len(staged)), staged, strict=True):
        key = f"{RENDITIONS}/{image.pk}/{rendition_id}-{encoded.role}.{encoded.extension}"
        place = Path(settings.MEDIA_ROOT) / key
        files.publish(path, place)
        left.append(place)
        rows.append(
            Rendition(
                pk=rendition_id,
                image=image,
                role=encoded.role,
                sha256=encoded.sha256,
                bytes=len(encoded.data),
                width=encoded.width,
                height=encoded.height,
                key=key,
            )
        )
    Rendition.objects.bulk_create(rows)


def _rendition_ids(count: int) -> list[int]:
    """Ids ahead of the rows, because the files' names hold them and the rows can never be changed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select nextval(pg_get_serial_sequence('curation_rendition', 'id')) from generate_series(1, %s)", [count]
        )
        return [row[0] for row in cursor.fetchall()]
