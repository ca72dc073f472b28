"""HTTP of people outside the team."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.operations import command, operation, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.throttles import LinkTries
from curation.core.api.views import OperationView
from curation.core.operations import Entry
from curation.people.api.attempts import counted_sign_up
from curation.people.models import Person
from curation.people.rules import HEADS, SUBMITTERS
from evaluation.outsiders import queries, services
from evaluation.outsiders.api import serializers as s
from evaluation.outsiders.shapes import JoinedAnswer


class SubmitView(OperationView):
    """The page for people outside the team."""

    get = query("submit_show", queries.submit_page, {}, entry=Entry.LINK, by_token=False, shows="role publication")


class JoinView(OperationView):
    """Joining from outside."""

    throttle_classes = (LinkTries,)

    @operation(
        "submit_join",
        {},
        entry=Entry.LINK,
        by_token=False,
        changes="role",
        body=s.SignUpInput,
        answer=JoinedAnswer,
    )
    def post(self, request: Request, benchmark_slug: str) -> Response:
        """Join a benchmark to submit predictions, with the signed-in account or a new one."""
        fields = s.SignUpInput.parse(request.data)
        if isinstance(request.user, Person):
            person = services.join(actor=request.user, benchmark_slug=benchmark_slug, **fields)
        else:
            with counted_sign_up(request):
                person = services.join(actor=request.user, benchmark_slug=benchmark_slug, **fields)
        return Response(queries.joined_answer(person))


class TermsView(OperationView):
    """Accepting the terms of use."""

    post = command(
        "terms_accept",
        services.accept_terms,
        s.TermsInput,
        SUBMITTERS,
        then=queries.accepted_page,
        entry=Entry.SIGNED_IN,
        by_token=False,
        changes="publication",
    )


class OutsidersView(OperationView):
    """The people outside the team, for administrators."""

    get = query(
        "outsider_list",
        queries.outsider_page,
        HEADS,
        parameters=s.OutsiderFilters,
        by_token=False,
        shows="role submission crew",
    )


class BarView(OperationView):
    """Ending the role of a person outside the team."""

    post = command(
        "outsider_bar",
        services.bar_outsider,
        ClientKeyInput,
        HEADS,
        then=queries.outsider_row,
        by_token=False,
        changes="role",
    )


class ReadmitView(OperationView):
    """Giving a barred person their role back."""

    post = command(
        "outsider_readmit",
        services.readmit_outsider,
        ClientKeyInput,
        HEADS,
        then=queries.outsider_row,
        by_token=False,
        changes="role",
    )
