"""JSON of benchmarks and their categories."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, LocalisedText, PersonBrief
from curation.taxonomy.queries import pairs_of, planned_in, warnings_in

# Characters of a protocol's text; the longest that ships has 15,000.
LONGEST_TEXT = 100_000


class PresetRow(serializers.Serializer[Any]):
    """A protocol that ships with the software."""

    name = serializers.CharField()
    title = LocalisedText()
    summary = LocalisedText()


class PresetAnswer(serializers.Serializer[Any]):
    """A preset with its file's text, to read or to start from."""

    name = serializers.CharField()
    source = serializers.CharField()
    source_sha256 = serializers.CharField()
    content = serializers.DictField()
    planned = serializers.SerializerMethodField()

    def get_planned(self, preset: Any) -> list[str]:
        """What is not built yet."""
        return planned_in(preset.content)


class ProtocolText(serializers.CharField):
    """A protocol's text, untouched: its SHA-256 names the version."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=LONGEST_TEXT, **kwargs)


class BenchmarkInput(ClientKeyInput):
    """A benchmark to create, from a preset or from a protocol's text."""

    slug = serializers.RegexField(r"^[a-z][a-z0-9-]{1,47}$", help_text="Short name, part of addresses.")
    title = LocalisedText()
    preset = serializers.CharField(max_length=48, required=False)
    text = ProtocolText(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask for one origin."""
        if ("preset" in attrs) == ("text" in attrs):
            raise serializers.ValidationError("Either preset or text is expected.")
        return attrs


class BenchmarkCounts(serializers.Serializer[Any]):
    """How much there is of everything."""

    images = serializers.IntegerField()
    accepted_images = serializers.IntegerField()
    items = serializers.IntegerField()
    accepted_items = serializers.IntegerField()
    packages = serializers.IntegerField()
    releases = serializers.IntegerField()


class BenchmarkRow(serializers.Serializer[Any]):
    """A benchmark in the list."""

    slug = serializers.CharField()
    title = LocalisedText()
    roles = serializers.ListField(child=serializers.CharField())
    counts = BenchmarkCounts()


class BenchmarkField(serializers.Serializer[Any]):
    """A semantic field."""

    slug = serializers.CharField()
    name = LocalisedText()


class CategoryRow(serializers.Serializer[Any]):
    """A category of the benchmark's list."""

    id = serializers.IntegerField()
    slug = serializers.CharField()
    name = LocalisedText()
    short = LocalisedText(source="short_name", allow_null=True)
    definition = LocalisedText(allow_null=True)
    field = serializers.SerializerMethodField()
    group = serializers.ChoiceField(["coco", "moderate", "closest", ""], source="distance")

    def get_field(self, category: Any) -> BenchmarkField:
        """The field it belongs to."""
        return {"slug": category.field, "name": category.field_name}  # type: ignore[return-value]


class ProtocolInForce(serializers.Serializer[Any]):
    """The protocol that work is done under now; ``planned`` names what is not built yet: ``kinds.boxes``."""

    version = serializers.IntegerField()
    name = serializers.CharField()
    content = serializers.DictField()
    planned = serializers.ListField(child=serializers.CharField())


class BenchmarkAnswer(serializers.Serializer[Any]):
    """A benchmark with its protocol and categories."""

    slug = serializers.CharField()
    title = LocalisedText()
    zone = serializers.CharField()
    state = serializers.ChoiceField(["open", "closed"])
    roles = serializers.ListField(child=serializers.CharField())
    operations = serializers.ListField(child=serializers.CharField())
    protocol = ProtocolInForce()
    categories = CategoryRow(many=True)


class ProtocolInput(ClientKeyInput):
    """A protocol's text to adopt, written on the grounds of a version."""

    text = ProtocolText()
    base_version = serializers.IntegerField(min_value=1, max_value=LARGEST)


class ProtocolRow(serializers.Serializer[Any]):
    """A version in the list; who made it is null for those made before that was kept."""

    version = serializers.IntegerField()
    name = serializers.CharField()
    title = LocalisedText()
    source_sha256 = serializers.CharField()
    created_at = serializers.DateTimeField()
    created_by = PersonBrief(allow_null=True)
    is_current = serializers.BooleanField()


class PairRow(serializers.Serializer[Any]):
    """A language as it is spoken in a country."""

    slug = serializers.CharField()
    country = LocalisedText()
    language = LocalisedText()
    continent = serializers.CharField()
    script = serializers.CharField()


class WarningRow(serializers.Serializer[Any]):
    """Something that is no fault but hardly what anybody wants, beside its line; translated by ``code``."""

    code = serializers.CharField()
    params = serializers.DictField()
    line = serializers.IntegerField()
    path = serializers.CharField()


class ProtocolAnswer(ProtocolRow):
    """A version with everything in it; ``source`` is empty for those made before it was kept."""

    content = serializers.DictField()
    source = serializers.CharField()
    planned = serializers.SerializerMethodField()
    pairs = serializers.SerializerMethodField()
    warnings = serializers.SerializerMethodField()

    @extend_schema_field(WarningRow(many=True))
    def get_warnings(self, version: Any) -> list[dict[str, Any]]:
        """What may surprise whoever works by it."""
        return [warned._asdict() for warned in warnings_in(version)]

    def get_planned(self, version: Any) -> list[str]:
        """What is not built yet."""
        return planned_in(version.content)

    @extend_schema_field(PairRow(many=True))
    def get_pairs(self, version: Any) -> list[dict[str, Any]]:
        """What teams write for, where the protocol names a list."""
        return pairs_of(version.content)


class ProtocolChange(serializers.Serializer[Any]):
    """One difference; null where a version has nothing there. ``is_frozen``: refused once work has begun."""

    path = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    is_frozen = serializers.BooleanField()


class CompareQuery(Input):
    """The version to compare with."""

    # ``with`` is a word of Python's, so the field is named in the class's table.
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The one parameter."""
        return {"with": serializers.IntegerField(min_value=1, max_value=LARGEST)}


class ComparisonAnswer(serializers.Serializer[Any]):
    """What ``version`` changed against ``other``."""

    version = serializers.IntegerField()
    other = serializers.IntegerField()
    changes = ProtocolChange(many=True)
    asks_consent_again = serializers.BooleanField()


class ProtocolCheckInput(Input):
    """A protocol's text to check; with a benchmark, also what it would change there."""

    text = ProtocolText(allow_blank=True)
    benchmark = serializers.SlugField(required=False, max_length=48)


class FaultRow(serializers.Serializer[Any]):
    """A fault beside its line; ``code`` is empty where only the English message says it."""

    line = serializers.IntegerField()
    key = serializers.CharField()
    message = serializers.CharField()
    code = serializers.CharField()
    params = serializers.DictField()


class ProtocolEffect(serializers.Serializer[Any]):
    """What adopting the text would do to the benchmark as it stands now."""

    base_version = serializers.IntegerField()
    changes = ProtocolChange(many=True)
    work_has_begun = serializers.BooleanField()
    asks_consent_again = serializers.BooleanField()
    is_same_text = serializers.BooleanField()


class ProtocolCheckAnswer(serializers.Serializer[Any]):
    """Every fault, or what the text says."""

    faults = FaultRow(many=True)
    title = LocalisedText(allow_null=True)
    planned = serializers.ListField(child=serializers.CharField())
    warnings = WarningRow(many=True)
    effect = ProtocolEffect(allow_null=True)
