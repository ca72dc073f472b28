"""A picture is taken down: no future release holds it; and brought back where that was a mistake."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from curation.benchmarks.queries import image_rules
from curation.core import audit, jobs
from curation.core.errors import ClientKeyReused
from curation.core.transitions import advance
from curation.images.access import lock_image_for
from curation.images.errors import ReasonsRefused
from curation.images.models import Image, InspectionHold, Takedown
from curation.images.states import TABLE
from curation.people.models import Person

# What follows pictures lies above this room and is only woken.
FOLLOWERS = "annotation.follow_pictures"


@transaction.atomic
def take_down(*, actor: Person, image_id: int, reason: str, comment: str, client_key: UUID) -> int:
    """Withdraw a picture from future work and releases; those who contributed it may do so with their own.

    Returns:
        The picture's id.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this.
        ReasonsRefused: The protocol does not list the reason.
        ActionNotAllowed: It is refused or withdrawn already.
        ClientKeyReused: The key was used for something else.
    """
    image = lock_image_for(actor, image_id, "image_take_down")
    if _done_before(actor, image, client_key, restored=False, reason=reason):
        return image.pk
    listed = [entry.code for entry in image_rules(image.benchmark).takedown_reasons]
    if reason not in listed:
        raise ReasonsRefused(reasons=[reason], allowed=listed)
    left = advance(image, "take_down", table=TABLE)
    InspectionHold.objects.filter(image=image).delete()
    _write_down(actor, image, left, "image_take_down", reason, comment, client_key)
    return image.pk


@transaction.atomic
def restore(*, actor: Person, image_id: int, reason: str, comment: str, client_key: UUID) -> int:
    """Bring a withdrawn picture back to where it was.

    Returns:
        The picture's id.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this.
        ActionNotAllowed: It is not withdrawn.
        ClientKeyReused: The key was used for something else.
    """
    image = lock_image_for(actor, image_id, "image_restore")
    if _done_before(actor, image, client_key, restored=True, reason=reason):
        return image.pk
    newest = Takedown.objects.filter(image=image).order_by("-no").values_list("state_from", flat=True).first()
    left = advance(image, f"restore_{newest or Image.State.RECEIVED}", table=TABLE)
    _write_down(actor, image, left, "image_restore", reason, comment, client_key)
    return image.pk


def _done_before(actor: Person, image: Image, client_key: UUID, *, restored: bool, reason: str) -> bool:
    earlier = Takedown.objects.filter(by=actor, client_key=client_key).first()
    if earlier is None:
        return False
    if (earlier.image_id, earlier.restored, earlier.reason) != (image.pk, restored, reason):
        raise ClientKeyReused
    return True


def _write_down(
    actor: Person, image: Image, left: str, action: str, reason: str, comment: str, client_key: UUID
) -> None:
    image.save(update_fields=["state"])
    Takedown.objects.create(
        image=image,
        no=Takedown.objects.filter(image=image).count() + 1,
        restored=action == "image_restore",
        by=actor,
        state_from=left,
        reason=reason,
        comment=comment,
        client_key=client_key,
    )
    audit.record(
        action=action,
        target_type="image",
        target_id=image.pk,
        label=image.label,
        actor_id=actor.pk,
        benchmark_id=image.benchmark_id,
        state_from=left,
        state_to=image.state,
        data={"reason": reason} if reason else {},
        client_key=client_key,
    )
    transaction.on_commit(lambda: jobs.send(FOLLOWERS))
