"""Input about benchmarks and their protocols."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, LocalisedText
from curation.taxonomy.rules import FORMATS

LONGEST_LIST_TEXT = 1_000_000  # characters; 2,000 categories with definitions have half of that
LIST_NAME = r"^[a-z][a-z0-9-]{0,47}$"
# Characters of a protocol's text; the longest that ships has 15,000.
LONGEST_TEXT = 100_000


class ProtocolText(serializers.CharField):
    """A protocol's text, not stripped or normalized: its SHA-256 identifies the version."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=LONGEST_TEXT, **kwargs)


class ListText(serializers.CharField):
    """The text of a list of categories, not stripped: faults name its lines."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=LONGEST_LIST_TEXT, **kwargs)


class OwnListInput(Input):
    """A list of categories of one's own for a new benchmark."""

    name = serializers.RegexField(LIST_NAME)
    text = ListText()
    form = serializers.ChoiceField(FORMATS)


class BoardFieldInput(Input):
    """A semantic field of a board."""

    code = serializers.RegexField(r"^[a-z][a-z0-9_]{0,47}$")
    name = LocalisedText()


class PerFieldInput(Input):
    """How many categories each person proposes for a field."""

    minimum = serializers.IntegerField(min_value=1, max_value=100)
    maximum = serializers.IntegerField(min_value=1, max_value=100)


class BoardSettingsInput(Input):
    """The board of a new benchmark."""

    proposers = serializers.IntegerField(min_value=1, max_value=1_000)
    per_field = PerFieldInput()
    semantic_fields = BoardFieldInput(many=True, allow_empty=False)


class CategoriesInput(Input):
    """What a new benchmark's categories are, instead of the protocol's: a list of one's own, or a board."""

    own = OwnListInput(required=False)
    board = BoardSettingsInput(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require exactly one of own and board."""
        if ("own" in attrs) == ("board" in attrs):
            raise serializers.ValidationError("Either own or board is expected.")
        return attrs


class ListCheckInput(Input):
    """A text to check as a list of categories."""

    text = ListText(allow_blank=True)
    form = serializers.ChoiceField(FORMATS)


class ListInput(ClientKeyInput):
    """The next version of a list of the benchmark's own, and the version that was edited."""

    name = serializers.RegexField(LIST_NAME)
    base_version = serializers.IntegerField(min_value=0, max_value=LARGEST)
    text = ListText()
    form = serializers.ChoiceField(FORMATS)


class AxisInput(Input):
    """A further dimension whose values are a list's entries."""

    code = serializers.RegexField(r"^[a-z][a-z0-9_]{0,47}$")
    name = LocalisedText()


class ListUseInput(ClientKeyInput):
    """Taking the categories, or the values of a dimension, from a list; and the version of the protocol to change."""

    base_version = serializers.IntegerField(min_value=1, max_value=LARGEST)
    axis = AxisInput(required=False, allow_null=True, default=None)


class BenchmarkInput(ClientKeyInput):
    """A benchmark to create, from a preset or from a protocol's text."""

    slug = serializers.RegexField(r"^[a-z][a-z0-9-]{1,47}$", help_text="Short name, part of addresses.")
    title = LocalisedText()
    preset = serializers.CharField(max_length=48, required=False)
    text = ProtocolText(required=False)
    categories = CategoriesInput(required=False)

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
