"""Covering regions of a picture: new files, hashes and version; the old files are destroyed everywhere.

The new files are made and stored before the picture is locked, as when a picture is added. Covering takes the tick off:
nobody has looked at the new version yet.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Count, F, Min

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.core.decisions import Decision, digest_of
from curation.core.errors import DomainError, NotFound
from curation.core.jobs import database_now
from curation.core.stores import store
from curation.core.stores.space import disk_full_as_error, require_space
from curation.core.text import shows_nothing
from curation.images import access, rules
from curation.images.errors import PictureTooCostly, ProposalsOpen, RegionsMalformed, StaleRedaction
from curation.images.models import CoverHold, Destruction, Image, Redaction, RegionProposal, Rendition
from curation.images.queries.regions import open_proposals
from curation.images.rules import HeldBatch
from curation.images.services.checking import CLEANING_LIMITS
from curation.images.services.destroying import destroy_version
from curation.images.services.duplicates import (
    NEAR_DUPLICATE,
    NearDuplicate,
    find_near_duplicates,
    near_duplicate_flags,
    record_near_pairs,
)
from curation.images.services.finalizing import rendition_ids
from curation.images.services.storage import RENDITIONS
from curation.images.services.ticking import TICK_FIELDS, take_tick_off
from curation.lib import files
from curation.lib.child_process import ChildFailed, preload, run_in_child
from curation.people.access import benchmark_for
from curation.people.models import Person

log = logging.getLogger(__name__)
preload(rules.cover_file.__module__)

LEASE: Final = timedelta(minutes=10)


def cover_image(*, actor: Person, image_id: int, no: int, regions: Sequence[rules.Region], client_key: UUID) -> Image:
    """Cover regions of a picture, and leave others visible with a reason.

    Every region that was found in this version and not decided on yet must be among ``regions``. If all of them stay
    visible, only the decision is stored.

    Args:
        actor: A curator, an administrator, or the contributor before the tick.
        image_id: The picture.
        no: Its ``redaction_no`` that the page showed.
        regions: The regions.
        client_key: Makes a repeat harmless.

    Raises:
        StaleRedaction: Something was covered since.
        ProposalsOpen: A region that was found is not among them.
        RegionsMalformed: A region is outside, has no reason to stay visible, or comes twice.
        PictureTooCostly: The new files could not be made within the limits.
        ClientKeyReused, NotFound, OperationNotAllowed, StorageUnavailable, StorageFull.
    """
    image = access.image_for(actor, image_id, "image_cover")
    if not access.may_tick(actor, image, "image_cover"):
        raise NotFound
    resolved = [_resolved(region) for region in regions]
    covers = any(region.how != "exempt" for region in resolved)
    digest = digest_of([region.as_json() for region in resolved])
    data = {"no": no, "regions": len(resolved), "covers": covers, "digest": digest}
    if _decision(actor, image, client_key).earlier(**data) is not None:
        return image
    _check(image, no, resolved)
    made = _make_files(image, resolved) if covers else None
    try:
        with transaction.atomic():
            locked = access.lock_image_for(actor, image_id, "image_cover")
            decision = _decision(actor, locked, client_key)
            if decision.earlier(**data) is not None:
                if made is not None:
                    made.discard()
                return locked
            if not access.may_tick(actor, locked, "image_cover"):
                raise NotFound
            _check(locked, no, resolved)
            if made is not None:
                made.replace(locked)
            Redaction.objects.create(
                image=locked,
                no=locked.redaction_no,
                covers=covers,
                by=actor,
                regions=[region.as_json() for region in resolved],
                client_key=client_key,
            )
            decision.record(**data)
    except (DomainError, OSError, IntegrityError):
        # After any other error, such as a lost connection, the transaction may be committed; the sweep decides.
        if made is not None:
            made.discard()
        raise
    return locked


def _decision(actor: Person, image: Image, client_key: UUID) -> Decision:
    return Decision(actor_id=actor.pk, action="image_cover", row=image, client_key=client_key)


def _resolved(region: rules.Region) -> rules.Region:
    """The region as it is covered in fact, with its reason only where it stays visible."""
    how = rules.strength(region)
    reason = "" if shows_nothing(region.reason) else region.reason.strip()
    return rules.Region(region.key, region.box, region.what, how, reason, region.origin)


def _check(image: Image, no: int, regions: Sequence[rules.Region]) -> None:
    if no != image.redaction_no:
        raise StaleRedaction(no=no, redaction_no=image.redaction_no)
    if fault := rules.fault_of(regions, image.width, image.height):
        raise RegionsMalformed(key=fault[0], fault=fault[1])
    proposals = open_proposals([image])[image.pk]
    if left := rules.undecided(proposals, [region.as_json() for region in regions], []):
        raise ProposalsOpen(count=len(left))


def _make_files(image: Image, regions: Sequence[rules.Region]) -> _NewFiles:
    """Cover the current clean file in a child process, and store the results, which no row refers to yet.

    Raises:
        PictureTooCostly, NotFound, StorageUnavailable, StorageFull.
    """
    clean = Rendition.objects.filter(image=image, role=Rendition.Role.CLEAN, version=image.version).first()
    if clean is None:
        raise NotFound
    require_space(clean.bytes)
    try:
        with store().local_path(clean.key) as path:
            covered = run_in_child(rules.cover_file, CLEANING_LIMITS, path, list(regions))
    except ChildFailed as failure:
        log.warning("picture %s was not covered: %s", image.pk, failure)
        raise PictureTooCostly from failure
    except FileNotFoundError as error:
        log.exception("the picture %s is missing", clean.key)
        raise NotFound from error
    made = _NewFiles(covered, image)
    try:
        with disk_full_as_error():
            made.store()
    except (DomainError, OSError):
        made.discard()
        raise
    return made


class _NewFiles:
    """The files of a picture's next version, before any row refers to them."""

    def __init__(self, covered: rules.CoveredFiles, image: Image) -> None:
        self._covered, self._image = covered, image
        self._store, self._keys, self._rows = store(), list[str](), list[Rendition]()
        self._near: list[NearDuplicate] = []

    def store(self) -> None:
        """Put them into the store, and look for near duplicates of what is visible now."""
        folder, limits = uuid.uuid4(), image_rules(self._image.benchmark)
        encoded_files = self._covered.renditions
        for rendition_id, encoded in zip(rendition_ids(len(encoded_files)), encoded_files, strict=True):
            staged = files.stage(Path(settings.MEDIA_ROOT), encoded.data)
            key = f"{RENDITIONS}/{folder}/{rendition_id}-{encoded.role}.{encoded.extension}"
            try:
                self._store.put(key, staged, encoded.sha256)
                self._keys.append(key)
                if encoded.role == Rendition.Role.THUMB:
                    self._near, _ = find_near_duplicates(
                        benchmark_id=self._image.benchmark_id,
                        hashes=self._covered.hashes,
                        thumb=staged,
                        limit=limits.near_duplicate_distance,
                    )
            finally:
                staged.unlink(missing_ok=True)
            self._rows.append(
                Rendition(
                    pk=rendition_id,
                    image=self._image,
                    role=encoded.role,
                    version=self._image.version + 1,
                    sha256=encoded.sha256,
                    bytes=len(encoded.data),
                    width=encoded.width,
                    height=encoded.height,
                    key=key,
                )
            )

    def replace(self, image: Image) -> None:
        """Make them the locked picture's current files, take its tick off, and have the old ones destroyed.

        The flag of near duplicates is about the new version from now on. Pairs of the version before stay: the pictures
        still show the same scene, so that releases put them into one split.
        """
        freed = destroy_version(image)
        image.redaction_no += 1
        image.phash, image.phash_inner = self._covered.hashes.whole, self._covered.hashes.inner
        near = [one for one in self._near if one.image_id != image.pk]
        image.flags = [flag for flag in image.flags if flag["code"] != NEAR_DUPLICATE] + near_duplicate_flags(near)
        take_tick_off(image)
        image.save(update_fields=["redaction_no", "phash", "phash_inner", "flags", *TICK_FIELDS])
        Rendition.objects.bulk_create(self._rows)
        record_near_pairs(image, near)
        added = sum(row.bytes for row in self._rows)
        Benchmark.objects.filter(pk=image.benchmark_id).update(picture_bytes=F("picture_bytes") + added - freed)

    def discard(self) -> None:
        """Destroy the files, because no row will refer to them.

        They show what another person covered in the same moment, and a backup may have copied them: the record makes
        backups follow.
        """
        with suppress(DatabaseError):  # the error that led here is raised; the sweep destroys the files
            Destruction.objects.bulk_create(
                [Destruction(key=key, image=self._image, reason="covered") for key in self._keys],
                ignore_conflicts=True,
            )
        self._store.discard(self._keys)


