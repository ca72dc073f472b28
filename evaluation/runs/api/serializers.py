"""Input about runs."""

from __future__ import annotations

from typing import Any, get_args

from rest_framework import serializers

from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput, Input
from curation.people.rules import LANGUAGES
from evaluation.answering.rules.pictures import SCALES
from evaluation.runs.rules import MOST_CELLS, MOST_SHOTS, NO_PICTURE
from evaluation.suites.rules import CAPABILITIES, Side


class RunListInput(Input):
    """Filters of the list of runs."""

    release = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    item_set = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class RunStartInput(ClientKeyInput):
    """Which system to test with which suite on which release."""

    system = serializers.CharField(max_length=64)
    suite = serializers.CharField(max_length=48)
    release = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


_PICTURES = [NO_PICTURE, *map(str, SCALES)]


def _choices(child: serializers.Field[Any, Any, Any, Any]) -> serializers.ListField:
    return serializers.ListField(child=child, required=False, default=list, max_length=MOST_CELLS)


class GridInput(Input):
    """Which systems to test on an item set, and in which settings; an empty list is the suite's default."""

    systems = serializers.ListField(
        child=serializers.CharField(max_length=64), allow_empty=False, max_length=MOST_CELLS
    )
    settings = _choices(serializers.CharField(max_length=48))
    means = _choices(serializers.ChoiceField(choices=sorted(CAPABILITIES)))
    sides = _choices(serializers.ChoiceField(choices=get_args(Side)))
    languages = _choices(serializers.ChoiceField(choices=LANGUAGES))
    prompts = _choices(serializers.IntegerField(min_value=1, max_value=2**31 - 1))
    pictures = _choices(serializers.ChoiceField(choices=_PICTURES))
    shots = _choices(serializers.IntegerField(min_value=0, max_value=MOST_SHOTS))
    examples = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1, max_value=2**63 - 1)
    seed = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**31 - 1)
    again = serializers.BooleanField(required=False, default=False)


class GridStartInput(ClientKeyInput, GridInput):
    """The same, to be started."""


class FailureListInput(PageInput):
    """Filters of the list of failures."""

    code = serializers.CharField(required=False, max_length=64)
