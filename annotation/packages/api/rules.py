"""The rules of a kind in answers: one of several shapes, each brought by its kind."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers

from annotation.kinds.base import Rules
from annotation.kinds.registry import KINDS


class RulesField(serializers.Field[Rules, Any, Any, Any]):
    """What the workspace shows of a kind's rules; ``kind`` in it says which shape it has."""

    def to_representation(self, value: Rules) -> dict[str, Any]:
        """As JSON."""
        return value.model_dump(mode="json")


class RulesFieldDescription(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # how it registers
    """Describes the field as one of the registered kinds' shapes."""

    target_class = RulesField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Refer to a component for each kind."""
        refs = {name: auto_schema.resolve_serializer(KINDS[name].rules_shape, direction).ref for name in KINDS}
        return {
            "oneOf": list(refs.values()),
            "discriminator": {
                "propertyName": "kind",
                "mapping": {name: ref["$ref"] for name, ref in refs.items()},
            },
        }
