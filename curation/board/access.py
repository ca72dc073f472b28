"""Access to the board: proposers see their own proposals until they submit them, afterwards everybody's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curation.benchmarks.models import Benchmark
from curation.board.errors import BoardDraftOpen, BoardMissing
from curation.board.models import Board, BoardDraft, BoardEntry
from curation.core.errors import NotFound
from curation.people.access import benchmark_for, require
from curation.people.models import Person


def settings_of(benchmark: Benchmark) -> Mapping[str, Any]:
    """The protocol's settings of the board.

    Raises:
        BoardMissing.
    """
    content = benchmark.protocol.content if benchmark.protocol else {}
    board: Mapping[str, Any] | None = content.get("taxonomy", {}).get("board")
    if board is None:
        raise BoardMissing
    return board


def shown_name(name: Mapping[str, str]) -> str:
    """A name as people of every interface language recognise it."""
    return f"{name['zh-Hans']} ({name['en']})"


def shown_fields(benchmark: Benchmark) -> str:
    """The names of the board's fields, for errors."""
    return ", ".join(shown_name(field["name"]) for field in settings_of(benchmark)["fields"])


def board_for(person: Person, benchmark_slug: str, operation: str) -> tuple[Benchmark, Board | None]:
    """A benchmark and its board, which has no row before the first proposal.

    Raises:
        BoardMissing, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, operation)
    settings_of(benchmark)
    return benchmark, Board.objects.filter(benchmark=benchmark).first()


def lock_board_for(person: Person, benchmark_slug: str, operation: str) -> tuple[Benchmark, Board]:
    """As :func:`board_for`; the row is made where there is none, and locked.

    Raises:
        BoardMissing, NotFound, OperationNotAllowed.
    """
    benchmark, _ = board_for(person, benchmark_slug, operation)
    Board.objects.get_or_create(benchmark=benchmark)
    return benchmark, Board.objects.select_for_update().get(benchmark=benchmark)


def lock_entry_for(person: Person, entry_id: int, operation: str) -> BoardEntry:
    """A proposed category that the person may decide about, locked with its board.

    Raises:
        NotFound: There is none, or the person takes no part in its benchmark.
        BoardDraftOpen, OperationNotAllowed.
    """
    found = BoardEntry.objects.filter(pk=entry_id).values_list("board_id", "board__benchmark_id").first()
    if found is None:
        raise NotFound
    board_id, benchmark_id = found
    require(person, benchmark_id, operation)
    # Decisions about a board follow each other, so that it cannot be frozen meanwhile and merges do not wait in a ring.
    require_board_visible(person, Board.objects.select_for_update(of=("self",)).get(pk=board_id))
    entries = BoardEntry.objects.select_for_update(of=("self",)).select_related("board__benchmark__protocol")
    return entries.get(pk=entry_id)


def sees_others(person: Person, board: Board | None, *, decides: bool) -> bool:
    """Whether a person sees the proposals of others.

    These are people who submitted theirs, and curators who began none of their own; once the board is frozen, when
    nobody can propose any more, everybody.
    """
    if board is not None and board.state != "open":
        return True
    draft = BoardDraft.objects.filter(board=board, person=person).first() if board else None
    if draft is None:
        return decides
    return draft.submitted_at is not None or (decides and not draft.rows)


def has_seen_others(person: Person, board: Board | None, *, decides: bool) -> bool:
    """Whether a curator may have seen proposals of others before they began any of their own.

    Looking leaves no trace, so a person who could look counts as having looked.
    """
    if board is None or not decides or not BoardEntry.objects.filter(board=board).exists():
        return False
    draft = BoardDraft.objects.filter(board=board, person=person).first()
    return draft is None or (draft.submitted_at is None and not draft.rows)


def require_board_visible(person: Person, board: Board) -> None:
    """Refuse decisions of people who did not submit the proposals that they began.

    Raises:
        BoardDraftOpen.
    """
    if not sees_others(person, board, decides=True):
        raise BoardDraftOpen
