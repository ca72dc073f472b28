"""Input of a search for one thing."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.serializers import Input


class FindInput(Input):
    """What was typed."""

    q = serializers.CharField(max_length=100)
