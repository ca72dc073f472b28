"""Creating items one at a time, on a picture of the person's team, or of the benchmark where there are no teams."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

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
    """Create an item of a kind on a picture of the actor's choice, in the first free slot.

    In the peer track it has to be a picture of the actor's team, to which the item then belongs.

    Raises:
        KindNotInProtocol, TrackNotInProtocol: The kind is written in packages here.
        NotFound: The picture is not one that the actor may write on, or not of the kind's subset.
        PictureFull, ClientKeyReused, OperationNotAllowed.
    """
    benchmark = lock_benchmark(benchmark_for(actor, benchmark_slug, "item_create", kind))
    track = access.track_of(benchmark, kind)
    work = work_of(protocol_with(benchmark, kind).content, kind)
    decision = Decision(
        actor_id=actor.pk, action="item_create", client_key=client_key, benchmark_id=benchmark.pk, target_type="item"
    )
    if earlier := decision.earlier(kind=kind, image_id=image_id):
        return Item.objects.get(pk=earlier.target_id)
    by_team = track == Item.Track.PEER
    open_to_all = publishable(subset=work.subset, shared=by_team)
    image = Image.objects.filter(open_to_all, benchmark=benchmark, pk=image_id).first()
    if image is None or (by_team and image.team_id not in access.writes_for(actor, benchmark.pk, kind)):
        raise NotFound
    taken = Item.objects.filter(benchmark=benchmark, kind=kind, image=image).exclude(excluded_for__in=FREES_SLOT)
    slot = free_slot(taken.values_list("slot", flat=True), work.per_picture.maximum)
    if slot is None:
        raise PictureFull(maximum=work.per_picture.maximum)
    team_id = image.team_id if by_team else None
    [item] = add_items(benchmark, kind, [(image.pk, slot)], track=track, team_id=team_id)
    decision.row = item
    decision.record_transition("", item.state, kind=kind, image_id=image_id, slot=slot)
    return item
