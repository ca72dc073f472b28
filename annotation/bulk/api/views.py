"""HTTP of bulk actions."""

from __future__ import annotations

from annotation.bulk import queries, services
from annotation.bulk.api import serializers as s
from curation.core.api.operations import command, query
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.rules import CURATORS

# The permission of the operation on a single row is checked besides, so a token for these alone would do nothing.


class PrepareView(OperationView):
    """The preview of a bulk action, and the list of those that were applied."""

    get = query("bulk_list", queries.bulk_page, CURATORS, parameters=PageInput, shows="bulk", by_token=False)

    post = command(
        "bulk_prepare",
        services.prepare_bulk,
        s.PrepareInput,
        CURATORS,
        then=queries.bulk_answer,
        status=201,
        by_token=False,
        changes="bulk",
    )


class BulkView(OperationView):
    """One bulk action."""

    get = query("bulk_show", queries.bulk_detail, CURATORS, shows="bulk", by_token=False)


class ApplyView(OperationView):
    """Applying a bulk action."""

    post = command(
        "bulk_apply",
        services.apply_bulk,
        ClientKeyInput,
        CURATORS,
        then=queries.bulk_answer,
        by_token=False,
        changes="bulk",
    )


class UndoView(OperationView):
    """Undoing a bulk action."""

    post = command(
        "bulk_undo",
        services.undo_bulk,
        ClientKeyInput,
        CURATORS,
        then=queries.bulk_answer,
        by_token=False,
        changes="bulk",
    )
