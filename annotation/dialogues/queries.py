"""What people are shown of the lobby and of their dialogues."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Value
from django.utils import timezone

from annotation.dialogues import access
from annotation.dialogues.models import Dialogue, DialogueTurn, Waiting
from annotation.dialogues.rules import FRESH_SECONDS, KIND, PRESENCE_SECONDS, QUESTION, SIGN_SECONDS, part_of_turn
from annotation.dialogues.shapes import DialogueBrief, DialoguePicture, DialogueShow, Lobby, TurnList, TurnRow
from annotation.dialogues.states import TABLE, Relation
from annotation.items.queries import (
    guidelines_read,
    kind_settings,
    picture,
    protocol_with,
    tree_of,
    with_pictures,
)
from annotation.kinds.dialogue import DialogueSettings
from annotation.kinds.tree import TextNode, groups
from curation.benchmarks.models import Benchmark
from curation.core import live
from curation.core.transitions import available_actions
from curation.people.access import benchmark_for
from curation.people.models import Person


def guidelines_of(benchmark_id: int, person_id: int) -> list[dict[str, Any]]:
    """The guidelines of dialogues, newest first, with whether a person acknowledged each."""
    rows: Any = Benchmark.objects.filter(pk=benchmark_id).annotate(of_kind=Value(KIND))
    read: list[dict[str, Any]] = rows.annotate(read=guidelines_read("pk", "of_kind", person_id)).get().read
    return read


def settings_of(benchmark: Benchmark) -> DialogueSettings:
    """The settings of dialogues in a benchmark's protocol."""
    settings = kind_settings(benchmark.protocol_id or 0, KIND)
    if not isinstance(settings, DialogueSettings):
        raise TypeError(settings)
    return settings


def lobby(person: Person, benchmark_slug: str) -> Lobby:
    """Show who waits, and the reader's dialogues that are not over.

    Raises:
        KindNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "lobby_show", KIND)
    protocol_with(benchmark, KIND)
    return lobby_of(person, benchmark)


def lobby_of(person: Person, benchmark: Benchmark) -> Lobby:
    """The lobby after the reader joined or left it."""
    mine = Waiting.objects.filter(person=person, benchmark=benchmark).first()
    fresh = timezone.now() - timedelta(seconds=FRESH_SECONDS)
    others = Waiting.objects.filter(benchmark=benchmark, seen_at__gte=fresh).exclude(person=person)
    unfinished = Dialogue.objects.filter(access.of_person(person), item__benchmark=benchmark)
    unfinished = unfinished.filter(state__in=["open", "paused"]).order_by("state", "-pk")
    return {
        "kind": KIND,
        "benchmark_id": benchmark.pk,
        "parts": access.parts_of(person, benchmark),
        "waits_as": mine.parts if mine else [],
        "since": mine.since if mine else None,
        "others": others.count(),
        "sign_seconds": SIGN_SECONDS,
        "dialogues": [_brief(person, dialogue) for dialogue in unfinished],
    }


def _brief(person: Person, dialogue: Dialogue) -> DialogueBrief:
    return {
        "id": dialogue.pk,
        "state": dialogue.state,
        "part": access.part_in(person.pk, dialogue),
        "caption": dialogue.caption,
        "turn_no": dialogue.turn_no,
        "rounds": dialogue.rounds,
        "paused_at": dialogue.paused_at,
    }


def turns(person: Person, dialogue_id: int, *, after: int = 0) -> TurnList:
    """List the turns of the reader's dialogue after a number.

    Raises:
        NotFound, OperationNotAllowed.
    """
    dialogue = access.dialogue_for(person, dialogue_id, "turn_list")
    return {
        "state": dialogue.state,
        "turn_no": dialogue.turn_no,
        "turns": _turns(dialogue, after),
        "partner_is_ready": _is_ready(dialogue, access.partner_of(person.pk, dialogue)),
        "partner_away_seconds": _seconds_away(dialogue, access.partner_of(person.pk, dialogue)),
    }


def _is_ready(dialogue: Dialogue, person_id: int) -> bool:
    """Whether one of the two came back to a paused dialogue, and not too long ago."""
    is_questioner = person_id == dialogue.questioner_id
    at = dialogue.questioner_ready_at if is_questioner else dialogue.answerer_ready_at
    since = timezone.now() - timedelta(minutes=settings_of(dialogue.item.benchmark).away_minutes)
    return dialogue.state == Dialogue.State.PAUSED and at is not None and at >= since


def _seconds_away(dialogue: Dialogue, person_id: int) -> int:
    """How long ago one of the two last acted, or had a page open."""
    acted = dialogue.questioner_at if person_id == dialogue.questioner_id else dialogue.answerer_at
    last = max(acted, live.last_signs([person_id]).get(person_id, acted))
    return max(int((timezone.now() - last).total_seconds()), 0)


def _turns(dialogue: Dialogue, after: int = 0) -> list[TurnRow]:
    rows = DialogueTurn.objects.filter(dialogue=dialogue, no__gt=after).order_by("no")
    return [
        {"no": row.no, "part": part_of_turn(row.no), "text": row.text, "flags": row.flags, "created_at": row.created_at}
        for row in rows
    ]


def dialogue(person: Person, dialogue_id: int) -> DialogueShow:
    """Show the reader's dialogue: to the questioner without its picture.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return _show(person, access.dialogue_for(person, dialogue_id, "dialogue_show"))


