"""JSON of people."""

from __future__ import annotations

import unicodedata
from typing import Any

from rest_framework import serializers

from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import Input, LocalisedText, PersonBrief, TextField
from curation.people.models import USERNAME_LENGTH, Person

LANGUAGES = ["zh-Hans", "zh-Hant", "en"]


class Me(serializers.Serializer[Any]):
    """The signed-in person."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    name = serializers.CharField()
    language = serializers.ChoiceField(LANGUAGES)


class MyBenchmark(serializers.Serializer[Any]):
    """A benchmark I take part in and what I may do there."""

    slug = serializers.CharField()
    title = LocalisedText()
    roles = serializers.ListField(child=serializers.CharField())
    operations = serializers.ListField(child=serializers.CharField())
    kinds = serializers.ListField(child=serializers.CharField())


class SessionAnswer(serializers.Serializer[Any]):
    """Who I am and what I may do."""

    person = Me()
    is_owner = serializers.BooleanField()
    benchmarks = MyBenchmark(many=True)
    build = serializers.CharField()


class SessionInput(Input):
    """What a person may change of themselves."""

    language = serializers.ChoiceField(LANGUAGES)


class PersonRow(serializers.Serializer[Any]):
    """A person in a benchmark's list."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    name = serializers.CharField()
    roles = serializers.ListField(child=serializers.CharField())
    last_seen = serializers.DateTimeField(source="last_login", allow_null=True)


class PersonInput(Input):
    """A new account with roles."""

    username = TextField(max_length=USERNAME_LENGTH, min_length=2)
    name = TextField(max_length=120, min_length=1)
    roles = serializers.ListField(child=serializers.CharField(max_length=48), min_length=1, max_length=6)
    password = serializers.CharField(max_length=128, trim_whitespace=False)
    client_key = serializers.UUIDField()

    def validate_username(self, value: str) -> str:
        """Return the name as accounts keep it, which may be longer: one Arabic ligature becomes eighteen letters."""
        kept = Person.normalize_username(value)
        if len(kept) > USERNAME_LENGTH:
            raise serializers.ValidationError(f"At most {USERNAME_LENGTH} characters.", code="max_length")
        if any(unicodedata.category(c).startswith("C") for c in kept):
            raise serializers.ValidationError("Only visible characters.", code="invalid")
        return kept


class DemoLogIn(serializers.Serializer[Any]):
    """A log-in that the demo prints."""

    username = serializers.CharField()
    password = serializers.CharField()
    role = serializers.CharField()


class AuditInput(PageInput):
    """Filters of the audit list."""

    target_type = serializers.CharField(required=False, max_length=32)
    target_id = serializers.IntegerField(required=False, min_value=1)
    actor_id = serializers.IntegerField(required=False, min_value=1)
    action = serializers.CharField(required=False, max_length=64)


class AuditRow(serializers.Serializer[Any]):
    """One decision."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = PersonBrief(allow_null=True)
    action = serializers.CharField()
    target_type = serializers.CharField()
    target_id = serializers.IntegerField()
    label = serializers.CharField()
    state_from = serializers.CharField()
    state_to = serializers.CharField()
    data = serializers.DictField()


AuditPage = paged("AuditPage", AuditRow)
