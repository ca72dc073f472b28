"""Input about benchmarks and their protocols."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, LocalisedText

# Characters of a protocol's text; the longest that ships has 15,000.
LONGEST_TEXT = 100_000


class ProtocolText(serializers.CharField):
    """A protocol's text, not stripped or normalized: its SHA-256 identifies the version."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=LONGEST_TEXT, **kwargs)


class BenchmarkInput(ClientKeyInput):
    """A benchmark to create, from a preset or from a protocol's text."""

    slug = serializers.RegexField(r"^[a-z][a-z0-9-]{1,47}$", help_text="Short name, part of addresses.")
    title = LocalisedText()
    preset = serializers.CharField(max_length=48, required=False)
    text = ProtocolText(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require exactly one of preset and text."""
        if ("preset" in attrs) == ("text" in attrs):
            raise serializers.ValidationError("Either preset or text is expected.")
        return attrs


class ProtocolInput(ClientKeyInput):
    """A protocol's text to adopt or propose, and the version it was based on."""

    text = ProtocolText()
    base_version = serializers.IntegerField(min_value=1, max_value=LARGEST)


class CompareQuery(Input):
    """The version to compare with."""

    # ``with`` is a keyword of Python, so the field cannot be a class attribute.
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The one parameter."""
        return {"with": serializers.IntegerField(source="other", min_value=1, max_value=LARGEST)}


class ProtocolCheckInput(Input):
    """A protocol's text to check; with a benchmark, also what it would change there."""

    text = ProtocolText(allow_blank=True)
    benchmark = serializers.SlugField(source="benchmark_slug", required=False, max_length=48)
