"""Input about samples of runs over item sets."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.pages import FilteredInput, PageInput
from curation.core.api.serializers import ClientKeyInput, TextField
from curation.core.errors import InvalidInput
from evaluation.profiles.results import OUTCOMES
from evaluation.runs.rules import LONGEST_OVERRIDE
from evaluation.samples.rules import THAN, SampleFilters


class PredictionFiltersInput(FilteredInput):
    """Which entries: by outcome as read, by a tag with its value, compared with another run, read by a person."""

    filters = SampleFilters

    outcome = serializers.ChoiceField(choices=OUTCOMES, required=False)
    tag = serializers.CharField(required=False, max_length=64)
    value = serializers.CharField(required=False, max_length=400, allow_blank=True)
    against = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    than = serializers.ChoiceField(choices=THAN, required=False)
    overridden = serializers.BooleanField(required=False)

    @classmethod
    def parse(cls, data: Any) -> dict[str, Any]:
        """Validate ``data``; a tag comes with its value.

        Raises:
            InvalidInput.
        """
        parsed = super().parse(data)
        filters = parsed["filters"]
        if (filters.tag is None) != (filters.value is None):
            raise InvalidInput(fields={"value": ["A tag and its value come together."]})
        return parsed


class PredictionListInput(PredictionFiltersInput, PageInput):
    """A page of entries."""


class OverrideInput(ClientKeyInput):
    """What a person reads in a reply, null or blank for no answer, and why."""

    answer = TextField(max_length=LONGEST_OVERRIDE, allow_null=True, allow_blank=True)
    reason = TextField(max_length=1_000, lines=True)
