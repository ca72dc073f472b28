"""Proposing categories: drafts, their submission, and lists that are imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.board import access, queries, rules
from curation.board.errors import (
    BoardAlreadySubmitted,
    BoardDraftIncomplete,
    BoardFieldUnknown,
    BoardFrozen,
    BoardProposalsSeen,
)
from curation.board.models import Board, BoardDraft, BoardEntry, BoardEvent, BoardProposal
from curation.board.services.noting import new_decision, stored_name, touch
from curation.core.errors import NotFound, StaleRow
from curation.core.folding import fold
from curation.people.models import Person
from curation.taxonomy.models import CategoryListVersion
from curation.taxonomy.queries import content_of, own_lists, shipped_names
from curation.taxonomy.rules import computed_group, missing_script
from curation.taxonomy.services import shipped_list

_MOST_ROWS: Final = 500


@transaction.atomic
def save_draft(*, actor: Person, benchmark_slug: str, revision: int, rows: Sequence[Mapping[str, Any]]) -> Board:
    """Save the actor's proposals, which nobody else sees before they are submitted.

    Args:
        actor: The proposer.
        benchmark_slug: The benchmark.
        revision: The draft's revision that the actor edited.
        rows: The proposals so far; they may still have faults.

    Raises:
        BoardProposalsSeen: The actor decides, and sees what others proposed.
        BoardFrozen, BoardAlreadySubmitted, StaleRow, BoardMissing, NotFound, OperationNotAllowed.
    """
    benchmark, board = access.lock_board_for(actor, benchmark_slug, "category_board_draft")
    draft = _draft_to_change(actor, board)
    decides = actor.may(benchmark.pk, "category_board_decide")
    if access.has_seen_others(actor, board, decides=decides):
        raise BoardProposalsSeen
    if draft.revision != revision:
        raise StaleRow(revision=draft.revision, named=revision)
    draft.rows = [
        {"field": row["field"], "name": stored_name(row["name"]), "vouched": sorted(set(row["vouched"]))}
        for row in rows[:_MOST_ROWS]
    ]
    draft.revision += 1
    draft.save()
    return board


@transaction.atomic
def submit_proposals(*, actor: Person, benchmark_slug: str, client_key: UUID) -> Board:
    """Submit the actor's proposals; from then on they see those of others, and others theirs.

    Raises:
        BoardDraftIncomplete: Names or vouchings are missing, or a field has too few or too many proposals.
        BoardFrozen, BoardAlreadySubmitted, BoardMissing, NotFound, OperationNotAllowed, ClientKeyReused.
    """
    benchmark, board = access.lock_board_for(actor, benchmark_slug, "category_board_submit")
    decision = new_decision(actor, "category_board_submit", board, client_key)
    if decision.is_repeat():
        return board
    draft = _draft_to_change(actor, board)
    if faults := queries.draft_faults(benchmark, draft.rows):
        raise BoardDraftIncomplete(count=len(faults), faults=faults)
    rows, language = draft.rows, queries.content_language(benchmark)
    draft.rows, draft.submitted_at = [], timezone.now()
    draft.revision += 1
    draft.save()
    _propose(board, rows, language, actor, person=actor)
    touch(board)
    decision.record(proposals=len(rows))
    return board


def _draft_to_change(actor: Person, board: Board) -> BoardDraft:
    if board.state != "open":
        raise BoardFrozen
    draft, _ = BoardDraft.objects.get_or_create(board=board, person=actor)
    if draft.submitted_at is not None:
        raise BoardAlreadySubmitted
    return draft


@transaction.atomic
def import_list(*, actor: Person, benchmark_slug: str, name: str, version: int, client_key: UUID) -> Board:
    """Propose the categories of an existing list; it counts as a proposer.

    Args:
        actor: The curator.
        benchmark_slug: The benchmark.
        name: One of the benchmark's own lists, or one that ships.
        version: Its version.
        client_key: A repeat with the same key has the same result.

    Raises:
        BoardFieldUnknown: Fields of the list are not on the board, neither by their code nor by a name.
        BoardFrozen, BoardDraftOpen, BoardMissing, NotFound, OperationNotAllowed, ClientKeyReused.
    """
    benchmark, board = access.lock_board_for(actor, benchmark_slug, "category_board_import")
    access.require_board_visible(actor, board)
    decision = new_decision(actor, "category_board_import", board, client_key)
    if decision.is_repeat(name=name, list_version=version):
        return board
    if board.state != "open":
        raise BoardFrozen
    stored = _list_named(benchmark, name, version)
    codes: dict[str, str] = {}
    for field in access.settings_of(benchmark)["fields"]:
        codes |= {fold(text): field["code"] for text in (field["code"], *field["name"].values())}
    rows, unknown = [], []
    for group, entry in content_of(stored).entries():
        names = group.name.model_dump(by_alias=True)
        code = next((codes[fold(text)] for text in (group.slug, *names.values()) if fold(text) in codes), None)
        if code is None:
            unknown.append(access.shown_name(names))
        else:
            row = {"field": code, "name": entry.name.model_dump(by_alias=True), "vouched": []}
            if entry.group and entry.group != computed_group(entry.name.en):
                row |= {"group": entry.group, "reason": entry.reason}
            rows.append(row)
    if unknown:
        raise BoardFieldUnknown(fields=", ".join(dict.fromkeys(unknown)), known=access.shown_fields(benchmark))
    _propose(board, rows, queries.content_language(benchmark), actor, stored=stored)
    touch(board)
    decision.record(name=name, list_version=version, proposals=len(rows))
    return board


def _list_named(benchmark: Benchmark, name: str, version: int) -> CategoryListVersion:
    own = own_lists(benchmark).filter(name=name, version=version).first()
    if own is not None:
        return own
    if name in shipped_names():
        shipped_list(name)  # stored by set-up already, unless its file is newer
    shipped = CategoryListVersion.objects.filter(benchmark=None, name=name, version=version).first()
    if shipped is None:
        raise NotFound
    return shipped


def _propose(
    board: Board,
    rows: Iterable[Mapping[str, Any]],
    language: str,
    by: Person,
    *,
    person: Person | None = None,
    stored: CategoryListVersion | None = None,
) -> None:
    """Note proposals; a category that is on the board already gets another proposer.

    A new one whose name is missing in one Chinese script has it converted, so that nobody types every name twice.

    A list's corrected group comes with it, if the category is new.
    """
    known = {(entry.field, entry.key): entry for entry in BoardEntry.objects.filter(board=board)}
    proposed = set(
        BoardProposal.objects.filter(entry__board=board, person=person, list=stored).values_list("entry", flat=True)
    )
    numbers = _event_numbers(board)
    proposals, events = [], []
    for row in rows:
        key = rules.key_of(row["name"], language)
        entry = known.get((row["field"], key))
        missing: dict[str, str] = {}
        converted: dict[str, str] = {}
        if entry is None:
            converted = missing_script(row["name"])
            entry = BoardEntry.objects.create(board=board, field=row["field"], key=key, name=row["name"] | converted)
            known[row["field"], key] = entry
        elif missing := {tag: text for tag, text in row["name"].items() if not entry.name.get(tag)}:
            entry.name = entry.name | missing
            entry.save(update_fields=["name"])
        if entry.pk in proposed:
            continue
        proposed.add(entry.pk)
        proposals.append(
            BoardProposal(entry=entry, person=person, list=stored, name=row["name"], vouched=row["vouched"])
        )
        numbers[entry.pk] = numbers.get(entry.pk, 0) + 1
        data: dict[str, Any] = ({"list": stored.label} if stored else {}) | ({"named": missing} if missing else {})
        # A name that is the same in both scripts needs no second look.
        data |= {"converted": converted} if set(converted.values()) - set(row["name"].values()) else {}
        events.append(BoardEvent(entry=entry, no=numbers[entry.pk], by=by, action="propose", data=data))
        if stored and row.get("group") and numbers[entry.pk] == 1:
            entry.group = row["group"]
            entry.save(update_fields=["group"])
            numbers[entry.pk] = 2
            reason = row["reason"] or stored.label
            data = {"before": "", "after": row["group"], "list": stored.label}
            events.append(BoardEvent(entry=entry, no=2, by=by, action="regroup", reason=reason, data=data))
    BoardProposal.objects.bulk_create(proposals)
    BoardEvent.objects.bulk_create(events)


def _event_numbers(board: Board) -> dict[int, int]:
    rows = BoardEvent.objects.filter(entry__board=board).values("entry").annotate(n=Max("no"))
    return {row["entry"]: row["n"] for row in rows}
