"""Input about comments."""

from __future__ import annotations

from rest_framework import serializers

from annotation.comments.rules import LONGEST, MENTIONS_MAXIMUM
from curation.core.api.serializers import ClientKeyInput, TextField


class CommentInput(ClientKeyInput):
    """A comment, and the people it mentions by ``ItemPerson.id``."""

    text = TextField(lines=True, max_length=LONGEST)
    mentions = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**53),
        required=False,
        max_length=MENTIONS_MAXIMUM,
        default=[],
    )
