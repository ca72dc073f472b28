"""Input about public pages."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import ClientKeyInput, Input, TextField
from evaluation.publication.models import Publication
from evaluation.publication.rules import LANGUAGES


class TermsText(serializers.Serializer[Any]):
    """Terms of use in the three interface languages; all empty: none."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Fields are language tags, which are not Python names."""
        return {tag: TextField(lines=True, allow_blank=True, max_length=20_000) for tag in LANGUAGES}


class CitationInput(Input):
    """How to cite the benchmark: people as "Family, Given", or names of groups."""

    authors = serializers.ListField(child=TextField(max_length=200), max_length=200)
    title = TextField(allow_blank=True, max_length=500)
    year = serializers.IntegerField(min_value=1900, max_value=2200, allow_null=True)
    url = serializers.RegexField(r"^https?://[^\s<>\"]+$", allow_blank=True, max_length=500)


class PublicationInput(ClientKeyInput):
    """Settings of the public pages; those that are left out stay."""

    is_open = serializers.BooleanField(required=False)
    terms_mode = serializers.ChoiceField(Publication.Terms.choices, required=False)
    terms = TermsText(required=False)
    citation = CitationInput(required=False)


class PreviewInput(Input):
    """What the public pages take behind their addresses: filters, and the number of a page."""

    kind = serializers.CharField(required=False, allow_blank=True, max_length=64)
    split = serializers.CharField(required=False, allow_blank=True, max_length=64)
    category = serializers.CharField(required=False, allow_blank=True, max_length=64)
    page = serializers.CharField(required=False, allow_blank=True, max_length=64)
