"""Reads of the board."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, cast

from curation.benchmarks.models import Benchmark
from curation.board import access, rules
from curation.board.models import Board, BoardDraft, BoardEntry, BoardEvent, BoardProposal
from curation.board.shapes import (
    BoardDraftAnswer,
    BoardDraftFault,
    BoardEntryAnswer,
    BoardEntryRow,
    BoardEventRow,
    BoardProposer,
    CategoryBoardAnswer,
)
from curation.board.states import actions_in
from curation.core.errors import NotFound
from curation.core.text import shows_nothing
from curation.people.access import brief_for, names_visible, require
from curation.people.models import Person
from curation.taxonomy.models import CategoryListVersion
from curation.taxonomy.queries import content_of, own_lists
from curation.taxonomy.rules import computed_group, search_strings

_OPERATIONS = tuple(f"category_board_{name}" for name in ("draft", "submit", "decide", "add", "import", "freeze"))


def frozen_list(benchmark: Benchmark) -> CategoryListVersion | None:
    """The newest version that was frozen from the board."""
    return own_lists(benchmark).filter(origin="board").first()


def content_language(benchmark: Benchmark) -> str:
    """The language whose names count first; simplified Chinese where each team writes in its own."""
    content = benchmark.protocol.content if benchmark.protocol else {}
    language = content.get("languages", {}).get("content", "team")
    return language if language in rules.LANGUAGES else "zh-Hans"


def board_page(person: Person, benchmark_slug: str) -> CategoryBoardAnswer:
    """Show the board: one's own proposals and, once they are submitted, everybody's with every decision.

    Raises:
        BoardMissing, NotFound, OperationNotAllowed.
    """
    benchmark, board = access.board_for(person, benchmark_slug, "category_board_show")
    return board_answer(person, benchmark, board)


def updated_board(person: Person, board: Board) -> CategoryBoardAnswer:
    """The board after a change that the person made."""
    return board_answer(person, Benchmark.objects.select_related("protocol").get(pk=board.benchmark_id), board)


def board_answer(person: Person, benchmark: Benchmark, board: Board | None) -> CategoryBoardAnswer:
    """The board as its reader sees it."""
    settings = access.settings_of(benchmark)
    may = {name for name in _OPERATIONS if person.may(benchmark.pk, name)}
    decides = _decides(person, benchmark.pk)
    sees = access.sees_others(person, board, decides=decides)
    proposes = not access.has_seen_others(person, board, decides=decides)
    frozen = frozen_list(benchmark)
    entries = _entries(person, benchmark, board) if board and sees else []
    sets: dict[Any, set[int]] = defaultdict(set)
    if board and sees:
        for person_id, list_id, entry_id, into_id in BoardProposal.objects.filter(entry__board=board).values_list(
            "person", "list", "entry", "entry__into"
        ):
            sets[person_id, list_id].add(into_id or entry_id)
    drafts = BoardDraft.objects.filter(board=board).select_related("person").order_by("person_id") if board else []
    show_names = _shows_names(person, benchmark)
    state = board.state if board else "open"
    return {
        "state": state,
        "revision": board.revision if board else 0,
        "version": frozen.version if frozen else None,
        "new_entries": _new_count(board) if board and sees else 0,
        "new_groups": _corrected_groups(board, frozen) if board and frozen and sees else 0,
        "expected_proposers": settings["proposers"],
        "minimum": settings["per_field"]["minimum"],
        "maximum": settings["per_field"]["maximum"],
        "fields": settings["fields"],
        "draft": draft_answer(person, benchmark, board),
        "is_hidden": not sees,
        "entries": entries,
        "progress": [
            {
                "person": brief_for(person, draft.person, show_names=show_names),
                "submitted_at": draft.submitted_at,
            }
            for draft in drafts
        ]
        if sees
        else [],
        "agreement": rules.agreement(sets.values())._asdict(),  # type: ignore[typeddict-item]  # the same fields
        "available_actions": [
            name for name in _OPERATIONS if name in may and _is_open(name, state, sees=sees, proposes=proposes)
        ],
    }


def _is_open(operation: str, state: str, *, sees: bool, proposes: bool) -> bool:
    if operation in ("category_board_draft", "category_board_submit"):
        return state == "open" and proposes
    if operation == "category_board_import":
        return sees and state == "open"
    return sees


def _new_count(board: Board) -> int:
    """How many kept categories are in no frozen version yet."""
    return BoardEntry.objects.filter(board=board, state="kept", slug="").count()


def _corrected_groups(board: Board, frozen: CategoryListVersion) -> int:
    """How many categories of the frozen list have another group since."""
    groups = {entry.slug: entry.group for _, entry in content_of(frozen).entries()}
    entries = BoardEntry.objects.filter(board=board, state="kept", slug__in=groups)
    return sum(groups[entry.slug] != group_of(entry) for entry in entries)


def group_of(entry: BoardEntry) -> str:
    """A category's group: as it was corrected, otherwise as computed from its English name."""
    return entry.group or computed_group(cast(str, entry.name.get("en", "")))


