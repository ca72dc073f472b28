"""Pausing a dialogue, coming back to it, leaving it, and the sweep over those that no one continues."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from annotation.dialogues.access import dialogue_for, part_in, sees_everything
from annotation.dialogues.errors import InAnotherDialogue, PausedTooOften
from annotation.dialogues.models import Dialogue, Waiting
from annotation.dialogues.queries import settings_of
from annotation.dialogues.rules import IDLE_FACTOR, LOBBY_SECONDS, QUESTION, STALE_DAYS
from annotation.dialogues.services.pairing import is_busy, lock_pairing, pair_waiting
from annotation.dialogues.services.talking import end_blindness, sign, still_holds
from annotation.dialogues.services.telling import tell_both, tell_lobby
from annotation.dialogues.states import TABLE
from curation.benchmarks.models import Benchmark
from curation.core import live
from curation.core.decisions import Decision
from curation.core.transitions import advance, check_state
from curation.images.models import Exposure
from curation.people.access import with_grants
from curation.people.models import Person


def _decision(actor: Person | None, action: str, dialogue: Dialogue, key: UUID | None) -> Decision:
    return Decision(
        actor_id=actor.pk if actor else None,
        action=action,
        row=dialogue,
        client_key=key,
        label=dialogue.item.label,
        benchmark_id=dialogue.item.benchmark_id,
    )


@transaction.atomic
def pause(*, actor: Person, dialogue_id: int, client_key: UUID) -> Dialogue:
    """Pause an open dialogue; both are free for others then. The blindfold stays.

    Raises:
        PausedTooOften: The actor did so as often as the protocol allows.
        ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    dialogue = dialogue_for(actor, dialogue_id, "dialogue_pause", lock=True)
    decision = _decision(actor, "dialogue_pause", dialogue, client_key)
    if decision.is_repeat():
        return dialogue
    counter = f"{'questioner' if part_in(actor.pk, dialogue) == QUESTION else 'answerer'}_pauses"
    count = getattr(dialogue, counter)
    check_state(TABLE, "dialogue_pause", dialogue.state)
    if count >= settings_of(dialogue.item.benchmark).paused_maximum:
        raise PausedTooOften(count=count)
    former = _pause(dialogue, "pause", actor.pk)
    setattr(dialogue, counter, count + 1)
    sign(dialogue, actor.pk)
    dialogue.save()
    decision.record_transition(former, dialogue.state)
    dialogue.refresh_from_db()
    tell_both(dialogue)
    return dialogue


def _pause(dialogue: Dialogue, action: str, by: int | None) -> str:
    former = advance(dialogue, action, table=TABLE)
    dialogue.paused_at, dialogue.paused_by_id = timezone.now(), by
    dialogue.questioner_ready_at = dialogue.answerer_ready_at = None
    return former


@transaction.atomic
def resume(*, actor: Person, dialogue_id: int) -> Dialogue:
    """Come back to a paused dialogue; it goes on once both are there. Repeated, it is a sign of being there still.

    Raises:
        InAnotherDialogue: Both are there, and one of them is in another dialogue.
        ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    dialogue = dialogue_for(actor, dialogue_id, "dialogue_resume", lock=True)
    if dialogue.state == Dialogue.State.OPEN:
        return dialogue
    check_state(TABLE, "dialogue_resume", dialogue.state)
    now = timezone.now()
    if part_in(actor.pk, dialogue) == QUESTION:
        dialogue.questioner_ready_at = now
    else:
        dialogue.answerer_ready_at = now
    sign(dialogue, actor.pk)
    since = now - timedelta(minutes=settings_of(dialogue.item.benchmark).away_minutes)
    ready = (dialogue.questioner_ready_at, dialogue.answerer_ready_at)
    if all(at is not None and at >= since for at in ready):
        lock_pairing()
        if is_busy(dialogue.questioner_id) or is_busy(dialogue.answerer_id):
            raise InAnotherDialogue
        former = advance(dialogue, "resume", table=TABLE)
        dialogue.paused_at = dialogue.paused_by = None
        dialogue.questioner_at = dialogue.answerer_at = now
        _decision(actor, "dialogue_resume", dialogue, None).record_transition(former, dialogue.state)
    dialogue.save()
    if dialogue.state == Dialogue.State.OPEN:
        Waiting.objects.filter(person_id__in=[dialogue.questioner_id, dialogue.answerer_id]).delete()
    dialogue.refresh_from_db()
    tell_both(dialogue)
    return dialogue


@transaction.atomic
def leave(*, actor: Person, dialogue_id: int, reason: str, client_key: UUID) -> Dialogue:
    """End a dialogue before its last turn; its turns stay, and two others may begin anew about the picture.

    Raises:
        ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    dialogue = dialogue_for(actor, dialogue_id, "dialogue_leave", lock=True)
    decision = _decision(actor, "dialogue_leave", dialogue, client_key)
    if decision.is_repeat(reason=reason):
        return dialogue
    check_state(TABLE, "dialogue_leave", dialogue.state)
    former = _end(dialogue, "leave", reason, actor.pk)
    if reason == "seen" and actor.pk == dialogue.questioner_id:
        Exposure.objects.bulk_create([Exposure(person=actor, image_id=dialogue.image_id)], ignore_conflicts=True)
    decision.record_transition(former, dialogue.state, reason=reason)
    return dialogue


