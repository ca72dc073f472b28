"""Input about scores."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.serializers import Input


class ScoresInput(Input):
    """The scores of which kind of a release; without it the first that systems are tested on."""

    kind = serializers.CharField(required=False, max_length=24)


class ReportInput(Input):
    """The report of which profile, without it the headline's; and whether what people read in replies counts."""

    profile = serializers.CharField(required=False, max_length=48)
    overrides = serializers.BooleanField(required=False, default=False)
