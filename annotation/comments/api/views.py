"""HTTP of comments."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.comments import queries, services
from annotation.comments.api import serializers as s
from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest


class CommentsView(Operation):
    """What is said about an item."""

    operations = {"GET": "comment_list", "POST": "comment_add"}

    @extend_schema(responses=s.CommentRow(many=True))
    def get(self, request: PersonRequest, item: int) -> Response:
        """List remarks, oldest first."""
        return Response(s.CommentRow(queries.comments_json(request.user, item), many=True).data)

    @extend_schema(request=s.CommentInput, responses={201: s.CommentRow})
    def post(self, request: PersonRequest, item: int) -> Response:
        """Add a remark."""
        made = services.add_comment(actor=request.user, item_id=item, **s.CommentInput.parse(request.data))
        return Response(s.CommentRow(queries.comment_json(request.user, made)).data, status=201)


class ItemPeopleView(Operation):
    """Who has to do with an item."""

    operations = {"GET": "item_people"}

    @extend_schema(responses=s.ItemPerson(many=True))
    def get(self, request: PersonRequest, item: int) -> Response:
        """List the people that a remark can be meant for."""
        return Response(s.ItemPerson(queries.people_json(request.user, item), many=True).data)
