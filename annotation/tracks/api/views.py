"""HTTP of items, drafts and submissions."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.tracks import queries, services
from annotation.tracks.api import serializers as s
from curation.core.api.operations import command, csv_file, operation, query
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest
from curation.people.rules import ASSIGNED_ANNOTATORS, HEADS, PICTURE_VIEWERS, STAFF, VERIFIERS, WRITERS

_READERS = STAFF | ASSIGNED_ANNOTATORS | VERIFIERS


class DraftView(OperationView):
    """The draft of an item."""

    put = command("draft_save", services.save_draft, s.DraftInput, WRITERS, contributes=True)

    @operation("draft_delete", WRITERS, changes="item")
    @extend_schema(request=None, responses={204: None})
    def delete(self, request: PersonRequest, item_id: int) -> Response:
        """Delete one's own draft of an item."""
        services.delete_draft(actor=request.user, item_id=item_id)
        return Response(status=204)


class SubmitView(OperationView):
    """Submitting an item."""

    post = command(
        "item_submit",
        services.submit_item,
        s.SubmitInput,
        WRITERS,
        then=queries.submit_answer,
        contributes=True,
        changes="item package",
    )


class ImageItemsView(OperationView):
    """The items made on a picture."""

    get = query("image_items", queries.items_of_image, PICTURE_VIEWERS | reaches(collect="own"), shows="item image")


class ItemsView(OperationView):
    """The items of a benchmark."""

    get = query("item_list", queries.item_page, STAFF, parameters=s.ItemListInput, shows="item image")


class ItemFileView(OperationView):
    """The list of items as a file."""

    get = csv_file(
        "item_file", queries.item_cells, queries.ITEM_COLUMNS, STAFF, title="items", parameters=s.ItemFilters
    )


class ItemView(OperationView):
    """One item."""

    get = query("item_show", queries.item_detail, _READERS, shows="item")


class ExcludeView(OperationView):
    """Excluding an accepted item."""

    post = command(
        "item_exclude",
        services.exclude_item,
        s.ExcludeInput,
        HEADS | reaches(inspect="all"),
        then=queries.changed_item,
        changes="item package seat",
    )


class ConfirmView(OperationView):
    """Judging an accepted item again after something in its picture was covered."""

    post = command(
        "item_confirm",
        services.confirm_item,
        s.ConfirmInput,
        HEADS | reaches(inspect="all"),
        then=queries.changed_item,
        changes="item release",
    )


class HistoryView(OperationView):
    """An item's history."""

    get = query("item_history", queries.history, _READERS, shows="item")
