"""Turns of a dialogue, and the revision that its last one makes."""

from __future__ import annotations

import uuid
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from annotation.bases.errors import BaseChanged
from annotation.bases.models import ItemBase
from annotation.bases.queries import drawn_text
from annotation.dialogues.access import check_part, dialogue_for, part_in, relations
from annotation.dialogues.errors import NotYourTurn, StaleTurn
from annotation.dialogues.models import Dialogue, DialogueTurn
from annotation.dialogues.queries import guidelines_of
from annotation.dialogues.rules import QUESTION, part_of_turn
from annotation.dialogues.services.telling import tell_both, tell_typing
from annotation.dialogues.states import TABLE, Relation
from annotation.items import services as items
from annotation.items.errors import ContentRefused
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import context_of, picture_facts, tree_of
from annotation.kinds.base import open_findings
from annotation.kinds.content import empty
from annotation.kinds.context import Context
from annotation.peer.states import PAIR
from curation.core import audit, live
from curation.core.errors import ClientKeyReused
from curation.core.transitions import advance, check_state
from curation.images.models import Blindfold
from curation.people.models import Person


@transaction.atomic
def say(*, actor: Person, dialogue_id: int, no: int, text: str, client_key: UUID) -> Dialogue:
    """Write turn ``no`` of a dialogue: the next one, by the person on turn. A repeat changes nothing.

    The last turn makes the item's revision, by the answerer with the questioner as partner, and ends the blindfold.

    Raises:
        StaleTurn: The dialogue went on, or the turn is not the next one.
        NotYourTurn: The next turn is the partner's.
        SeesEveryPicture: The actor questions and got a role by which they can open every picture.
        BaseChanged: The caption was changed, or the item excluded; the dialogue will be ended.
        PictureChanged: The picture has no tick at the moment of the last turn, because something in it was covered.
        ContentRefused, TextRefused, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    dialogue = dialogue_for(actor, dialogue_id, "turn_say", lock=True)
    if _is_repeat(actor, dialogue, no, text, client_key):
        return dialogue
    check_state(TABLE, "turn_say", dialogue.state)
    following = dialogue.turn_no + 1
    if no != following:
        raise StaleTurn(position=following)
    if part_of_turn(no) != part_in(actor.pk, dialogue):
        raise NotYourTurn
    check_part(actor, dialogue.item.benchmark, [part_of_turn(no)], "turn_say")
    if not still_holds(dialogue):
        raise BaseChanged
    context = _context(dialogue)
    flags = _flags(dialogue, context, no, text)
    DialogueTurn.objects.create(dialogue=dialogue, no=no, author=actor, text=text, flags=flags, client_key=client_key)
    dialogue.turn_no = no
    if no == 2 * dialogue.rounds:
        _finish(dialogue, context)
    sign(dialogue, actor.pk)
    dialogue.save()
    if dialogue.state == Dialogue.State.DONE:
        end_blindness(dialogue)
    dialogue.refresh_from_db()
    tell_both(dialogue)
    return dialogue


@transaction.atomic
def give_sign(*, actor: Person, dialogue_id: int, typing: bool) -> None:
    """Record that the actor's page is open, or tell the partner that the actor types the next turn.

    Typing is stored nowhere. Pages with a stream of events send only that. In a dialogue that is over nothing happens.

    Raises:
        NotFound, OperationNotAllowed.
    """
    dialogue = dialogue_for(actor, dialogue_id, "dialogue_sign")
    if not typing:
        if dialogue.state in (Dialogue.State.OPEN, Dialogue.State.PAUSED):
            live.record_presence([actor.pk])
    elif dialogue.state == Dialogue.State.OPEN and Relation.ON_TURN in relations(actor, dialogue):
        tell_typing(actor.pk, dialogue)


def still_holds(dialogue: Dialogue) -> bool:
    """Whether the item waits for its dialogue, and the caption that was drawn is accepted as it was."""
    base = ItemBase.objects.select_related("item", "item__image").get(item=dialogue.item_id)
    if base.item.state != Item.State.TODO or base.item.image.state != "accepted":
        return False
    if base.current:
        return _caption(base) == dialogue.caption
    # While the captions are open again no one knows yet; the sweep and the next turn look again.
    return base.base_item.state != Item.State.EXCLUDED


def _caption(base: ItemBase) -> str:
    content = ItemRevision.objects.values_list("content", flat=True).get(item=base.base_item_id, no=base.base_no)
    return drawn_text(content, base.path)


def sign(dialogue: Dialogue, person_id: int) -> None:
    """Note that one of the two is there; the caller saves the row."""
    setattr(dialogue, "questioner_at" if part_in(person_id, dialogue) == QUESTION else "answerer_at", Now())


def end_blindness(dialogue: Dialogue) -> None:
    """Let the questioner see the picture of a dialogue that is over."""
    Blindfold.objects.filter(image_id=dialogue.image_id, person_id=dialogue.questioner_id).delete()


def _is_repeat(actor: Person, dialogue: Dialogue, no: int, text: str, client_key: UUID) -> bool:
    turn = DialogueTurn.objects.filter(author=actor, client_key=client_key).first()
    if turn is None:
        return False
    if (turn.dialogue_id, turn.no, turn.text) != (dialogue.pk, no, text):
        raise ClientKeyReused
    return True


def _context(dialogue: Dialogue) -> Context:
    item: Any = Item.objects.annotate(facts=picture_facts("image")).get(pk=dialogue.item_id)
    return context_of(_protocol_id(dialogue), item.kind, **item.facts)


def _protocol_id(dialogue: Dialogue) -> int:
    protocol_id = dialogue.item.benchmark.protocol_id
    if protocol_id is None:  # a benchmark gets its protocol in the transaction that creates it
        raise AssertionError
    return protocol_id


def _flags(dialogue: Dialogue, context: Context, no: int, text: str) -> list[str]:
    """The codes of the warnings about a turn's text, checked as it will be in the content.

    Raises:
        ContentRefused: A rule refuses the text.
    """
    kind, protocol_id = dialogue.item.kind, _protocol_id(dialogue)
    content = empty(tree_of(protocol_id, kind))
    position, name = (no - 1) // 2, part_of_turn(no)
    content["rounds"][position][name] = text
    cleaned = items.clean_content(kind, protocol_id, content, context, draft=False)
    path = f"rounds.{position}.{name}"
    checked = items.check_content(kind, protocol_id, cleaned, context, complete=True)
    findings = [finding for finding in checked if finding.field == path]
    if blocking := open_findings(findings, {}):
        raise ContentRefused(count=len(blocking), findings=[finding.as_json() for finding in findings])
    return list(dict.fromkeys(finding.code for finding in findings))


def _finish(dialogue: Dialogue, context: Context) -> None:
    """Write the revision of a dialogue whose last turn was just written."""
    item = Item.objects.select_for_update(no_key=True).select_related("benchmark").get(pk=dialogue.item_id)
    protocol_id = _protocol_id(dialogue)
    texts = list(DialogueTurn.objects.filter(dialogue=dialogue).order_by("no").values_list("text", flat=True))
    rounds = [{"question": texts[n], "answer": texts[n + 1]} for n in range(0, len(texts), 2)]
    read = guidelines_of(item.benchmark_id, dialogue.answerer_id)
    state = item.state
    revision = items.append_revision(
        item=item,
        action="submit",
        author_id=dialogue.answerer_id,
        partner_id=dialogue.questioner_id,
        base_no=item.revision_no,
        content=items.clean_content(item.kind, protocol_id, {"rounds": rounds}, context, draft=False),
        context=context,
        reasons={},
        origin="annotator",
        protocol_id=protocol_id,
        client_key=uuid.uuid4(),
        guideline_id=next((g["id"] for g in read if g["acknowledged"]), None),
        table=PAIR,
    )
    former = advance(dialogue, "finish", table=TABLE)
    dialogue.ended_at = Now()
    audit.record(
        action="item_submit",
        target_type="item",
        target_id=item.pk,
        label=item.label,
        actor_id=dialogue.answerer_id,
        benchmark_id=item.benchmark_id,
        state_from=state,
        state_to=item.state,
        data={"revision_no": revision.no, "dialogue_id": dialogue.pk, "partner_id": dialogue.questioner_id},
    )
    audit.record(
        action="dialogue_finish",
        target_type="dialogue",
        target_id=dialogue.pk,
        label=item.label,
        actor_id=None,
        benchmark_id=item.benchmark_id,
        state_from=former,
        state_to=dialogue.state,
    )
