"""HTTP of a person's own consent, password, API tokens and notices."""

from __future__ import annotations

from rest_framework.response import Response

from curation.core.api.operations import command, operation, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.core.operations import Entry
from curation.people import queries, services
from curation.people.api import serializers as s
from curation.people.api.attempts import limited_password_attempt
from curation.people.api.requests import PersonRequest
from curation.people.api.session import renew_session
from curation.people.rules import MEMBERS
from curation.people.shapes import PasswordChanged


class ConsentView(OperationView):
    """The text that a benchmark requires people to agree to before they contribute."""

    get = query("consent_show", queries.consent_page, MEMBERS, by_token=False, shows="consent protocol")
    post = command(
        "consent_give",
        services.give_consent,
        s.ConsentInput,
        MEMBERS,
        then=queries.consent_answer,
        by_token=False,
        changes="consent",
    )


class ConsentWithdrawView(OperationView):
    """Withdrawing consent."""

    post = command(
        "consent_withdraw",
        services.withdraw_consent,
        ClientKeyInput,
        MEMBERS,
        then=queries.consent_answer,
        by_token=False,
        changes="consent",
    )


class OwnPasswordView(OperationView):
    """The person's own password."""

    @operation(
        "password_change",
        MEMBERS,
        entry=Entry.SIGNED_IN,
        by_token=False,
        changes="token",
        body=s.PasswordChangeInput,
        answer=PasswordChanged,
    )
    def post(self, request: PersonRequest) -> Response:
        """Change the actor's own password; their other sessions end."""
        fields = s.PasswordChangeInput.parse(request.data)
        browser = request._request  # noqa: SLF001  (REST framework's own way to the session)
        key = browser.session.session_key
        with limited_password_attempt(browser, request.user):
            person, revoked = services.change_password(actor=request.user, session_key=key, **fields)
        renew_session(browser, person)
        return Response({"tokens_revoked": revoked})


class TokensView(OperationView):
    """A person's API tokens."""

    get = query("token_list", queries.token_rows, MEMBERS, entry=Entry.SIGNED_IN, by_token=False, shows="token")
    post = command(
        "token_create",
        services.create_token,
        s.TokenInput,
        MEMBERS,
        then=queries.created_token,
        status=201,
        entry=Entry.SIGNED_IN,
        by_token=False,
        changes="token",
    )


class TokenRevokeView(OperationView):
    """Revoking an API token."""

    post = command(
        "token_revoke",
        services.revoke_token,
        ClientKeyInput,
        MEMBERS,
        then=queries.token_row,
        entry=Entry.SIGNED_IN,
        by_token=False,
        changes="token",
    )


class NoticesView(OperationView):
    """A person's notices."""

    get = query(
        "notice_list",
        queries.notice_page,
        MEMBERS,
        parameters=s.NoticesInput,
        entry=Entry.SIGNED_IN,
        by_token=False,
        shows="notice",
    )


class NoticesReadView(OperationView):
    """Marking notices as read."""

    post = command(
        "notice_read",
        services.read_notices,
        s.NoticesReadInput,
        MEMBERS,
        then=queries.unread_notices,
        entry=Entry.SIGNED_IN,
        by_token=False,
        changes="notice",
    )
