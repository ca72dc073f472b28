"""HTTP of what is each person's own: consent, keys for their programs, notices."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.operations import operation
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.core.operations import Entry
from curation.people import queries, services
from curation.people.api import serializers as s
from curation.people.api.requests import PersonRequest
from curation.people.rules import MEMBERS


class ConsentView(OperationView):
    """What a benchmark asks people to agree to before they contribute."""

    @operation("consent_show", MEMBERS, by_token=False, shows="consent protocol")
    @extend_schema(responses=s.ConsentAnswer)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Show the text, and whether I agreed to it."""
        return Response(s.ConsentAnswer(queries.consent_json(request.user, benchmark)).data)

    @operation("consent_give", MEMBERS, by_token=False, changes="consent")
    @extend_schema(request=s.ConsentInput, responses=s.ConsentAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Agree to the text."""
        services.give_consent(actor=request.user, benchmark_slug=benchmark, **s.ConsentInput.parse(request.data))
        return Response(s.ConsentAnswer(queries.consent_json(request.user, benchmark)).data)


class ConsentWithdrawView(OperationView):
    """Consent taken back."""

    @operation("consent_withdraw", MEMBERS, by_token=False, changes="consent")
    @extend_schema(request=ClientKeyInput, responses=s.ConsentAnswer)
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Take consent back."""
        services.withdraw_consent(actor=request.user, benchmark_slug=benchmark, **ClientKeyInput.parse(request.data))
        return Response(s.ConsentAnswer(queries.consent_json(request.user, benchmark)).data)


class TokensView(OperationView):
    """My keys for programs."""

    @operation("token_list", MEMBERS, entry=Entry.SIGNED_IN, by_token=False, shows="token")
    @extend_schema(responses=s.TokenRow(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List my keys, newest first."""
        return Response(s.TokenRow(queries.tokens_of(request.user), many=True).data)

    @operation("token_create", MEMBERS, entry=Entry.SIGNED_IN, by_token=False, changes="token")
    @extend_schema(request=s.TokenInput, responses={201: s.TokenMade})
    def post(self, request: PersonRequest) -> Response:
        """Make a key; what programs send is in this answer and nowhere else."""
        given = s.TokenInput.parse(request.data)
        row, token = services.create_token(actor=request.user, benchmark_slug=given.pop("benchmark"), **given)
        return Response({**s.TokenRow(row).data, "token": token}, status=201)


class TokenRevokeView(OperationView):
    """A key taken back."""

    @operation("token_revoke", MEMBERS, entry=Entry.SIGNED_IN, by_token=False, changes="token")
    @extend_schema(request=ClientKeyInput, responses=s.TokenRow)
    def post(self, request: PersonRequest, token: int) -> Response:
        """Make a key worthless."""
        row = services.revoke_token(actor=request.user, token_id=token, **ClientKeyInput.parse(request.data))
        return Response(s.TokenRow(row).data)


class NoticesView(OperationView):
    """What happened elsewhere and concerns me."""

    @operation("notice_list", MEMBERS, entry=Entry.SIGNED_IN, by_token=False, shows="notice", query=s.NoticesInput)
    @extend_schema(parameters=[s.NoticesInput], responses=s.NoticePage)
    def get(self, request: PersonRequest) -> Response:
        """List my notices, newest first."""
        given = {"cursor": None} | s.NoticesInput.parse(request.query_params.dict())
        return Response(s.NoticePage(queries.notices_page(request.user, **given)).data)


class NoticesReadView(OperationView):
    """Notices that were read."""

    @operation("notice_read", MEMBERS, entry=Entry.SIGNED_IN, by_token=False, changes="notice")
    @extend_schema(request=s.NoticesReadInput, responses=s.NoticesReadAnswer)
    def post(self, request: PersonRequest) -> Response:
        """Mark my notices as read."""
        given = s.NoticesReadInput.parse(request.data)
        return Response({"unread": services.read_notices(person=request.user, **given)})
