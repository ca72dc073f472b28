"""JSON of people."""

from __future__ import annotations

import unicodedata
from typing import Any

from rest_framework import serializers

from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import ClientKeyInput, Input, LocalisedText, PersonBrief, TextField
from curation.people.models import USERNAME_LENGTH, Invitation, Person
from curation.people.rules import NOTICES

LANGUAGES = ["zh-Hans", "zh-Hant", "en"]
INVITATION_STATES = ["open", "used", "expired", "revoked"]
LARGEST_ID = 2**63 - 1


class Me(serializers.Serializer[Any]):
    """The signed-in person."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    name = serializers.CharField()
    language = serializers.ChoiceField(LANGUAGES)


class ConsentState(serializers.Serializer[Any]):
    """Whether a benchmark asks for consent, and whether I gave it to the current text."""

    needed = serializers.BooleanField()
    given = serializers.BooleanField()


class MyTeam(serializers.Serializer[Any]):
    """A team of mine."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    lead = serializers.BooleanField()


class MyBenchmark(serializers.Serializer[Any]):
    """A benchmark I take part in and what I may do there."""

    slug = serializers.CharField()
    title = LocalisedText()
    roles = serializers.ListField(child=serializers.CharField())
    operations = serializers.ListField(child=serializers.CharField())
    kinds = serializers.ListField(child=serializers.CharField())
    consent = ConsentState()
    teams = MyTeam(many=True)


class SessionAnswer(serializers.Serializer[Any]):
    """Who I am and what I may do."""

    person = Me()
    is_owner = serializers.BooleanField()
    benchmarks = MyBenchmark(many=True)
    build = serializers.CharField()


class SessionInput(Input):
    """What a person may change of themselves; what is left out stays."""

    language = serializers.ChoiceField(LANGUAGES, required=False)
    name = TextField(required=False, min_length=1, max_length=120)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a request that changes nothing."""
        if not attrs:
            raise serializers.ValidationError("Neither a language nor a name is given.")
        return attrs


class TeamBrief(serializers.Serializer[Any]):
    """A team as other pages name it."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class GrantRow(serializers.Serializer[Any]):
    """A role in force."""

    id = serializers.IntegerField()
    role = serializers.CharField()
    team = TeamBrief(allow_null=True)
    granted_at = serializers.DateTimeField()


class PersonRow(serializers.Serializer[Any]):
    """A person in a benchmark's list; ``grants`` is empty for somebody whose roles all ended."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    name = serializers.CharField()
    active = serializers.BooleanField()
    last_seen = serializers.DateTimeField(allow_null=True)
    consented = serializers.BooleanField()
    grants = GrantRow(many=True)


PersonPage = paged("PersonPage", PersonRow)


class PastGrant(serializers.Serializer[Any]):
    """A role, from grant to end."""

    role = serializers.CharField()
    team = TeamBrief(allow_null=True)
    granted_at = serializers.DateTimeField()
    granted_by = PersonBrief(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_by = PersonBrief(allow_null=True)


class ConsentRow(serializers.Serializer[Any]):
    """Consent given or taken back."""

    given = serializers.BooleanField()
    text_version = serializers.IntegerField()
    at = serializers.DateTimeField()


class PersonDetail(PersonRow):
    """A person with all they held and agreed to in the benchmark."""

    history = PastGrant(many=True)
    consents = ConsentRow(many=True)


class PeopleInput(PageInput):
    """Filters of the list of people."""

    search = TextField(required=False, max_length=64)
    role = serializers.CharField(required=False, max_length=48)
    team = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)


class GrantInput(ClientKeyInput):
    """A role for somebody."""

    role = serializers.CharField(max_length=48)
    team = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LARGEST_ID)


class AccountRow(serializers.Serializer[Any]):
    """An account that was closed or opened."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    name = serializers.CharField()
    active = serializers.BooleanField()


class TeamMember(serializers.Serializer[Any]):
    """A member of a team with the roles held in it; ``id`` and ``name`` are null where colleagues' names are hidden."""

    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_null=True)
    roles = serializers.ListField(child=serializers.CharField())


class TeamRow(serializers.Serializer[Any]):
    """A team; ``size_maximum`` is the protocol's, null without a bound."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    lead = PersonBrief(allow_null=True)
    members = TeamMember(many=True)
    size_maximum = serializers.IntegerField(allow_null=True)
    closed = serializers.BooleanField()


class TeamInput(ClientKeyInput):
    """A new team."""

    name = TextField(min_length=1, max_length=120)


class TeamChanges(ClientKeyInput):
    """What changes of a team; a null lead means that nobody leads."""

    name = TextField(required=False, min_length=1, max_length=120)
    lead = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LARGEST_ID)


class InvitationRow(serializers.Serializer[Any]):
    """A link by which somebody joins."""

    id = serializers.IntegerField()
    note = serializers.CharField()
    roles = serializers.ListField(child=serializers.CharField())
    team = TeamBrief(allow_null=True)
    lead = serializers.BooleanField()
    invited_by = PersonBrief()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    state = serializers.ChoiceField(INVITATION_STATES)
    used_by = PersonBrief(allow_null=True)


InvitationPage = paged("InvitationPage", InvitationRow)


class InvitationMade(InvitationRow):
    """A new link with its secret, shown this once; a repeated request answers null."""

    token = serializers.CharField(allow_null=True)
    replayed = serializers.BooleanField()


class InvitationInput(ClientKeyInput):
    """Whom a link makes of somebody; without roles those that the protocol gives members of a team."""

    roles = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    team = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LARGEST_ID)
    lead = serializers.BooleanField(required=False, default=False)
    note = TextField(required=False, allow_blank=True, max_length=120, default="")


class LinkInput(Input):
    """A link's secret."""

    token = serializers.CharField(max_length=200)


