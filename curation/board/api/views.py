"""HTTP of the board."""

from __future__ import annotations

from curation.board import queries, services
from curation.board.api import serializers as s
from curation.core.api.operations import command, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.rules import BOARD_DECIDERS, BOARD_PROPOSERS, BOARD_READERS


class BoardView(OperationView):
    """A benchmark's board."""

    get = query("category_board_show", queries.board_page, BOARD_READERS, shows="category_board")


class BoardDraftView(OperationView):
    """The reader's own proposals."""

    put = command(
        "category_board_draft",
        services.save_draft,
        s.CategoryBoardDraftInput,
        BOARD_PROPOSERS,
        then=queries.updated_board,
        changes="category_board",
    )


class BoardSubmitView(OperationView):
    """Submitting one's proposals."""

    post = command(
        "category_board_submit",
        services.submit_proposals,
        ClientKeyInput,
        BOARD_PROPOSERS,
        then=queries.updated_board,
        changes="category_board",
        by_token=False,  # only a person can vouch
    )


class BoardEntriesView(OperationView):
    """Adding a category."""

    post = command(
        "category_board_add",
        services.add_entry,
        s.CategoryBoardEntryInput,
        BOARD_DECIDERS,
        then=queries.updated_board,
        status=201,
        changes="category_board",
    )


class BoardImportView(OperationView):
    """Proposing the categories of an existing list."""

    post = command(
        "category_board_import",
        services.import_list,
        s.CategoryBoardImportInput,
        BOARD_DECIDERS,
        then=queries.updated_board,
        changes="category_board",
    )


class BoardFreezeView(OperationView):
    """Freezing the list."""

    post = command(
        "category_board_freeze",
        services.freeze_board,
        s.CategoryBoardFreezeInput,
        BOARD_DECIDERS,
        then=queries.updated_board,
        changes="category_board benchmark category_list protocol",
    )


class BoardEntryView(OperationView):
    """A proposed category with its history."""

    get = query("category_board_entry", queries.entry_page, BOARD_READERS, shows="category_board")


class BoardDecideView(OperationView):
    """A decision about a proposed category."""

    post = command(
        "category_board_decide",
        services.decide,
        s.CategoryBoardDecisionInput,
        BOARD_DECIDERS,
        then=queries.entry_answer,
        changes="category_board",
    )
