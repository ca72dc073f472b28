"""Input of requests about a person's own address."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.serializers import Input


class AddressInput(Input):
    """An address to which a link is sent."""

    address = serializers.CharField(max_length=254, trim_whitespace=False)


class NoInput(Input):
    """A command that needs nothing more than the person."""


class MailLinkInput(Input):
    """A secret from a mail."""

    token = serializers.CharField(max_length=200)
