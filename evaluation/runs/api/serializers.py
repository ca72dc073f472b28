"""Input about runs."""

from __future__ import annotations

from typing import get_args

from rest_framework import serializers

from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput, Input
from curation.people.rules import LANGUAGES
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


class SetRunInput(ClientKeyInput):
    """Which system to test on an item set, and how it is asked; what is left out is the suite's default."""

    system = serializers.CharField(max_length=64)
    setting = serializers.CharField(required=False, allow_blank=True, max_length=48, default="")
    means = serializers.ChoiceField(required=False, choices=sorted(CAPABILITIES), default=None)
    language = serializers.ChoiceField(required=False, choices=LANGUAGES, default=None)
    side = serializers.ChoiceField(required=False, choices=get_args(Side), default=None)
    prompt = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1, default=None)
    picture = serializers.BooleanField(required=False, default=True)
    scale = serializers.CharField(required=False, max_length=4, default="1")


class FailureListInput(PageInput):
    """Filters of the list of failures."""

    code = serializers.CharField(required=False, max_length=64)
