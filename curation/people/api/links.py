"""HTTP of links: invitations to join, and links that set a password. What they open is open without signing in."""

from __future__ import annotations

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from curation.core.api.operations import operation
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.core.operations import Entry
from curation.people import queries, services
from curation.people.api import serializers as s
from curation.people.api.requests import PersonRequest
from curation.people.models import Person
from curation.people.rules import HEADS, INVITERS
from curation.people.services.invitations import hashed


class LinkTries(SimpleRateThrottle):
    """So many requests a minute from one address, for all that is open without signing in."""

    scope = "links"

    def get_rate(self) -> str:
        """From the settings."""
        return f"{settings.LINK_TRIES_PER_MINUTE}/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """One count an address, signed in or not; what a client claims to be forwarded for counts for nothing."""
        return self.cache_format % {"scope": self.scope, "ident": self._address(request)}

    def _address(self, request: Request) -> str:
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
        if settings.SECURE_PROXY_SSL_HEADER and forwarded:
            return forwarded.rpartition(",")[2].strip()  # the last one was written by our own proxy
        return str(request.META.get("REMOTE_ADDR", ""))


class InvitationsView(OperationView):
    """Links by which people join a benchmark."""

    @operation(
        "invitation_list",
        INVITERS,
        by_token=False,
        shows="invitation",
        query=PageInput,
    )
    @extend_schema(parameters=[PageInput], responses=s.InvitationPage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List links, newest first."""
        given = {"cursor": None} | PageInput.parse(request.query_params.dict())
        return Response(s.InvitationPage(queries.invitations_page(request.user, benchmark, **given)).data)

    @operation("invitation_create", INVITERS, by_token=False, changes="invitation")
    @extend_schema(request=s.InvitationInput, responses={201: s.InvitationMade})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Make a link; its secret is in this answer and nowhere else."""
        given = s.InvitationInput.parse(request.data)
        invitation, token = services.create_invitation(
            actor=request.user,
            benchmark_slug=benchmark,
            roles=given.get("roles", []),
            team_id=given.get("team"),
            lead=given["lead"],
            note=given["note"],
            client_key=given["client_key"],
        )
        made = queries.invitation_json(invitation) | {"token": token, "replayed": token is None}
        return Response(s.InvitationMade(made).data, status=201)


class InvitationRevokeView(OperationView):
    """A link taken back."""

    @operation("invitation_revoke", INVITERS, by_token=False, changes="invitation")
    @extend_schema(request=ClientKeyInput, responses=s.InvitationRow)
    def post(self, request: PersonRequest, invitation: int) -> Response:
        """Make a link worthless."""
        revoked = services.revoke_invitation(
            actor=request.user, invitation_id=invitation, **ClientKeyInput.parse(request.data)
        )
        return Response(s.InvitationRow(queries.invitation_json(revoked)).data)


class InvitationReadView(OperationView):
    """What a link opens."""

    refusals = (410,)  # used, expired or taken back
    throttle_classes = (LinkTries,)

    @operation("invitation_read", {}, entry=Entry.LINK, by_token=False)
    @extend_schema(request=s.LinkInput, responses=s.LinkAnswer)
    def post(self, request: Request) -> Response:
        """Tell whoever brings a link what it opens; the secret travels in the body, so that no log keeps it."""
        given = s.LinkInput.parse(request.data)
        return Response(s.LinkAnswer(queries.link_json(hashed(given["token"]))).data)


class InvitationAcceptView(OperationView):
    """Joining."""

    refusals = (410,)
    throttle_classes = (LinkTries,)

    @operation("invitation_accept", {}, entry=Entry.LINK, by_token=False, changes="role invitation")
    @extend_schema(request=s.JoinInput, responses=s.JoinAnswer)
    def post(self, request: Request) -> Response:
        """Join with the account one is signed in to, or with a new one."""
        given = s.JoinInput.parse(request.data)
        person = request.user if isinstance(request.user, Person) else None
        invitation, joined = services.accept_invitation(person=person, **given)
        return Response(s.JoinAnswer({"slug": invitation.benchmark.slug, "username": joined.username}).data)


class PasswordLinkView(OperationView):
    """A link that sets somebody's password."""

    @operation("password_link", HEADS, by_token=False, changes="person")
    @extend_schema(request=ClientKeyInput, responses={201: s.PasswordLinkAnswer})
    def post(self, request: PersonRequest, benchmark: str, person: int) -> Response:
        """Make a link; earlier ones for the person end."""
        link, token = services.make_password_link(
            actor=request.user, benchmark_slug=benchmark, person_id=person, **ClientKeyInput.parse(request.data)
        )
        return Response(s.PasswordLinkAnswer({"token": token, "expires_at": link.expires_at}).data, status=201)


class PasswordSetView(OperationView):
    """A new password by a link."""

    refusals = (410,)
    throttle_classes = (LinkTries,)

    @operation("password_set", {}, entry=Entry.LINK, by_token=False)
    @extend_schema(request=s.PasswordInput, responses=s.PasswordAnswer)
    def post(self, request: Request) -> Response:
        """Set the password; every session of the account ends."""
        person = services.set_password(**s.PasswordInput.parse(request.data))
        return Response(s.PasswordAnswer({"username": person.username}).data)
