"""Creating items of a team, one at a time, on a picture of the team."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from annotation.items.errors import TrackNotInProtocol
from annotation.items.models import FREES_SLOT, Item
from annotation.items.queries import protocol_with, publishable
from annotation.items.services import add_items, lock_benchmark
from annotation.peer import access
from annotation.peer.errors import PictureFull
from annotation.peer.rules import free_slot
from curation.benchmarks.rules import work_of
from curation.core.decisions import Decision
from curation.core.errors import NotFound
from curation.images.models import Image
from curation.people.access import benchmark_for
from curation.people.models import Person


@transaction.atomic
def create_item(*, actor: Person, benchmark_slug: str, kind: str, image_id: int, client_key: UUID) -> Item:
    """Create an item of a kind on a picture of the actor's team, in the first free slot.

    Raises:
        KindNotInProtocol, TrackNotInProtocol: The kind is not written by teams here.
        NotFound: The picture is not one that the actor's teams may write on, or not of the kind's subset.
        PictureFull, ClientKeyReused, OperationNotAllowed.
    """
    benchmark = lock_benchmark(benchmark_for(actor, benchmark_slug, "item_create", kind))
    work = work_of(protocol_with(benchmark, kind).content, kind)
    if work.track != "peer":
        raise TrackNotInProtocol(track=Item.Track.PEER.value)
    decision = Decision(
        actor_id=actor.pk, action="item_create", client_key=client_key, benchmark_id=benchmark.pk, target_type="item"
    )
    if earlier := decision.earlier(kind=kind, image_id=image_id):
        return Item.objects.get(pk=earlier.target_id)
    image = Image.objects.filter(publishable(subset=work.subset, shared=True), benchmark=benchmark, pk=image_id).first()
    if image is None or image.team_id not in access.writes_for(actor, benchmark.pk, kind):
        raise NotFound
    taken = Item.objects.filter(benchmark=benchmark, kind=kind, image=image).exclude(excluded_for__in=FREES_SLOT)
    slot = free_slot(taken.values_list("slot", flat=True), work.per_picture.maximum)
    if slot is None:
        raise PictureFull(maximum=work.per_picture.maximum)
    [item] = add_items(benchmark, kind, [(image.pk, slot)], track=Item.Track.PEER, team_id=image.team_id)
    decision.row = item
    decision.record_transition("", item.state, kind=kind, image_id=image_id, slot=slot)
    return item
