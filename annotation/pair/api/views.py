"""HTTP of the pair track."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.pair import queries, services
from annotation.pair.api import serializers as s
from annotation.peer.queries import changed_item
from curation.core.api.operations import command, operation, query
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest
from curation.people.rules import HEADS

_SECOND = reaches(click="all")
_DECIDERS = reaches(review="all", inspect="all")


class ClickingView(OperationView):
    """The text that a second person looks for."""

    get = query("clicking_show", queries.clicking_pool, _SECOND, parameters=s.ClickingQuery, shows="item seat")


class ClaimView(OperationView):
    """Claiming an item to click on."""

    post = command(
        "click_claim",
        services.claim_clicking,
        s.ClickingQuery,
        _SECOND,
        then=queries.claimed_clicking,
        contributes=True,
        changes="seat",
    )


class ClickView(OperationView):
    """Answering the next expression."""

    @operation("item_click", _SECOND, body=s.ClickInput, contributes=True, changes="item seat")
    @extend_schema(request=s.ClickInput, responses={204: None})
    def post(self, request: PersonRequest, item_id: int) -> Response:
        """Answer the next expression; whether the answer is right is not said."""
        services.click(actor=request.user, item_id=item_id, **s.ClickInput.parse(request.data))
        return Response(status=204)


class ClicksView(OperationView):
    """What second people answered."""

    get = query("item_clicks", queries.click_rounds, HEADS | _DECIDERS | reaches(annotate="team"), shows="item")


class DecideView(OperationView):
    """Deciding about an item that second people failed."""

    post = command(
        "item_decide",
        services.decide_item,
        s.DecideInput,
        _DECIDERS,
        then=changed_item,
        contributes=True,
        changes="item seat",
    )
