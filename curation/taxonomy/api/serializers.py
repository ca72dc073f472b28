"""JSON of benchmarks and their categories."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import ClientKeyInput, LocalisedText


class PresetRow(serializers.Serializer[Any]):
    """A protocol that ships with the software."""

    name = serializers.CharField()
    title = LocalisedText()
    summary = LocalisedText()


class BenchmarkInput(ClientKeyInput):
    """A benchmark to create."""

    slug = serializers.RegexField(r"^[a-z][a-z0-9-]{1,47}$", help_text="Short name, part of addresses.")
    title = LocalisedText()
    preset = serializers.CharField(max_length=48)


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
    field = serializers.SerializerMethodField()
    group = serializers.ChoiceField(["coco", "moderate", "closest"], source="distance")

    def get_field(self, category: Any) -> BenchmarkField:
        """The field it belongs to."""
        return {"slug": category.field, "name": category.field_name}  # type: ignore[return-value]


class ProtocolInForce(serializers.Serializer[Any]):
    """The protocol that work is done under now; ``planned`` names kinds that are not built yet."""

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