class BenchmarkBrief(serializers.Serializer[Any]):
    """A benchmark as a link names it."""

    slug = serializers.CharField()
    title = LocalisedText()


class RoleName(serializers.Serializer[Any]):
    """A role and what the benchmark's people call it."""

    code = serializers.CharField()
    name = LocalisedText()


class LinkAnswer(serializers.Serializer[Any]):
    """What a link opens; ``username`` is the account whose password it sets."""

    purpose = serializers.ChoiceField(Invitation.Purpose.choices)
    benchmark = BenchmarkBrief()
    roles = RoleName(many=True)
    team = TeamBrief(allow_null=True)
    invited_by = PersonBrief()
    expires_at = serializers.DateTimeField()
    username = serializers.CharField(allow_null=True)


class JoinInput(LinkInput):
    """Joining by a link; who is signed in sends the token alone."""

    username = TextField(required=False, max_length=USERNAME_LENGTH, min_length=2)
    name = TextField(required=False, max_length=120, min_length=1)
    password = serializers.CharField(required=False, max_length=128, trim_whitespace=False)
    language = serializers.ChoiceField(LANGUAGES, required=False)

    def validate_username(self, value: str) -> str:
        """Return the name as accounts keep it, which may be longer: one Arabic ligature becomes eighteen letters."""
        kept = Person.normalize_username(value)
        if len(kept) > USERNAME_LENGTH:
            raise serializers.ValidationError(f"At most {USERNAME_LENGTH} characters.", code="max_length")
        if any(unicodedata.category(c).startswith("C") for c in kept):
            raise serializers.ValidationError("Only visible characters.", code="invalid")
        return kept


class JoinAnswer(serializers.Serializer[Any]):
    """Where one joined, and as whom."""

    slug = serializers.CharField()
    username = serializers.CharField()


class PasswordLinkAnswer(serializers.Serializer[Any]):
    """A link that sets somebody's password, shown this once; a repeated request answers null."""

    token = serializers.CharField(allow_null=True)
    expires_at = serializers.DateTimeField()


class PasswordInput(LinkInput):
    """A new password."""

    password = serializers.CharField(max_length=128, trim_whitespace=False)


class PasswordAnswer(serializers.Serializer[Any]):
    """Whose password was set."""

    username = serializers.CharField()


class ConsentAnswer(serializers.Serializer[Any]):
    """What a benchmark asks people to agree to; without anything asked the version is 0 and the text null."""

    version = serializers.IntegerField()
    text = LocalisedText(allow_null=True)
    text_sha256 = serializers.CharField()
    eligibility = RoleName(many=True)
    donors = serializers.DictField(child=serializers.CharField(), allow_null=True)
    given_at = serializers.DateTimeField(allow_null=True)
    needed = serializers.BooleanField()


class ConsentInput(ClientKeyInput):
    """Agreeing to the text of that SHA-256, with what is declared about oneself."""

    text_sha256 = serializers.RegexField(r"^[0-9a-f]{64}$")
    eligibility = serializers.ListField(child=serializers.CharField(max_length=48), max_length=50)


class TokenRow(serializers.Serializer[Any]):
    """A key for programs."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    benchmark = serializers.CharField(source="benchmark.slug")
    operations = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class TokenMade(TokenRow):
    """A new key with what programs send, shown this once; a repeated request answers null."""

    token = serializers.CharField(allow_null=True)


class TokenInput(ClientKeyInput):
    """A key for one benchmark."""

    name = TextField(min_length=1, max_length=120)
    benchmark = serializers.SlugField(max_length=48)
    operations = serializers.ListField(child=serializers.CharField(max_length=48), min_length=1, max_length=100)
    days = serializers.IntegerField(min_value=1, max_value=365)


class NoticesInput(PageInput):
    """Filters of the list of notices."""

    unread = serializers.BooleanField(required=False, default=False)


class NoticeRow(serializers.Serializer[Any]):
    """Something that concerns me; ``params`` fills the sentence of ``code``.

    ``actor`` is null where colleagues' names are hidden.
    """

    id = serializers.IntegerField()
    code = serializers.ChoiceField(sorted(NOTICES))
    params = serializers.DictField()
    benchmark = BenchmarkBrief(allow_null=True)
    actor = PersonBrief(allow_null=True)
    target_type = serializers.CharField()
    target_id = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)


NoticePage = paged("NoticePage", NoticeRow, unread=serializers.IntegerField())


class NoticesReadInput(Input):
    """Which notices were read: all up to one, or some by name."""

    up_to = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_ID), required=False, min_length=1, max_length=100
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Take one of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError("Either up_to or ids.")
        return attrs


class NoticesReadAnswer(serializers.Serializer[Any]):
    """How many are left."""

    unread = serializers.IntegerField()


class DemoLogIn(serializers.Serializer[Any]):
    """A log-in that the demo prints."""

    username = serializers.CharField()
    password = serializers.CharField()
    role = serializers.CharField()


class AuditFilters(Input):
    """What narrows the audit log; ``since`` is included, ``until`` is not."""

    target_type = serializers.CharField(required=False, max_length=32)
    target_id = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    actor_id = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    action = serializers.CharField(required=False, max_length=64)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class AuditInput(AuditFilters, PageInput):
    """Filters of the audit list."""


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
