"""Systems as the API shows them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import LocalisedText


class SystemBrief(serializers.Serializer[Any]):
    """A system beside its results; ``is_demo`` marks one that is no baseline."""

    id = serializers.IntegerField()
    slug = serializers.CharField()
    name = serializers.CharField()
    revision = serializers.CharField()
    description = LocalisedText()
    is_demo = serializers.BooleanField()


class SystemDetail(SystemBrief):
    """A revision of a system (W-E1)."""

    organisation = serializers.CharField()
    backend = serializers.CharField()
    files_sha256 = serializers.CharField()
    parameters = serializers.JSONField()
    capabilities = serializers.ListField(child=serializers.CharField())
    languages = serializers.ListField(child=serializers.CharField())
    licence = serializers.CharField()
    created_at = serializers.DateTimeField()
