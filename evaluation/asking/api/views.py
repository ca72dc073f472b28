"""HTTP of trying prompts on models."""

from __future__ import annotations

from rest_framework.response import Response

from curation.core.api.operations import command, operation, query
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS
from evaluation.asking import queries, services, shapes
from evaluation.asking.api import serializers as s


class AnswerPriceView(OperationView):
    """What sending a prompt to a model costs at most."""

    # A read with a body, because a changed text is too long for an address.
    @operation("answer_price", ADMINISTRATORS, body=s.AnswerInput, answer=shapes.AnswerPrice, shows="budget offer")
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Tell what sending a prompt with an item's values costs at most; nothing is sent."""
        return Response(queries.answer_price(request.user, benchmark_slug, **s.AnswerInput.parse(request.data)))


class TryView(OperationView):
    """Sending a prompt to a model."""

    post = command(
        "answer_try",
        services.request_trial,
        s.TryInput,
        ADMINISTRATORS,
        then=queries.requested_trial,
        status=202,
        changes="call budget",
    )


class TrialView(OperationView):
    """A prompt that was sent to a model."""

    get = query("answer_show", queries.trial_answer, ADMINISTRATORS, shows="call")
