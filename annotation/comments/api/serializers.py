"""JSON of comments."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.comments.rules import LONGEST, MOST_NAMED, Part
from curation.core.api.serializers import ClientKeyInput, PersonBrief, TextField

PARTS = [part.value for part in Part]


class ItemPerson(serializers.Serializer[Any]):
    """Somebody around an item; where names are hidden, ``name`` is null and ``id`` holds on this item alone."""

    id = serializers.IntegerField()
    name = serializers.CharField(allow_null=True)
    part = serializers.ChoiceField(PARTS)


class CommentRow(serializers.Serializer[Any]):
    """A remark; ``author`` is null where names are hidden, ``part`` tells which side it comes from."""

    id = serializers.IntegerField()
    author = PersonBrief(allow_null=True)
    part = serializers.ChoiceField(PARTS)
    text = serializers.CharField()
    mentions = ItemPerson(many=True)
    created_at = serializers.DateTimeField()
    mine = serializers.BooleanField()


class CommentInput(ClientKeyInput):
    """A remark, and whom it is meant for by ``ItemPerson.id``."""

    text = TextField(lines=True, max_length=LONGEST)
    mentions = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**53), required=False, max_length=MOST_NAMED, default=[]
    )
