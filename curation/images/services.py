"""What happens to pictures: they come in, are judged, are marked as free of personal information."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.benchmarks.rules import Images
from curation.core import audit, files
from curation.core.errors import ClientKeyReused, DomainError, OwnWork
from curation.core.transitions import advance
from curation.images import rules
from curation.images.access import lock_image_for
from curation.images.errors import (
    UNFIT,
    CategoryUnknown,
    ImageDuplicate,
    ImageTooLarge,
    LicenceNotAllowed,
    ReasonsRefused,
    SourceAddressMissing,
)
from curation.images.models import Image, ImageVerdict, Rendition, image_label
from curation.images.states import TABLE
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category

RENDITIONS = "renditions"
ORIGINALS = "originals"
# A picture of the largest size takes some hundred megabytes while it is decoded: two at a time in a process.
_DECODING = threading.BoundedSemaphore(2)
ORPHANS_AFTER = 24 * 3600  # seconds; longer than any upload takes


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
    limits = _limits(benchmark)
    data = file.read(limits.bytes.maximum + 1)
    if len(data) > limits.bytes.maximum:
        size = getattr(file, "size", None) or len(data)
        raise ImageTooLarge(bytes=size, maximum=limits.bytes.maximum)
    sha256 = hashlib.sha256(data).hexdigest()
    if earlier := _earlier_upload(actor, benchmark, client_key, sha256):
        return earlier
    _check_source(limits, source, source_url, licence)
    category_id = _category(benchmark, category)
    if earlier := _twin(actor, benchmark, client_key, sha256):  # again under the lock; here to spare the decoding
        return earlier
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
            _lock_for_numbers(benchmark.pk)
            if earlier := _twin(actor, benchmark, client_key, sha256):
                _remove(left)
                return earlier
            _store(image, limits, staged, left)
            if original is not None:
                place = root / ORIGINALS / str(benchmark.pk) / sha256[:2] / sha256
                files.publish(original, place)
                left.append(place)
            audit.record(
                action="image_upload",
                target_type="image",
                target_id=image.pk,
                actor_id=actor.pk,
                benchmark_id=benchmark.pk,
                state_to=image.state,
                data={"sha256": sha256, "licence": licence, "flags": [f["code"] for f in image.flags]},
                client_key=client_key,
            )
    except IntegrityError:
        _remove(left)
        # The same request on another connection was quicker, or somebody used the key for something else.
        if earlier := _earlier_upload(actor, benchmark, client_key, sha256):
            return earlier
        audit.already_done(actor_id=actor.pk, client_key=client_key, action="image_upload")
        raise
    except (DomainError, OSError):
        # Any other end, a lost connection for one, may have come after the commit: then the sweep decides.
        _remove(left)
        raise
    return Upload(image.pk, replayed=False)


@transaction.atomic
def judge_image(*, actor: Person, image_id: int, outcome: str, reasons: Sequence[str], client_key: UUID) -> int:
    """A curator accepts or refuses a picture (CVLUE section 3.3); they may decide anew later.

    Returns:
        The picture's id.

    Raises:
        NotFound, OperationNotAllowed: The actor may not judge here.
        OwnWork: It is the actor's own picture.
        ReasonsRefused: A refusal without reasons, an acceptance with some, or one the protocol does not list.
        ActionNotAllowed: It is in that state already.
        ImageDuplicate: The same file came in again and was taken meanwhile.
        ClientKeyReused: The key was used for another decision.
    """
    image = lock_image_for(actor, image_id, "image_judge")
    if image.contributor_id == actor.pk:
        raise OwnWork
    earlier = ImageVerdict.objects.filter(judge=actor, client_key=client_key).first()
    if earlier is not None:
        if (earlier.image_id, earlier.outcome, earlier.reasons) != (image.pk, outcome, list(reasons)):
            raise ClientKeyReused
        return image.pk
    listed = [reason.code for reason in _limits(image.benchmark).refusal_reasons]
    refusing = outcome == Image.State.REFUSED
    if bool(reasons) is not refusing or not set(reasons) <= set(listed):
        raise ReasonsRefused(reasons=list(reasons), allowed=listed if refusing else [])
    left = advance(image, "refuse" if refusing else "accept", table=TABLE)
    if left == Image.State.REFUSED:
        _lock_for_numbers(image.benchmark_id)
        _twin(image.contributor, image.benchmark, image.client_key, image.sha256)
    ImageVerdict.objects.create(
        image=image,
        judge=actor,
        contributor_id=image.contributor_id,
        outcome=outcome,
        reasons=list(reasons),
        client_key=client_key,
    )
    image.save(update_fields=["state"])
    audit.record(
        action="image_judge",
        target_type="image",
        target_id=image.pk,
        actor_id=actor.pk,
        benchmark_id=image.benchmark_id,
        state_from=left,
        state_to=image.state,
        data={"reasons": list(reasons)},
        client_key=client_key,
    )
    return image.pk


@transaction.atomic
def clear_personal_information(*, actor: Person, image_id: int, client_key: UUID) -> int:
    """A curator marks a picture as showing nothing personal; no release holds a picture without the mark (W-I4).

    Returns:
        The picture's id.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        OwnWork: It is the actor's own picture.
        ClientKeyReused: The key was used for something else.
    """
    image = lock_image_for(actor, image_id, "image_clear")
    if image.contributor_id == actor.pk:
        raise OwnWork
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="image_clear", target_id=image.pk)
    if done is not None or image.pii_clear_by_id is not None:
        return image.pk  # the mark is there; who set it first stays on record
    image.pii_clear_by = actor
    image.save(update_fields=["pii_clear_by"])
    audit.record(
        action="image_clear",
        target_type="image",
        target_id=image.pk,
        actor_id=actor.pk,
        benchmark_id=image.benchmark_id,
        client_key=client_key,
    )
    return image.pk


def sweep_files(*, now: float | None = None) -> int:
    """Remove picture files that no row names and that are older than a day; return how many.

    They are left behind by a process that was killed between writing and committing.
    """
    root = Path(settings.MEDIA_ROOT)
    moment = (time.time() if now is None else now) - ORPHANS_AFTER
    removed = 0
    for folder in (files.INCOMING, RENDITIONS, ORIGINALS):
        old = files.older_than(root / folder, moment)
        while some := list(islice(old, 500)):
            orphans = set(some) - _named(root, folder, some)
            _remove(orphans)
            removed += len(orphans)
    return removed


def _named(root: Path, folder: str, some: Sequence[Path]) -> set[Path]:
    """Those of ``some`` that a row names."""
    if folder == RENDITIONS:
        by_key = {path.relative_to(root).as_posix(): path for path in some}
        return {by_key[key] for key in Rendition.objects.filter(key__in=by_key).values_list("key", flat=True)}
    if folder == ORIGINALS:
        by_place = {(path.parent.parent.name, path.name): path for path in some}
        held = Image.objects.filter(sha256__in=[path.name for path in some]).values_list("benchmark_id", "sha256")
        return {by_place[place] for b, sha256 in held if (place := (str(b), sha256)) in by_place}
    return set()


def _limits(benchmark: Benchmark) -> Images:
    if benchmark.protocol is None:  # a benchmark gets its protocol in the transaction that creates it
        raise AssertionError
    return image_rules(benchmark.protocol.content)


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


def _twin(actor: Person, benchmark: Benchmark, client_key: UUID, sha256: str) -> Upload | None:
    """What this very request made on another connection, or None.

    Raises:
        ImageDuplicate: Another request brought the same file.
    """
    twin = Image.objects.filter(benchmark=benchmark, sha256=sha256).exclude(state=Image.State.REFUSED).first()
    if twin is None:
        return None
    if (twin.contributor_id, twin.client_key) == (actor.pk, client_key):
        return Upload(twin.pk, replayed=True)
    raise ImageDuplicate(twin=image_label(twin.number), twin_id=twin.pk)


def _store(image: Image, limits: Images, staged: Iterable[tuple[rules.Encoded, Path]], left: list[Path]) -> None:
    """Number the picture and put its rows and files in place; what was put on disk is added to ``left``.

    The caller holds the benchmark's lock.
    """
    benchmark_id = image.benchmark_id
    newest = Image.objects.filter(benchmark_id=benchmark_id).order_by("-number").values_list("number", flat=True)
    image.number = (newest.first() or 0) + 1
    near = _nearest(image, limits.near_duplicate_distance)
    if near is not None:
        image.flags.append({"code": "near_duplicate", "params": {"near": image_label(near[0]), "distance": near[1]}})
    image.save(force_insert=True)
    _note_neighbours(image, limits.near_duplicate_distance)
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


def _lock_for_numbers(benchmark_id: int) -> None:
    """Hold the benchmark until the commit: one number each, and whoever comes next sees this picture as a twin."""
    Benchmark.objects.select_for_update(of=("self",), no_key=True).filter(pk=benchmark_id).values_list("pk").get()


_DISTANCE = "bit_count((phash # %s)::bit(64))"


def _nearest(image: Image, limit: int) -> tuple[int, int] | None:
    """Number and distance of the nearest picture within ``limit``."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"select number, {_DISTANCE} as d from curation_image "  # noqa: S608  (only a constant is put in)
            f"where benchmark_id = %s and state <> 'refused' and {_DISTANCE} <= %s order by d, number limit 1",
            [image.phash, image.benchmark_id, image.phash, limit],
        )
        row: tuple[int, int] | None = cursor.fetchone()
    return row


def _note_neighbours(image: Image, limit: int) -> None:
    """Write down every picture within ``limit``, in both directions."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"with near as (select id, {_DISTANCE} as d from curation_image "  # noqa: S608  (as above)
            f"where benchmark_id = %s and id <> %s and {_DISTANCE} <= %s) "
            "insert into curation_nearpair (image_id, other_id, distance) "
            "select %s, id, d from near union all select id, %s, d from near",
            [image.phash, image.benchmark_id, image.pk, image.phash, limit, image.pk, image.pk],
        )


def _rendition_ids(count: int) -> list[int]:
    """Ids ahead of the rows, because the files' names hold them and the rows can never be changed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select nextval(pg_get_serial_sequence('curation_rendition', 'id')) from generate_series(1, %s)", [count]
        )
        return [row[0] for row in cursor.fetchall()]


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