def changed_dialogue(person: Person, changed: Dialogue) -> DialogueShow:
    """The dialogue after one of the two changed it."""
    return _show(person, Dialogue.objects.select_related("item__benchmark").get(pk=changed.pk))


def _show(person: Person, row: Dialogue) -> DialogueShow:
    part = access.part_in(person.pk, row)
    is_questioner = part == QUESTION
    protocol_id = row.item.benchmark.protocol_id or 0
    settings = settings_of(row.item.benchmark)
    node = next(node for _, node in groups(tree_of(protocol_id, row.item.kind)) if isinstance(node, TextNode))
    relations = access.relations(person, row)
    pauses = row.questioner_pauses if is_questioner else row.answerer_pauses
    actions = available_actions(
        TABLE,
        row.state,
        may=lambda operation: person.may(row.item.benchmark_id, operation, row.item.kind),
        relations=relations,
    )
    pauses_left = max(settings.paused_maximum - pauses, 0)
    return {
        "id": row.pk,
        "state": row.state,
        "part": part,
        "caption": row.caption,
        "language": {"lang": node.lang, "dir": node.dir},
        "rounds": row.rounds,
        "turn_no": row.turn_no,
        "turns_left": 2 * row.rounds - row.turn_no,
        "is_my_turn": row.state == Dialogue.State.OPEN and Relation.ON_TURN in relations,
        "turns": _turns(row),
        "image": None if is_questioner else _picture(row),
        "item": {"id": row.item_id, "label": row.item.label} if row.state == Dialogue.State.DONE else None,
        "reason": row.reason,
        "pauses_left": pauses_left,
        "paused_at": row.paused_at,
        "is_ready": _is_ready(row, person.pk),
        "partner_is_ready": _is_ready(row, access.partner_of(person.pk, row)),
        "partner_away_seconds": _seconds_away(row, access.partner_of(person.pk, row)),
        "away_minutes": settings.away_minutes,
        "sign_seconds": PRESENCE_SECONDS,
        "available_actions": [name for name in actions if pauses_left or name != "dialogue_pause"],
    }


def _picture(dialogue: Dialogue) -> DialoguePicture:
    row: Any = with_pictures(Dialogue.objects.select_related("image__category"), "image_id").get(pk=dialogue.pk)
    shown = picture(row.image, row.renditions)
    return {
        "id": shown["id"],
        "view_url": shown["view_url"],
        "clean_url": shown["clean_url"],
        "width": shown["width"],
        "height": shown["height"],
        "redaction_no": shown["redaction_no"],
    }
