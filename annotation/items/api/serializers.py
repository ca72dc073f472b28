"""Input about items."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field({"type": "object", "additionalProperties": True})
class ContentField(serializers.JSONField):
    """Content of an item; the item's kind defines its shape."""
