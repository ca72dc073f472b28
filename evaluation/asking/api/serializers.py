"""Input about trying prompts on models."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.serializers import ClientKeyInput
from curation.prompts.api.serializers import PromptPreviewInput

#: Tokens of a reply at most; a trial is to be read by a person.
MOST_TOKENS = 4096


class AnswerInput(PromptPreviewInput):
    """A version, or a changed text of it, the item whose values it gets, and the model that it is sent to."""

    item = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    server = serializers.CharField(max_length=32)
    model = serializers.CharField(max_length=200)
    picture = serializers.BooleanField(default=True)
    max_tokens = serializers.IntegerField(min_value=1, max_value=MOST_TOKENS, default=512)


class TryInput(ClientKeyInput, AnswerInput):
    """The same, to be sent."""
