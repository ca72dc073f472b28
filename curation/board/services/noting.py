"""What all commands of the board need: names as stored, the history, revisions and decisions."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import F, Max

from curation.board import rules
from curation.board.models import Board, BoardEntry, BoardEvent
from curation.core.decisions import Decision
from curation.core.text import shows_nothing
from curation.people.models import Person


def stored_name(name: Mapping[str, str]) -> dict[str, str]:
    """The texts of a name, trimmed and without those that show nothing; an English one has no full-width letters."""
    texts = {tag: name[tag].strip() for tag in rules.LANGUAGES if not shows_nothing(name.get(tag, ""))}
    if "en" in texts:
        texts["en"] = " ".join(unicodedata.normalize("NFKC", texts["en"]).split())
    return texts


def note(entry: BoardEntry, actor: Person, action: str, reason: str, data: dict[str, Any]) -> None:
    """Add to the history of a category."""
    newest = BoardEvent.objects.filter(entry=entry).aggregate(n=Max("no"))["n"]
    BoardEvent.objects.create(
        entry=entry, no=(newest or 0) + 1, by=actor, action=action, reason=reason.strip(), data=data
    )


def touch(board: Board) -> None:
    """Count a change, so that nobody freezes what they did not see."""
    Board.objects.filter(pk=board.pk).update(revision=F("revision") + 1)
    board.refresh_from_db(fields=["revision"])


def new_decision(actor: Person, action: str, row: Board | BoardEntry, client_key: UUID) -> Decision:
    """The record of a command under its client key."""
    return Decision(
        actor_id=actor.pk,
        action=action,
        row=row,
        client_key=client_key,
        label="",
        benchmark_id=row.benchmark_id,
    )
