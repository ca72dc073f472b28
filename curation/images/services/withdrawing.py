"""Withdrawing pictures, so that no future release includes them, and restoring them."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from curation.benchmarks.queries import image_rules
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.transitions import advance
from curation.images.access import lock_image_for
from curation.images.errors import ReasonsRefused
from curation.images.models import Image, InspectionHold, Takedown
from curation.images.states import TABLE
from curation.people.models import Person

# Items and packages are in apps above this one, so their task is called by its name.
FOLLOW_PICTURES_TASK = "annotation.follow_pictures"


@transaction.atomic
def withdraw_image(*, actor: Person, image_id: int, reason: str, comment: str, client_key: UUID) -> int:
    """Withdraw a picture from future work and releases; contributors may withdraw their own.

    Returns:
        The picture's id.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this.
        ReasonsRefused: The protocol does not list the reason.
        ActionNotAllowed: It is refused or withdrawn already.
        ClientKeyReused: The key was used for something else.
    """
    image = lock_image_for(actor, image_id, "image_take_down")
    decision = Decision(actor_id=actor.pk, action="image_take_down", row=image, client_key=client_key)
    if decision.is_repeat(reason=reason):
        return image.pk
    listed = [entry.code for entry in image_rules(image.benchmark).takedown_reasons]
    if reason not in listed:
        raise ReasonsRefused(reasons=[reason], allowed=listed)
    state_from = advance(image, "take_down", table=TABLE)
    InspectionHold.objects.filter(image=image).delete()
    _store(image, Takedown(restored=False, by=actor, state_from=state_from, reason=reason, comment=comment), client_key)
    decision.record(reason=reason)
    transaction.on_commit(lambda: jobs.send(FOLLOW_PICTURES_TASK))
    return image.pk


@transaction.atomic
def restore_image(*, actor: Person, image_id: int, reason: str, comment: str, client_key: UUID) -> int:
    """Restore a withdrawn picture to the state that it was withdrawn from.

    Returns:
        The picture's id.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this.
        ActionNotAllowed: It is not withdrawn.
        ClientKeyReused: The key was used for something else.
    """
    image = lock_image_for(actor, image_id, "image_restore")
    decision = Decision(actor_id=actor.pk, action="image_restore", row=image, client_key=client_key)
    if decision.is_repeat(reason=reason or None):
        return image.pk
    newest = Takedown.objects.filter(image=image).order_by("-no").values_list("state_from", flat=True).first()
    state_from = advance(image, f"restore_{newest or Image.State.RECEIVED}", table=TABLE)
    _store(image, Takedown(restored=True, by=actor, state_from=state_from, reason=reason, comment=comment), client_key)
    decision.record(**({"reason": reason} if reason else {}))
    transaction.on_commit(lambda: jobs.send(FOLLOW_PICTURES_TASK))
    return image.pk


def _store(image: Image, takedown: Takedown, client_key: UUID) -> None:
    image.save(update_fields=["state"])
    takedown.image = image
    takedown.no = Takedown.objects.filter(image=image).count() + 1
    takedown.client_key = client_key
    takedown.save(force_insert=True)
