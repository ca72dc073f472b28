"""Deciding about proposed categories, and adding others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from curation.board import access, queries, rules
from curation.board.errors import (
    BoardFieldUnknown,
    BoardFrozen,
    BoardNameMissing,
    BoardNamesIncomplete,
    BoardNameTaken,
    BoardReasonMissing,
    BoardTargetUnknown,
)
from curation.board.models import Board, BoardEntry
from curation.board.services.noting import new_decision, note, stored_name, touch
from curation.board.states import TABLE, actions_in
from curation.core.decisions import digest_of
from curation.core.text import shows_nothing
from curation.core.transitions import advance
from curation.people.models import Person
from curation.taxonomy.rules import missing_script


@transaction.atomic
def decide(
    *,
    actor: Person,
    entry_id: int,
    revision: int,
    action: str,
    reason: str = "",
    into: int | None = None,
    name: Mapping[str, str] | None = None,
    group: str | None = None,
    usual: str = "",
    client_key: UUID,
) -> BoardEntry:
    """Decide about a proposed category.

    Once the list is frozen, groups of its categories are corrected, and what was added since is renamed or removed.

    Args:
        actor: The curator.
        entry_id: The proposed category.
        revision: Its revision that the curator saw; of two who decide at once, the second is refused.
        action: A move of ``states.TABLE``.
        reason: Why; only keeping needs none.
        into: The category that it is merged into.
        name: The new name, or that of the more concrete category that replaces it.
        group: The corrected group of cultural distance; None or empty: as computed.
        usual: The reason's code in ``rules.USUAL_REASONS``, if it is one of those.
        client_key: A repeat with the same key has the same result.

    Raises:
        StaleRow: Somebody decided since.
        ActionNotAllowed: The state has no such move.
        BoardReasonMissing, BoardNameMissing, BoardNamesIncomplete, BoardNameTaken, BoardFrozen, BoardDraftOpen.
        BoardTargetUnknown: There is no such category to merge into on the board, or a colleague took it out since.
        NotFound: There is no such category.
        OperationNotAllowed, ClientKeyReused.
    """
    entry = access.lock_entry_for(actor, entry_id, "category_board_decide")
    decision = new_decision(actor, "category_board_decide", entry, client_key)
    digest = digest_of(reason, into, dict(name or {}), group, usual)
    if decision.is_repeat(revision=revision, what=action, digest=digest):
        return entry
    is_frozen = entry.board.state != "open"
    if is_frozen and action not in actions_in(entry.state, is_frozen=True, is_listed=entry.slug != ""):
        raise BoardFrozen
    if action != "keep" and shows_nothing(reason):
        raise BoardReasonMissing
    why = _Reason(reason, usual)
    before = dict(entry.name)
    advance(entry, action, table=TABLE)
    data: dict[str, Any] = {}
    match action:
        case "merge":
            entry.into = target = _target(entry, into)
            data = {"into": target.pk}
        case "replace":
            entry.into = target = _add(entry.board, entry.field, name, why, actor)
            data = {"into": target.pk}
        case "rename":
            _rename(entry, name)
            _require_all_names(entry)
            data = {"before": before}
        case "regroup":
            data = {"before": entry.group, "after": group or ""}
            entry.group = group or ""
        case "reopen":
            entry.into = None
    entry.revision += 1
    entry.save()
    if action in ("merge", "replace"):
        _redirect_followers(entry, actor, why)
    note(entry, actor, action, reason, data | why.data())
    touch(entry.board)
    decision.record(what=action, into=data.get("into"), digest=digest)
    return entry


@transaction.atomic
def add_entry(
    *,
    actor: Person,
    benchmark_slug: str,
    field: str,
    name: Mapping[str, str],
    reason: str,
    usual: str = "",
    client_key: UUID,
) -> Board:
    """Add a category that nobody proposed; also after the list was frozen, for its next version.

    Raises:
        BoardNamesIncomplete: The list is frozen, and the name is missing in a language.
        BoardReasonMissing, BoardNameMissing, BoardNameTaken, BoardFieldUnknown, BoardDraftOpen, BoardMissing.
        NotFound, OperationNotAllowed, ClientKeyReused.
    """
    benchmark, board = access.lock_board_for(actor, benchmark_slug, "category_board_add")
    access.require_board_visible(actor, board)
    decision = new_decision(actor, "category_board_add", board, client_key)
    digest = digest_of(field, stored_name(name), reason, usual)
    if decision.is_repeat(digest=digest):
        return board
    if shows_nothing(reason):
        raise BoardReasonMissing
    if field not in [one["code"] for one in access.settings_of(benchmark)["fields"]]:
        raise BoardFieldUnknown(fields=field, known=access.shown_fields(benchmark))
    entry = _add(board, field, name, _Reason(reason, usual), actor)
    _require_all_names(entry)
    touch(board)
    decision.record(field=field, entry=entry.pk, digest=digest)
    return board


class _Reason(NamedTuple):
    """Why something was decided, with its code if it is a usual reason of the action."""

    text: str
    usual: str

    def data(self) -> dict[str, str]:
        """What the history keeps beside the text."""
        return {"usual": self.usual} if self.usual else {}


def _redirect_followers(entry: BoardEntry, actor: Person, why: _Reason) -> None:
    """Have what was merged into a category follow it: a proposal always leads to the category that stands for it."""
    for follower in BoardEntry.objects.select_for_update().filter(into=entry).order_by("pk"):
        follower.into = entry.into
        follower.revision += 1
        follower.save(update_fields=["into", "revision"])
        note(follower, actor, "merge", why.text, {"into": follower.into_id, "following": entry.pk} | why.data())


def _target(entry: BoardEntry, into: int | None) -> BoardEntry:
    """The category to merge into, locked: it is proposed or kept, in any field of the board."""
    targets = BoardEntry.objects.select_for_update().filter(pk=into or 0, board_id=entry.board_id).exclude(pk=entry.pk)
    target = targets.filter(state__in=["proposed", "kept"]).first()
    if target is None:
        raise BoardTargetUnknown
    return target


def _add(board: Board, field: str, name: Mapping[str, str] | None, why: _Reason, actor: Person) -> BoardEntry:
    stored, key = _new_name(board, field, name)
    entry = BoardEntry.objects.create(board=board, field=field, key=key, name=stored, state="kept")
    note(entry, actor, "add", why.text, why.data())
    return entry


def _require_all_names(entry: BoardEntry) -> None:
    """A frozen board has no undecided work, so its next version could not be frozen with an incomplete name.

    Raises:
        BoardNamesIncomplete.
    """
    if entry.board.state != "open" and any(not entry.name.get(tag) for tag in rules.LANGUAGES):
        raise BoardNamesIncomplete


def _rename(entry: BoardEntry, name: Mapping[str, str] | None) -> None:
    stored = stored_name(name or {})
    stored |= missing_script(stored)
    if not stored or stored == entry.name:
        raise BoardNameMissing
    language = queries.content_language(entry.board.benchmark)
    key = rules.key_of(stored, language)
    if key != entry.key:
        stored, key = _new_name(entry.board, entry.field, stored)
    entry.name, entry.key = stored, key


def _new_name(board: Board, field: str, name: Mapping[str, str] | None) -> tuple[dict[str, str], str]:
    """A name that no category of the field has, and its key.

    Raises:
        BoardNameMissing, BoardNameTaken.
    """
    stored = stored_name(name or {})
    stored |= missing_script(stored)
    language = queries.content_language(board.benchmark)
    key = rules.key_of(stored, language)
    if not key:
        raise BoardNameMissing
    other = BoardEntry.objects.filter(board=board, field=field, key=key).first()
    if other is not None:
        names = [other.name[tag] for tag in dict.fromkeys([language, "en"]) if other.name.get(tag)]
        raise BoardNameTaken(name=" · ".join(names or other.name.values()), state=other.state, entry=other.pk)
    return stored, key