#: From this score on a detector is sure; drawings of animals and lanterns pass for faces with up to 0.5.
_SURE: Final = 0.6


@transaction.atomic
def record_proposals(
    *, image_id: int, version: int, detector: str, regions: Sequence[dict[str, Any]], failed: bool = False
) -> bool:
    """Store what a detector found in a version of a picture; an empty list says that it looked and found nothing.

    Args:
        image_id: The picture.
        version: The version of the file that it read.
        detector: Its name.
        regions: ``{key, box, what, score}``, in pixels of the clean rendition; keys are unique among all detectors.
        failed: The detector could not search.

    Returns:
        False, and nothing is stored, if the picture has another version by now.

    A person may have ticked the picture while it was searched. If a region of which the detector is sure is left to
    decide on, the tick is taken off, so that the picture waits for a curator again. Otherwise who looked counts more.
    """
    image = Image.objects.select_for_update(of=("self",), no_key=True).get(pk=image_id)
    if image.version != version:
        return False
    RegionProposal.objects.create(image=image, version=version, detector=detector, regions=list(regions), failed=failed)
    is_sure = any(region["score"] >= _SURE for region in regions)
    if is_sure and image.tick != "unticked" and open_proposals([image])[image.pk]:
        decision = Decision(actor_id=None, action="image_search", row=image, client_key=None)
        decision.record(redaction_no=image.redaction_no, tick=image.tick)
        take_tick_off(image)
        image.save(update_fields=TICK_FIELDS)
    return True


