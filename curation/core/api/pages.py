"""The parameters of lists over HTTP; ``curation.core.pages`` cuts the pages."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar

from rest_framework import serializers

from curation.core.api.serializers import Input


class FilteredInput(Input):
    """The parameters of a list, whose filters are passed as one value named ``filters``."""

    filters: ClassVar[type[Any]]

    @classmethod
    def parse(cls, data: Any) -> dict[str, Any]:
        """Validate ``data`` and put the filters into their dataclass.

        Raises:
            InvalidInput.
        """
        values = super().parse(data)
        names = [field.name for field in fields(cls.filters) if field.name in values]
        return {"filters": cls.filters(**{name: values.pop(name) for name in names}), **values}


def changed_filters(filters: Any) -> dict[str, Any]:
    """The filters that a person chose, by name, as they are stored; those left as they are by default are missing."""
    values = {field.name: (getattr(filters, field.name), field.default) for field in fields(filters)}
    return {name: value for name, (value, default) in values.items() if value != default}


class PageInput(Input):
    """The parameters of every list."""

    cursor = serializers.CharField(required=False, max_length=200)
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=100, default=50)
