"""The parameters of lists over HTTP; ``curation.core.pages`` cuts the pages."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.serializers import Input


class PageInput(Input):
    """The parameters of every list."""

    cursor = serializers.CharField(required=False, max_length=200)
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=100, default=50)
