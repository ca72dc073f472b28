"""Input about prompts."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import LARGEST, ClientKeyInput, Input
from curation.prompts.rules import LANGUAGES

# Characters of a prompt's text in one language; the longest that ships has 1,500.
LONGEST_TEXT = 100_000
NAME = r"^[a-z][a-z0-9-]{0,47}$"
NUMBERS: dict[str, Any] = {"min_value": 1, "max_value": 2**15 - 1}


class PromptText(serializers.CharField):
    """A prompt's text, not stripped or normalized: every blank in it is sent."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=LONGEST_TEXT, **kwargs)


class PromptInput(ClientKeyInput):
    """A changed copy of version ``base_no`` in one language."""

    name = serializers.RegexField(NAME)
    language = serializers.ChoiceField(LANGUAGES)
    base_no = serializers.IntegerField(**NUMBERS)
    text = PromptText()


class PromptPreviewInput(Input):
    """A version, or a changed text of it, and the item to render it with."""

    name = serializers.RegexField(NAME)
    language = serializers.ChoiceField(LANGUAGES)
    no = serializers.IntegerField(**NUMBERS)
    text = PromptText(required=False)
    item = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    part = serializers.IntegerField(min_value=0, max_value=LARGEST, default=0)
    side = serializers.RegexField(r"^[a-z]{0,16}$", required=False, allow_blank=True, default="")
