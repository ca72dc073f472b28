"""Input of people outside the team."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput
from curation.people.api.serializers import AccountInput


class SignUpInput(AccountInput):
    """Joining; a person who is signed in sends nothing."""


class TermsInput(ClientKeyInput):
    """Acceptance of the text with this SHA-256."""

    terms_sha256 = serializers.RegexField(r"^[0-9a-f]{64}$")


class OutsiderFilters(PageInput):
    """Only barred people, or only the others; without it all."""

    barred = serializers.BooleanField(required=False, allow_null=True, default=None)