def draft_answer(person: Person, benchmark: Benchmark, board: Board | None) -> BoardDraftAnswer:
    """The person's own proposals."""
    draft = BoardDraft.objects.filter(board=board, person=person).first() if board else None
    rows = draft.rows if draft else []
    return {
        "rows": rows,
        "revision": draft.revision if draft else 0,
        "submitted_at": draft.submitted_at if draft else None,
        "faults": [] if draft and draft.submitted_at else draft_faults(benchmark, rows),
    }


def draft_faults(benchmark: Benchmark, rows: Iterable[Mapping[str, Any]]) -> list[BoardDraftFault]:
    """What keeps proposals from being submitted: names, vouchings, and their number for each field."""
    settings, language = access.settings_of(benchmark), content_language(benchmark)
    faults: list[BoardDraftFault] = []
    fields = [field["code"] for field in settings["fields"]]
    seen: set[tuple[str, str]] = set()
    counts: Counter[str] = Counter()

    def fault(row: int | None, field: str, code: str, **params: Any) -> None:
        faults.append({"row": row, "field": field, "code": code, "params": params})

    for n, row in enumerate(rows):
        key = rules.key_of(row["name"], language)
        if row["field"] not in fields:
            fault(n, row["field"], "field_unknown")
        if shows_nothing(row["name"].get(language, "")):
            fault(n, row["field"], "name_missing", language=language)
        elif (row["field"], key) in seen:
            fault(n, row["field"], "name_twice")
        if missing := [one for one in rules.VOUCHINGS if one not in row["vouched"]]:
            fault(n, row["field"], "not_vouched", missing=missing)
        seen.add((row["field"], key))
        counts[row["field"]] += 1
    span = settings["per_field"]
    for field in fields:
        if counts[field] < span["minimum"]:
            fault(None, field, "too_few", count=counts[field], minimum=span["minimum"])
        elif counts[field] > span["maximum"]:
            fault(None, field, "too_many", count=counts[field], maximum=span["maximum"])
    return faults


def entry_page(person: Person, entry_id: int) -> BoardEntryAnswer:
    """Show a proposed category with its whole history.

    Raises:
        NotFound: There is none, or the person does not see the proposals of others yet.
        OperationNotAllowed.
    """
    entry = BoardEntry.objects.select_related("board__benchmark__protocol").filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    require(person, entry.board.benchmark_id, "category_board_entry")
    if not access.sees_others(person, entry.board, decides=_decides(person, entry.board.benchmark_id)):
        raise NotFound
    return entry_answer(person, entry)


def _decides(person: Person, benchmark_id: int) -> bool:
    # By their role: a program that holds only the reads sees what its person sees.
    return person.has_role_for(benchmark_id, "category_board_decide")


def entry_answer(person: Person, entry: BoardEntry) -> BoardEntryAnswer:
    """A proposed category with its history, as its reader sees it."""
    benchmark = entry.board.benchmark
    [row] = [one for one in _entries(person, benchmark, entry.board) if one["id"] == entry.pk]
    events = BoardEvent.objects.filter(entry=entry).select_related("by").order_by("no")
    show_names = _shows_names(person, benchmark)
    return {**row, "history": [_event(person, event, show_names=show_names) for event in events]}


def _shows_names(person: Person, benchmark: Benchmark) -> bool:
    return names_visible(person, benchmark.pk, benchmark.protocol.content if benchmark.protocol else None)


def _event(person: Person, event: BoardEvent, *, show_names: bool) -> BoardEventRow:
    return {
        "no": event.no,
        "action": event.action,
        "by": brief_for(person, event.by, show_names=show_names),
        "reason": event.reason,
        "data": event.data,
        "at": event.at,
    }


def _entries(person: Person, benchmark: Benchmark, board: Board) -> list[BoardEntryRow]:
    """Every proposed category, field by field, those that most people proposed first."""
    show_names = _shows_names(person, benchmark)
    proposers: dict[int, list[BoardProposer]] = defaultdict(list)
    for proposal in BoardProposal.objects.filter(entry__board=board).select_related("person", "list").order_by("pk"):
        proposers[proposal.entry_id].append(
            {
                "person": brief_for(person, proposal.person, show_names=show_names),
                "list": str(proposal.list.label) if proposal.list else "",
                "name": proposal.name,
            }
        )
    decisions = {
        event.entry_id: event
        for event in BoardEvent.objects.filter(entry__board=board)
        .exclude(action="propose")
        .select_related("by")
        .order_by("no")
    }
    fields = [field["code"] for field in access.settings_of(benchmark)["fields"]]
    places = {code: place for place, code in enumerate(fields)}
    rows: list[BoardEntryRow] = []
    for entry in BoardEntry.objects.filter(board=board).order_by("pk"):
        decision = decisions.get(entry.pk)
        rows.append(
            {
                "id": entry.pk,
                "field": entry.field,
                "name": entry.name,
                "state": entry.state,
                "into": entry.into_id,
                "group": entry.group,
                "computed_group": computed_group(cast(str, entry.name.get("en", ""))),
                "search": search_strings(entry.slug, entry.name),
                "revision": entry.revision,
                "proposers": proposers[entry.pk],
                "decision": _event(person, decision, show_names=show_names) if decision else None,
                "actions": actions_in(entry.state, is_frozen=board.state != "open", is_listed=entry.slug != ""),
            }
        )
    return sorted(rows, key=lambda row: (places.get(row["field"], len(fields)), -len(row["proposers"]), row["id"]))
