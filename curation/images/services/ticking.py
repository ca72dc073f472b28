"""Ticks: a person looked at a picture's current version and found nothing that may not be seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from curation.benchmarks.queries import image_rules
from curation.core import audit
from curation.core.errors import ActionNotAllowed, ClientKeyReused, DomainError, NotFound, OwnWork
from curation.core.models import AuditEvent
from curation.images import access
from curation.images.errors import ProposalsOpen, SharingNotAllowed, StaleRedaction
from curation.images.models import CoverHold, Image
from curation.images.queries.regions import open_regions
from curation.images.rules import DecisionResult
from curation.images.states import TABLE, TICKS
from curation.people.access import benchmark_for
from curation.people.models import Person

TICK_FIELDS: Final = ("pii_clear_by", "clear_no", "shared_at", "shared_no")


class Mark(NamedTuple):
    """A tick of one picture.

    Attributes:
        image_id: The picture.
        client_key: Makes a repeat harmless.
        no: The picture's ``redaction_no`` that the page showed; None, for programs alone: the current one.
    """

    image_id: int
    client_key: UUID
    no: int | None = None


@transaction.atomic
def clear_images(*, actor: Person, benchmark_slug: str, marks: Iterable[Mark]) -> list[DecisionResult]:
    """Tick others' pictures as free of personal information; no release includes a picture without this tick.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        ClientKeyReused: A concurrent command used one of the keys; nothing was ticked.
    """
    return _tick("image_clear", actor, benchmark_slug, marks)


@transaction.atomic
def share_images(*, actor: Person, benchmark_slug: str, marks: Iterable[Mark]) -> list[DecisionResult]:
    """Tick one's own pictures, so that one's team works on them; releases need another person's tick all the same.

    Raises:
        SharingNotAllowed: The protocol does not let contributors do this.
        NotFound, OperationNotAllowed: The actor may not do this here.
        ClientKeyReused: A concurrent command used one of the keys; nothing was ticked.
    """
    return _tick("image_share", actor, benchmark_slug, marks)


def take_tick_off(image: Image) -> None:
    """Take the ticks of a locked picture off; the caller saves ``TICK_FIELDS``."""
    image.pii_clear_by = image.clear_no = image.shared_at = image.shared_no = None


def _tick(operation: str, actor: Person, benchmark_slug: str, marks: Iterable[Mark]) -> list[DecisionResult]:
    benchmark = benchmark_for(actor, benchmark_slug, operation)
    if operation == "image_share" and image_rules(benchmark).share != "own_tick":
        raise SharingNotAllowed
    by_image = {mark.image_id: mark for mark in (Mark(*mark) for mark in marks)}
    rows = access.images_visible_to(actor, benchmark, operation).filter(pk__in=by_image)
    images = {i.pk: i for i in rows.select_for_update(of=("self",), no_key=True).order_by("pk")}
    earlier = audit.done_before(actor_id=actor.pk, client_keys=[mark.client_key for mark in by_image.values()])
    undecided = open_regions(images.values())
    results, changed, events = [], [], []
    for mark in by_image.values():
        image = images.get(mark.image_id)
        before = earlier.get(mark.client_key)
        try:
            ticks = _check(operation, actor, mark, image, before, undecided)
        except DomainError as error:
            results.append(DecisionResult(mark.image_id, error))
            continue
        results.append(DecisionResult(mark.image_id))
        if image is None or not ticks:
            continue
        if operation == "image_clear":
            image.pii_clear_by, image.clear_no = actor, image.redaction_no
        else:
            image.shared_at, image.shared_no = timezone.now(), image.redaction_no
        changed.append(image)
        events.append(
            audit.event(
                action=operation,
                target_type="image",
                target_id=image.pk,
                label=image.label,
                actor_id=actor.pk,
                benchmark_id=image.benchmark_id,
                data={"redaction_no": image.redaction_no},
                client_key=mark.client_key,
            )
        )
    Image.objects.bulk_update(changed, TICK_FIELDS)
    audit.record_all(events)
    if changed:
        CoverHold.objects.filter(holder=actor, image__in=changed).delete()
    return results


def _check(
    operation: str,
    actor: Person,
    mark: Mark,
    image: Image | None,
    before: AuditEvent | None,
    undecided: Mapping[int, list[str]],
) -> bool:
    """Return whether the picture is to be ticked; False if it was before, because who did first stays on record.

    Raises:
        NotFound, OwnWork, ClientKeyReused, StaleRedaction, ProposalsOpen, ActionNotAllowed.
    """
    if image is None:
        raise NotFound
    if not access.has_relation(actor, image, operation):
        raise OwnWork if operation == "image_clear" else NotFound
    if before is not None:
        is_other = mark.no is not None and before.data.get("redaction_no", mark.no) != mark.no
        if (before.action, before.target_id) != (operation, mark.image_id) or is_other:
            raise ClientKeyReused
        return False
    if mark.no is not None and mark.no != image.redaction_no:
        raise StaleRedaction(no=mark.no, redaction_no=image.redaction_no)
    if image.tick == "clear" or (operation == "image_share" and image.tick == "shared"):
        return False
    row = next(row for row in TABLE.values() if row.operation == operation)
    if image.state not in row.sources:
        raise ActionNotAllowed(action=operation, state=image.state)
    if not any(image.tick in row.sources for row in TICKS.values() if row.operation == operation):
        raise ActionNotAllowed(action=operation, state=image.tick)
    if undecided[image.pk]:
        raise ProposalsOpen(count=len(undecided[image.pk]))
    return True
