"""Decisions about items that as many second people failed as the protocol lets try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from annotation.bases.errors import BaseChanged
from annotation.items import services as items
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import context_of
from annotation.judging.models import Verdict
from annotation.judging.services import Judgement, check_reasons, replayed_verdict, write_verdict
from annotation.pair.services.rounds import open_round
from annotation.peer import access
from annotation.peer.services.checking import record_outcome
from annotation.peer.states import PAIR as TABLE
from annotation.quality.errors import ContentNeeded
from curation.core import audit
from curation.core.errors import StaleRow
from curation.people.models import Person
from curation.people.services import notify

RIGHT, WRONG, CORRECT = "right", "wrong", "correct"


@transaction.atomic
def decide_item(
    *,
    actor: Person,
    item_id: int,
    revision_no: int,
    outcome: str,
    client_key: UUID,
    reasons: Sequence[str] = (),
    comment: str = "",
    content: Mapping[str, Any] | None = None,
    overrides: Mapping[str, str] = MappingProxyType({}),
    picture_no: int | None = None,
) -> Item:
    """Accept an item as ``right``, exclude it as ``wrong`` with reasons, or ``correct`` it for another second person.

    Raises:
        OwnWork: The actor wrote a revision of the item; it may be corrected again.
        ContentNeeded: A correction came without content.
        BaseChanged: What the item rests on is not accepted any more.
        ContentRefused, ContentMalformed, TextRefused, ReasonNeeded, ReasonUnknown.
        PictureChanged, StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    judgement = Judgement(item_id, revision_no, "inspection", outcome, list(reasons), comment, client_key, picture_no)
    if outcome == CORRECT:
        return _correct(actor, judgement, content, overrides)
    if replayed_verdict(actor, judgement):
        return Item.objects.get(pk=item_id)
    involved = access.lock_item_for(actor, item_id, "item_decide", track=Item.Track.PAIR)
    if replayed_verdict(actor, judgement):  # the same request on another connection held the lock
        return Item.objects.get(pk=item_id)
    item = _check(actor, involved, revision_no)
    check_reasons(item.kind, item.benchmark.protocol_id, reasons, comment, needed=outcome == WRONG)
    earlier = Verdict.objects.filter(item=item, stage="inspection").aggregate(n=Max("round"))["n"] or 0
    verdict = write_verdict(actor, item, judgement, round_no=earlier + 1, action="item_decide")
    if outcome == RIGHT:
        [former] = items.accept([item], "decide_right", table=TABLE)
        record_outcome(item, "item_accept", former, actor)
    else:
        [former] = items.exclude([item], "decide_wrong", Item.Excluded.DECISION, table=TABLE)
        record_outcome(item, "item_exclude", former, actor)
    _notify(item, verdict.author_id, actor)
    return Item.objects.get(pk=item_id)


def _check(actor: Person, involved: access.Involvement, revision_no: int) -> Any:
    """Return the locked item if the actor may decide about this revision now."""
    item = involved.item
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    access.check_action(actor, involved, "item_decide")
    if not item.base_of["current"]:
        raise BaseChanged
    return item


def _correct(
    actor: Person, judgement: Judgement, content: Mapping[str, Any] | None, overrides: Mapping[str, str]
) -> Item:
    item_id, key = judgement.item_id, judgement.client_key
    if content is None:
        raise ContentNeeded
    involved = access.lock_item_for(actor, item_id, "item_decide", track=Item.Track.PAIR)
    if ItemRevision.objects.filter(author=actor, client_key=key, item_id=item_id).exists():
        return Item.objects.get(pk=item_id)
    item = _check(actor, involved, judgement.revision_no)
    protocol_id, former = item.benchmark.protocol_id, item.newest["author_id"]
    context = context_of(protocol_id, item.kind, **item.facts, base=item.base_of["content"])
    state = item.state
    revision = items.append_revision(
        item=item,
        action="correct",
        author_id=actor.pk,
        base_no=judgement.revision_no,
        content=items.clean_content(item.kind, protocol_id, content, context, draft=False),
        context=context,
        reasons=overrides,
        origin="senior",
        protocol_id=protocol_id,
        client_key=key,
        picture_no=judgement.picture_no,
        table=TABLE,
    )
    open_round(item)
    audit.record(
        action="item_decide",
        target_type="item",
        target_id=item.pk,
        label=item.label,
        actor_id=actor.pk,
        benchmark_id=item.benchmark_id,
        state_from=state,
        state_to=item.state,
        data={"outcome": CORRECT, "revision_no": revision.no},
    )
    _notify(item, former, actor)
    return Item.objects.get(pk=item_id)


def _notify(item: Any, author_id: int, actor: Person) -> None:
    notify(
        person_ids=[author_id],
        code="item_decided",
        params={"item": item.label},
        actor_id=actor.pk,
        benchmark_id=item.benchmark_id,
        target_type="item",
        target_id=item.pk,
    )
