"""The parameters of lists over HTTP; ``curation.core.pages`` cuts the pages."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import Input


class PageInput(Input):
    """The parameters of every list."""

    cursor = serializers.CharField(required=False, max_length=200)
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=100, default=50)


def paged(
    name: str, item: type[serializers.Serializer[Any]], **more: serializers.Field[Any, Any, Any, Any]
) -> type[serializers.Serializer[Any]]:
    """Make the answer's serializer of a list of ``item``."""
    fields: dict[str, Any] = {
        "results": item(many=True),
        "next": serializers.CharField(allow_null=True),
        "total": serializers.IntegerField(allow_null=True),
        "total_is_capped": serializers.BooleanField(),
        **more,
    }
    return type(name, (serializers.Serializer,), fields)