def _end(dialogue: Dialogue, action: str, reason: str, by: int | None) -> str:
    former = advance(dialogue, action, table=TABLE)
    dialogue.reason, dialogue.left_by_id, dialogue.ended_at = reason, by, timezone.now()
    dialogue.paused_at = None
    dialogue.save()
    end_blindness(dialogue)
    tell_both(dialogue)
    return former


def sweep_dialogues() -> int:
    """Pause open dialogues in which nothing happens, end stale ones, empty and pair the lobbies; return how many.

    Those that someone works on at this moment are left for the next run.
    """
    unfinished = _unfinished()
    changed = sum(_sweep(pk) for pk in unfinished)
    changed += sum(_sweep(pk, sees_all=True) for pk in _questioned_with_sight(unfinished))
    _empty_lobbies()
    for benchmark in Benchmark.objects.filter(pk__in=Waiting.objects.values("benchmark")):
        changed += len(pair_waiting(benchmark))
    return changed


@transaction.atomic
def _empty_lobbies() -> None:
    """Remove who gave no sign of waiting for long."""
    gone = Waiting.objects.filter(seen_at__lt=timezone.now() - timedelta(seconds=LOBBY_SECONDS))
    benchmarks = list(Benchmark.objects.select_related("protocol").filter(pk__in=gone.values("benchmark")))
    gone.delete()
    for benchmark in benchmarks:
        tell_lobby(benchmark)


def _unfinished() -> list[int]:
    return list(Dialogue.objects.filter(state__in=["open", "paused"]).order_by("pk").values_list("pk", flat=True))


def _questioned_with_sight(dialogues: list[int]) -> list[int]:
    """Those dialogues whose questioner got a role meanwhile by which they can open every picture."""
    rows = list(
        Dialogue.objects.filter(pk__in=dialogues, state__in=["open", "paused"]).values_list(
            "pk", "questioner_id", "item__benchmark_id"
        )
    )
    people = {one.pk: one for one in with_grants(Person.objects.filter(pk__in={row[1] for row in rows}))}
    return [pk for pk, questioner, benchmark in rows if sees_everything(people[questioner], benchmark)]


@transaction.atomic
def _sweep(pk: int, *, sees_all: bool = False) -> bool:
    rows = Dialogue.objects.select_related("item__benchmark").filter(pk=pk, state__in=["open", "paused"])
    dialogue = rows.select_for_update(of=("self",), no_key=True, skip_locked=True).first()
    if dialogue is None:
        return False
    now = timezone.now()
    if not still_holds(dialogue):
        reason = "base_changed"
    elif sees_all:
        reason = "seen"
    elif dialogue.paused_at is not None and dialogue.paused_at < now - timedelta(days=STALE_DAYS):
        reason = "stale"
    elif dialogue.paused_at is None and _is_away(dialogue, now):
        former = _pause(dialogue, "away", None)
        dialogue.save()
        _decision(None, "dialogue_pause", dialogue, None).record_transition(former, dialogue.state)
        tell_both(dialogue)
        return True
    else:
        return False
    former = _end(dialogue, "end", reason, None)
    _decision(None, "dialogue_leave", dialogue, None).record_transition(former, dialogue.state, reason=reason)
    return True


def _is_away(dialogue: Dialogue, now: datetime) -> bool:
    """Whether one of the two gave no sign for as long as the protocol says, or nobody wrote for a multiple of that.

    A sign is an open page. Without one since their own last action people have had the time since the last action of
    either, as programs and pages without the live channel need.
    """
    settings = settings_of(dialogue.item.benchmark)
    limit = now - timedelta(minutes=settings.away_minutes)
    acted = {dialogue.questioner_id: dialogue.questioner_at, dialogue.answerer_id: dialogue.answerer_at}
    last = max(acted.values())
    seen = live.last_signs(acted)
    signs = [seen[person] if person in seen and seen[person] > at else last for person, at in acted.items()]
    return min(signs) < limit or last < now - timedelta(minutes=IDLE_FACTOR * settings.away_minutes)
