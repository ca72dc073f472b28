"""HTTP of comments."""

from __future__ import annotations

from annotation.comments import queries, services
from annotation.comments.api import serializers as s
from curation.core.api.operations import command, query
from curation.core.api.views import OperationView
from curation.people.rules import ASSIGNED_ANNOTATORS, STAFF, VERIFIERS

_READERS = STAFF | ASSIGNED_ANNOTATORS | VERIFIERS


class CommentsView(OperationView):
    """The comments on an item."""

    get = query("comment_list", queries.comments, _READERS, shows="comment")
    post = command(
        "comment_add",
        services.add_comment,
        s.CommentInput,
        _READERS,
        then=queries.comment_row,
        status=201,
        contributes=True,
        changes="comment",
    )


class ItemPeopleView(OperationView):
    """The people whom a comment on an item can mention."""

    get = query("item_people", queries.people, _READERS, shows="item")