# --- Pictures that wait for a tick, reserved for one curator

# As for inspection batches (``holding``). A picture whose contributor ticked it waits, too: releases need another's.
_RESERVE: Final = """
    with free as (
        select image.id from curation_image image
        left join curation_coverhold held on held.image_id = image.id
        where image.benchmark_id = %(benchmark)s and image.pii_clear_by_id is null
          and image.state in ('received', 'accepted') and image.number > %(after)s
          and (held.image_id is null or held.held_until < %(now)s)
          and (not %(proposed)s or exists (
               select from curation_regionproposal p where p.image_id = image.id
               and p.version = image.redaction_no + 1 and p.regions <> '[]'))
        order by image.number
        limit %(size)s
        for no key update of image skip locked
    )
    insert into curation_coverhold (image_id, holder_id, held_until)
    select id, %(holder)s, %(until)s from free
    on conflict (image_id) do update set holder_id = excluded.holder_id, held_until = excluded.held_until
    where curation_coverhold.held_until < %(now)s
    returning image_id
"""
_TRIES: Final = 3  # in case concurrent requests reserved some of the same pictures


def hold_to_cover(
    *, actor: Person, benchmark_slug: str, size: int, after: int = 0, proposed: bool = False
) -> HeldBatch:
    """Reserve pictures without another person's tick for a curator: those reserved already, then others.

    Args:
        actor: The curator.
        benchmark_slug: The benchmark.
        size: How many.
        after: Only pictures with larger numbers; reserved ones up to it, which were passed over, are released.
        proposed: Only pictures in which a detector found something.

    Raises:
        NotFound, OperationNotAllowed: The actor may not cover pictures of others here.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "cover_hold")
    now = database_now()
    until = now + LEASE
    with transaction.atomic():
        own = CoverHold.objects.filter(holder=actor, image__benchmark=benchmark)
        waiting = own.filter(
            held_until__gt=now,
            image__pii_clear_by=None,
            image__number__gt=after,
            image__state__in=[Image.State.RECEIVED, Image.State.ACCEPTED],
        )
        ids = list(waiting.order_by("image__number").values_list("image_id", flat=True)[:size])
        own.exclude(image__in=ids).delete()
        CoverHold.objects.filter(holder=actor, image__in=ids).update(held_until=until)
    values: dict[str, Any] = {
        "benchmark": benchmark.pk,
        "holder": actor.pk,
        "now": now,
        "until": until,
        "after": after,
        "proposed": proposed,
    }
    for _ in range(_TRIES):
        if len(ids) >= size:
            break
        with connection.cursor() as cursor:
            cursor.execute(_RESERVE, values | {"size": size - len(ids)})
            ids += [row[0] for row in cursor.fetchall()]
    others = CoverHold.objects.filter(image__benchmark=benchmark, held_until__gt=now).exclude(holder=actor)
    of_others = others.aggregate(held=Count("pk"), until=Min("held_until"))
    return HeldBatch(ids, until if ids else None, of_others["held"], of_others["until"])


def renew_covers(*, actor: Person, benchmark_slug: str) -> datetime | None:
    """Renew the reservation for ten minutes; None if nothing of the batch is left.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "cover_hold_renew")
    until = database_now() + LEASE
    own = CoverHold.objects.filter(holder=actor, image__benchmark=benchmark)
    return until if own.update(held_until=until) else None


def release_covers(*, actor: Person, benchmark_slug: str) -> None:
    """Release the batch, so that other curators can look at its pictures.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "cover_hold_release")
    CoverHold.objects.filter(holder=actor, image__benchmark=benchmark).delete()
