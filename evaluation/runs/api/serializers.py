"""Input about runs."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput, Input


class RunListInput(Input):
    """Filters of the list of runs."""

    release = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class RunStartInput(ClientKeyInput):
    """Which system to test with which suite on which release."""

    system = serializers.CharField(max_length=64)
    suite = serializers.CharField(max_length=48)
    release = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class FailureListInput(PageInput):
    """Filters of the list of failures."""

    code = serializers.CharField(required=False, max_length=64)
