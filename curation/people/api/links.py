"""HTTP of links: invitations to join, and links that set a password. Anyone with a link may use it."""

from __future__ import annotations

from curation.core.api.operations import command, query
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.throttles import LinkTries
from curation.core.api.views import OperationView
from curation.core.operations import Entry
from curation.people import queries, services
from curation.people.api import serializers as s
from curation.people.rules import HEADS, INVITERS


class InvitationsView(OperationView):
    """Links by which people join a benchmark."""

    get = query(
        "invitation_list",
        queries.invitation_page,
        INVITERS,
        parameters=PageInput,
        by_token=False,
        shows="invitation",
    )
    post = command(
        "invitation_create",
        services.create_invitation,
        s.InvitationInput,
        INVITERS,
        then=queries.created_invitation,
        status=201,
        by_token=False,
        changes="invitation",
    )


class InvitationRevokeView(OperationView):
    """Revoking a link."""

    post = command(
        "invitation_revoke",
        services.revoke_invitation,
        ClientKeyInput,
        INVITERS,
        then=queries.invitation_row,
        by_token=False,
        changes="invitation",
    )


class InvitationReadView(OperationView):
    """What a link is for."""

    refusals = (410,)  # used, expired or revoked
    throttle_classes = (LinkTries,)

    post = command("invitation_read", queries.link_answer, s.LinkInput, {}, entry=Entry.LINK, by_token=False)


class InvitationAcceptView(OperationView):
    """Joining."""

    refusals = (410,)
    throttle_classes = (LinkTries,)

    post = command(
        "invitation_accept",
        services.accept_invitation,
        s.JoinInput,
        {},
        then=queries.join_answer,
        entry=Entry.LINK,
        by_token=False,
        changes="role invitation",
    )


class PasswordLinkView(OperationView):
    """A link that sets a person's password."""

    post = command(
        "password_link",
        services.create_password_link,
        ClientKeyInput,
        HEADS,
        then=queries.password_link_answer,
        status=201,
        by_token=False,
        changes="person",
    )


class PasswordSetView(OperationView):
    """Setting a new password by a link."""

    refusals = (410,)
    throttle_classes = (LinkTries,)

    post = command(
        "password_set",
        services.set_password,
        s.PasswordInput,
        {},
        then=queries.password_answer,
        entry=Entry.LINK,
        by_token=False,
    )
