"""Input about guidelines."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.guidelines.rules import LANGUAGES, LONGEST
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, TextField


class GuidelineTextInput(Input):
    """Markdown by interface language; a blank text counts as missing."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return one field for each language tag; the tags are not valid Python names."""
        return {tag: TextField(lines=True, required=False, allow_blank=True, max_length=LONGEST) for tag in LANGUAGES}


class GuidelineInput(ClientKeyInput):
    """The next version, based on ``base_version`` (0: the first)."""

    base_version = serializers.IntegerField(min_value=0, max_value=LARGEST)
    text = GuidelineTextInput()
    note = TextField(required=False, allow_blank=True, max_length=500, default="")


class GuidelineQuery(Input):
    """The version to show; by default the newest."""

    version = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST)


class AcknowledgeInput(Input):
    """The version that was read."""

    version = serializers.IntegerField(min_value=1, max_value=LARGEST)
