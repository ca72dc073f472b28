"""What curators decide on pictures, never on their own."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from curation.benchmarks.queries import image_rules
from curation.core import audit
from curation.core.errors import ClientKeyReused, OwnWork
from curation.core.transitions import advance
from curation.images.access import lock_image_for
from curation.images.errors import ReasonsRefused
from curation.images.models import Image, ImageVerdict
from curation.images.services.twins import lock_for_numbers, twin_of
from curation.images.states import TABLE
from curation.people.models import Person


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
    listed = [reason.code for reason in image_rules(image.benchmark).refusal_reasons]
    refusing = outcome == Image.State.REFUSED
    if bool(reasons) is not refusing or not set(reasons) <= set(listed):
        raise ReasonsRefused(reasons=list(reasons), allowed=listed if refusing else [])
    left = advance(image, "refuse" if refusing else "accept", table=TABLE)
    if left == Image.State.REFUSED:
        lock_for_numbers(image.benchmark_id)
        twin_of(image.contributor_id, image.benchmark_id, image.client_key, image.sha256)
    image.verdict_no += 1
    ImageVerdict.objects.create(
        image=image,
        no=image.verdict_no,
        judge=actor,
        contributor_id=image.contributor_id,
        outcome=outcome,
        reasons=list(reasons),
        client_key=client_key,
    )
    image.save(update_fields=["state", "verdict_no"])
    audit.record(
        action="image_judge",
        target_type="image",
        target_id=image.pk,
        label=image.label,
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
        label=image.label,
        actor_id=actor.pk,
        benchmark_id=image.benchmark_id,
        client_key=client_key,
    )
    return image.pk
