"""Input of requests about a person's own address."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import Input
from curation.mail.models import Digest
from curation.mail.rules import is_zone


class AddressInput(Input):
    """An address to which a link is sent."""

    address = serializers.CharField(max_length=254, trim_whitespace=False)


class DigestInput(Input):
    """When notifications are mailed, and the zone of the person's browser; a field that is left out keeps its value."""

    digest = serializers.ChoiceField(Digest.values, required=False)
    zone = serializers.CharField(required=False, max_length=48)

    def validate_zone(self, value: str) -> str:
        """Refuse what is no time zone."""
        if not is_zone(value):
            raise serializers.ValidationError("Not a time zone.")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a request that changes nothing."""
        if not attrs:
            raise serializers.ValidationError("Neither a choice nor a zone.")
        return attrs


class NoInput(Input):
    """A command that needs nothing more than the person."""


class MailLinkInput(Input):
    """A secret from a mail."""

    token = serializers.CharField(max_length=300)
