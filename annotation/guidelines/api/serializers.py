"""JSON of guidelines."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.guidelines.rules import LANGUAGES, LONGEST
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, PersonBrief, TextField


class GuidelineRow(serializers.Serializer[Any]):
    """A kind's guidelines in the list; ``version`` is null where nobody wrote any."""

    kind = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField(allow_null=True)
    note = serializers.CharField()
    acknowledged = serializers.BooleanField()
    has_preset = serializers.BooleanField()


class GuidelineText(serializers.Serializer[Any]):
    """Markdown by interface language; a language in which nobody wrote it is missing."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Fields are language tags, which are no Python names."""
        return {tag: serializers.CharField(required=False) for tag in LANGUAGES}


class GuidelineTextInput(Input):
    """As :class:`GuidelineText`, checked; a blank text counts as missing."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Fields are language tags, which are no Python names."""
        return {tag: TextField(lines=True, required=False, allow_blank=True, max_length=LONGEST) for tag in LANGUAGES}


class GuidelineVersion(serializers.Serializer[Any]):
    """A version; ``acknowledged_by`` counts the people who said that they work by it."""

    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    by = PersonBrief(allow_null=True)
    note = serializers.CharField()
    acknowledged_by = serializers.IntegerField()


class GuidelineAnswer(serializers.Serializer[Any]):
    """One version's text, and all versions, newest first."""

    kind = serializers.CharField()
    version = serializers.IntegerField()
    versions = GuidelineVersion(many=True)
    text = GuidelineText()
    acknowledged = serializers.BooleanField()


class GuidelineInput(ClientKeyInput):
    """The next version, written over ``base_version`` (0: the first)."""

    base_version = serializers.IntegerField(min_value=0, max_value=LARGEST)
    text = GuidelineTextInput()
    note = TextField(required=False, allow_blank=True, max_length=500, default="")


class GuidelineQuery(Input):
    """Which version to show; the newest when none is named."""

    version = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST)


class GuidelinePreset(serializers.Serializer[Any]):
    """The text that ships."""

    text = GuidelineText()


class AcknowledgeInput(Input):
    """The version that was read."""

    version = serializers.IntegerField(min_value=1, max_value=LARGEST)


class AcknowledgeAnswer(serializers.Serializer[Any]):
    """What somebody works by now."""

    version = serializers.IntegerField()
    acknowledged = serializers.BooleanField()
