"""Input about concepts."""

from __future__ import annotations

from rest_framework import serializers

from annotation.concepts.rules import LONGEST_EXPLANATION, LONGEST_NAME, MOST_ALIASES
from curation.core.api.serializers import ClientKeyInput, TextField


class ConceptInput(ClientKeyInput):
    """A concept of a picture: its names, a generic noun for it, and what it is."""

    local = TextField(max_length=LONGEST_NAME)
    translated = TextField(max_length=LONGEST_NAME, required=False, allow_blank=True, default="")
    aliases = serializers.ListField(
        child=TextField(max_length=LONGEST_NAME), required=False, max_length=MOST_ALIASES, default=[]
    )
    noun_local = TextField(max_length=LONGEST_NAME, required=False, allow_blank=True, default="")
    noun_translated = TextField(max_length=LONGEST_NAME, required=False, allow_blank=True, default="")
    explanation = TextField(lines=True, max_length=LONGEST_EXPLANATION, required=False, allow_blank=True, default="")
