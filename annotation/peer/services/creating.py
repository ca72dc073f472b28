"""Creating items one at a time, on a picture of the person's team, or of the benchmark where there are no teams."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from annotation.bases.queries import bases_for
from annotation.bases.services import rest_on
from annotation.items.models import FREES_SLOT, Item
from annotation.items.queries import protocol_with, publishable, tree_of
from annotation.items.services import add_items, lock_benchmark, save_draft
from annotation.kinds.content import empty
from annotation.kinds.registry import LIVE
from annotation.peer import access
from annotation.peer.errors import MadeInDialogue, PictureFull
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

    In the peer track it has to be a picture of the actor's team, to which the item then belongs. In the pair track it
    has to be one with accepted work on which the item then rests; an empty draft keeps the item for the actor.

    Raises:
        KindNotInProtocol, TrackNotInProtocol: The kind is written in packages here.
        NotFound: The picture is not one that the actor may write on, or not of the kind's subset.
        BaseChanged: The accepted work was changed at this moment.
        MadeInDialogue: Two people make them together.
        PictureFull, ClientKeyReused, OperationNotAllowed.
    """
    benchmark = lock_benchmark(benchmark_for(actor, benchmark_slug, "item_create", kind))
    track = access.track_of(benchmark, kind)
    work = work_of(protocol_with(benchmark, kind).content, kind)
    if kind in LIVE:
        raise MadeInDialogue
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
    base = bases_for(kind).filter(image=image).first() if track == Item.Track.PAIR else None
    if track == Item.Track.PAIR and base is None:
        raise NotFound
    taken = Item.objects.filter(benchmark=benchmark, kind=kind, image=image).exclude(excluded_for__in=FREES_SLOT)
    slot = free_slot(taken.values_list("slot", flat=True), work.per_picture.maximum)
    if slot is None:
        raise PictureFull(maximum=work.per_picture.maximum)
    team_id = image.team_id if by_team else None
    [item] = add_items(benchmark, kind, [(image.pk, slot)], track=track, team_id=team_id)
    if base is not None:
        rest_on(item, base)
        content = empty(tree_of(protocol_with(benchmark, kind).pk, kind))
        save_draft(item=item, author_id=actor.pk, base_no=0, seq=0, content=content, findings=[])
    decision.row = item
    decision.record_transition("", item.state, kind=kind, image_id=image_id, slot=slot)
    return item
