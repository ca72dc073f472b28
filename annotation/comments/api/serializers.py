"""Input about comments."""

from __future__ import annotations

from rest_framework import serializers

from annotation.comments.rules import LONGEST, MOST_NAMED
from curation.core.api.serializers import ClientKeyInput, TextField


class CommentInput(ClientKeyInput):
    """A comment, and whom it mentions by ``ItemPerson.id``."""

    text = TextField(lines=True, max_length=LONGEST)
    mentions = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**53), required=False, max_length=MOST_NAMED, default=[]
    )
