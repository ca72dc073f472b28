"""Input about bulk actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

from annotation.bulk.rules import ACTIONS, NAMES
from annotation.packages.api.serializers import PackageFilters
from annotation.tracks.api.serializers import ItemFilters
from curation.core.api.pages import FilteredInput, changed_filters
from curation.core.api.serializers import Input, TextField
from curation.core.errors import InvalidInput
from curation.images.api.serializers import ImageFilters

CHOSEN: Final = 5_000  # rows that are chosen one by one
_LARGEST_ID: Final = 2**63 - 1


class _Assign(Input):
    person = serializers.IntegerField(min_value=1, max_value=_LARGEST_ID)


class _Revoke(Input):
    comment = TextField(max_length=500, required=False, allow_blank=True, default="")


class _Category(Input):
    category = serializers.SlugField(max_length=64)


class _Licence(Input):
    licence = serializers.CharField(max_length=64)


class _Exclude(Input):
    reason = TextField(lines=True, max_length=1_000)


_PARAMS: Final[Mapping[str, type[Input]]] = {
    "assign": _Assign,
    "revoke": _Revoke,
    "category": _Category,
    "licence": _Licence,
    "exclude": _Exclude,
}
_FILTERS: Final[Mapping[str, type[FilteredInput]]] = {
    "package": PackageFilters,
    "image": ImageFilters,
    "item": ItemFilters,
}


class PrepareInput(Input):
    """An action, its parameters, and the rows: either ``ids``, or the ``filters`` of the list that shows them.

    ``params`` has ``person`` to assign packages to, ``comment`` on revoking them, ``category`` or ``licence`` of
    pictures, or the ``reason`` for which items are excluded.
    """

    action = serializers.ChoiceField(NAMES)
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=_LARGEST_ID),
        required=False,
        allow_empty=False,
        max_length=CHOSEN,
    )
    filters = serializers.DictField(required=False)
    params = serializers.DictField(required=False, default=dict)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Read filters as the list does, and the parameters of the action."""
        action = attrs["action"]
        if ("ids" in attrs) is ("filters" in attrs):
            raise serializers.ValidationError("Either ids or filters are expected.")
        attrs["params"] = _nested(_PARAMS[action], "params", attrs["params"])
        if "filters" in attrs:
            form = _FILTERS[ACTIONS[action].target]
            attrs["filters"] = changed_filters(_nested(form, "filters", attrs["filters"])["filters"])
        return attrs


def _nested(form: type[Input], name: str, data: Any) -> dict[str, Any]:
    try:
        return form.parse(data)
    except InvalidInput as error:
        raise serializers.ValidationError({name: error.params["fields"]}) from error
