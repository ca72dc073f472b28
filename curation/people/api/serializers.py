"""Input of requests about accounts, people, teams, links, consent, tokens, notices and the audit log."""

from __future__ import annotations

import unicodedata
from typing import Any

from rest_framework import serializers

from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput, Input, TextField
from curation.people.models import USERNAME_LENGTH, Person
from curation.people.rules import LANGUAGES

LARGEST_ID = 2**63 - 1


class SessionInput(Input):
    """What people may change about their own account; a field that is left out keeps its value."""

    language = serializers.ChoiceField(LANGUAGES, required=False)
    name = TextField(required=False, min_length=1, max_length=120)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a request that changes nothing."""
        if not attrs:
            raise serializers.ValidationError("Neither a language nor a name is given.")
        return attrs


# --- People and teams


class PeopleInput(PageInput):
    """Filters of the list of people."""

    search = TextField(required=False, max_length=64)
    role = serializers.CharField(required=False, max_length=48)
    team = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)


class GrantInput(ClientKeyInput):
    """A role to grant, in a team or without one."""

    role = serializers.CharField(max_length=48)
    team = serializers.IntegerField(
        source="team_id", required=False, allow_null=True, min_value=1, max_value=LARGEST_ID
    )


class TeamInput(ClientKeyInput):
    """A new team; ``pair`` is the slug of a pair in the protocol's list, where it names one."""

    name = TextField(min_length=1, max_length=120)
    pair = serializers.CharField(required=False, max_length=64)


class TeamChanges(ClientKeyInput):
    """Changes of a team; with a null lead it has no lead."""

    name = TextField(required=False, min_length=1, max_length=120)
    lead = serializers.IntegerField(
        source="lead_id", required=False, allow_null=True, min_value=1, max_value=LARGEST_ID
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Distinguish a null lead from a missing one."""
        return attrs | {"changes_lead": "lead_id" in attrs}


# --- Links


class InvitationInput(ClientKeyInput):
    """The roles that a link grants; without roles, those that the protocol gives members of a team."""

    roles = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    team = serializers.IntegerField(
        source="team_id", required=False, allow_null=True, min_value=1, max_value=LARGEST_ID
    )
    lead = serializers.BooleanField(required=False, default=False)
    note = TextField(required=False, allow_blank=True, max_length=120, default="")


class LinkInput(Input):
    """A link's secret."""

    token = serializers.CharField(max_length=200)


class AccountInput(Input):
    """A new account; a person who is signed in sends none of it."""

    username = TextField(required=False, max_length=USERNAME_LENGTH, min_length=2)
    name = TextField(required=False, max_length=120, min_length=1)
    password = serializers.CharField(required=False, max_length=128, trim_whitespace=False)
    language = serializers.ChoiceField(LANGUAGES, required=False)

    def validate_username(self, value: str) -> str:
        """Return the name as it is stored, which may be longer: one Arabic ligature becomes eighteen letters."""
        normalized = Person.normalize_username(value)
        if len(normalized) > USERNAME_LENGTH:
            raise serializers.ValidationError(f"At most {USERNAME_LENGTH} characters.", code="max_length")
        if any(unicodedata.category(c).startswith("C") for c in normalized):
            raise serializers.ValidationError("Only visible characters.", code="invalid")
        return normalized


class JoinInput(LinkInput, AccountInput):
    """Joining by a link; a person who is signed in sends only the secret."""


class PasswordInput(LinkInput):
    """A new password."""

    password = serializers.CharField(max_length=128, trim_whitespace=False)


class PasswordChangeInput(Input):
    """The person's current password and the next one."""

    current_password = serializers.CharField(max_length=128, trim_whitespace=False)
    new_password = serializers.CharField(max_length=128, trim_whitespace=False)
    revoke_tokens = serializers.BooleanField(required=False, default=False)


# --- Consent, tokens and notices


class ConsentInput(ClientKeyInput):
    """Consent to the text with this SHA-256, with the person's declarations about themselves."""

    text_sha256 = serializers.RegexField(r"^[0-9a-f]{64}$")
    eligibility = serializers.ListField(child=serializers.CharField(max_length=48), max_length=50)


class TokenInput(ClientKeyInput):
    """A new API token for one benchmark."""

    name = TextField(min_length=1, max_length=120)
    benchmark = serializers.SlugField(source="benchmark_slug", max_length=48)
    operations = serializers.ListField(child=serializers.CharField(max_length=48), min_length=1, max_length=100)
    days = serializers.IntegerField(min_value=1, max_value=365)


class NoticesInput(PageInput):
    """Filters of the list of notices."""

    unread = serializers.BooleanField(required=False, default=False)


class NoticesReadInput(Input):
    """The notices that were read: all up to an id, or those listed."""

    up_to = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_ID), required=False, min_length=1, max_length=100
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require one of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError("Either up_to or ids.")
        return attrs


# --- The audit log


class AuditFilters(Input):
    """Filters of the audit log; ``since`` is included, ``until`` is not."""

    target_type = serializers.CharField(required=False, max_length=32)
    target_id = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    actor_id = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    action = serializers.CharField(required=False, max_length=64)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class AuditInput(AuditFilters, PageInput):
    """Filters of the audit list."""
