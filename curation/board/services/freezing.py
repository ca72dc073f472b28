"""Freezing the kept categories as a version of the list."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from curation.benchmarks.models import Benchmark
from curation.board import access, queries, rules
from curation.board.errors import BoardFieldUnknown, BoardNothingNew, BoardUnfinished
from curation.board.models import Board, BoardEntry, BoardEvent
from curation.board.services.noting import new_decision, touch
from curation.people.models import Person
from curation.people.queries import people_who_may
from curation.people.services import notify
from curation.taxonomy.models import CategoryListVersion
from curation.taxonomy.queries import BOARD_LIST, content_of
from curation.taxonomy.rules import CategoryList, content_sha256, free_slug
from curation.taxonomy.services import next_version, note_board_list, store_list


@transaction.atomic
def freeze_board(*, actor: Person, benchmark_slug: str, revision: int, client_key: UUID) -> Board:
    """Freeze the kept categories as a version of the list, from which pictures are collected.

    Afterwards categories can only be added and their groups corrected; freezing again makes the next version. Where the
    protocol takes its categories from the board, they become the benchmark's.

    Raises:
        StaleRow: Somebody decided since.
        BoardUnfinished: Categories are undecided or have no name in a language, or none is kept.
        BoardNothingNew: Nothing was added or corrected since the last version.
        BoardFieldUnknown: The protocol lacks fields of kept categories by now.
        BoardDraftOpen, BoardMissing, NotFound, OperationNotAllowed, ClientKeyReused.
    """
    benchmark, board = access.lock_board_for(actor, benchmark_slug, "category_board_freeze")
    access.require_board_visible(actor, board)
    decision = new_decision(actor, "category_board_freeze", board, client_key)
    if decision.is_repeat(revision=revision):
        return board
    entries = list(BoardEntry.objects.select_for_update().filter(board=board).order_by("pk"))
    kept = [entry for entry in entries if entry.state == "kept"]
    undecided = sum(entry.state == "proposed" for entry in entries)
    unnamed = [entry for entry in kept if any(not entry.name.get(tag) for tag in rules.LANGUAGES)]
    if undecided or unnamed or not kept:
        ids = [entry.pk for entry in unnamed]
        raise BoardUnfinished(undecided=undecided, unnamed=len(unnamed), kept=len(kept), entries=ids)
    earlier = queries.frozen_list(benchmark)
    is_known = all(entry.slug for entry in kept)
    content = _frozen_content(benchmark, kept, earlier)
    if earlier is not None and is_known and content_sha256(content.content()) == earlier.sha256:
        raise BoardNothingNew(version=earlier.version)
    version = store_list(
        benchmark,
        content,
        version=next_version(benchmark, BOARD_LIST),
        origin="board",
        actor=actor,
    )
    board.state = "frozen"
    board.save(update_fields=["state"])
    touch(board)
    note_board_list(benchmark, version, actor=actor)
    decision.record(version=version.version, categories=len(kept))
    notify(
        person_ids=people_who_may(benchmark, "category_board_show"),
        code="board_frozen",
        params={"version": version.version},
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        target_type="board",
        target_id=board.pk,
    )
    return board


def _frozen_content(
    benchmark: Benchmark, kept: Sequence[BoardEntry], earlier: CategoryListVersion | None
) -> CategoryList:
    """The list of the kept categories; those of an earlier version keep their slugs and numbers."""
    numbers = {entry.slug: entry.number for _, entry in content_of(earlier).entries()} if earlier else {}
    taken = {entry.slug for entry in kept if entry.slug}
    reasons = {
        event.entry_id: event.reason
        for event in BoardEvent.objects.filter(entry__in=kept, action="regroup").order_by("no")
    }
    codes = [field["code"] for field in access.settings_of(benchmark)["fields"]]
    if lost := [entry.field for entry in kept if entry.field not in codes]:
        raise BoardFieldUnknown(fields=", ".join(dict.fromkeys(lost)), known=access.shown_fields(benchmark))
    fields = []
    for field in access.settings_of(benchmark)["fields"]:
        categories = []
        for entry in (entry for entry in kept if entry.field == field["code"]):
            if not entry.slug:
                entry.slug = free_slug(entry.name["en"], taken)
                taken.add(entry.slug)
                entry.save(update_fields=["slug"])
            number = numbers.setdefault(entry.slug, len(numbers) + 1)
            facts = {"slug": entry.slug, "number": number, "name": entry.name, "group": queries.group_of(entry)}
            if entry.group and entry.pk in reasons:
                facts["reason"] = reasons[entry.pk]
            categories.append(facts)
        if categories:
            fields.append({"slug": field["code"], "name": field["name"], "categories": categories})
    return CategoryList.model_validate({"name": BOARD_LIST, "source": "", "fields": fields})
