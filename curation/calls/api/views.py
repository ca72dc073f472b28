"""HTTP of calls to models, of budgets and offers."""

from __future__ import annotations

from curation.calls import queries, services
from curation.calls.api import serializers as s
from curation.core.api.operations import command, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.rules import HEADS, OWNERS


class CallsView(OperationView):
    """A benchmark's calls to models."""

    get = query("call_list", queries.call_page, HEADS, parameters=s.CallsInput, shows="call")


class CallView(OperationView):
    """One call."""

    get = query("call_show", queries.call_detail, HEADS, shows="call")


class SpendingView(OperationView):
    """What a benchmark may spend on calls and has spent."""

    get = query("spending_show", queries.spending, HEADS, shows="call budget offer")
    put = command(
        "spending_set",
        services.set_spending,
        s.SpendingInput,
        OWNERS,
        then=queries.changed_spending,
        by_token=False,
        changes="budget",
    )


class OffersView(OperationView):
    """The models that may be called."""

    post = command(
        "offer_add",
        services.add_offer,
        s.OfferInput,
        OWNERS,
        then=queries.offer_row,
        status=201,
        by_token=False,
        changes="offer",
    )


class OfferWithdrawView(OperationView):
    """Withdrawing a model."""

    post = command(
        "offer_withdraw",
        services.withdraw_offer,
        ClientKeyInput,
        OWNERS,
        then=queries.offer_row,
        by_token=False,
        changes="offer",
    )
