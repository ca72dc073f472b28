"""Input of requests about calls, budgets and offers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from curation.calls.models import Call
from curation.calls.rules import CURRENCIES, MOST_PER_MILLION, MOST_PER_PICTURE
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput, TextField

_PRICE: dict[str, Any] = {"max_digits": 15, "decimal_places": 6, "min_value": 0}


class CallsInput(PageInput):
    """Filters of the list of calls."""

    state = serializers.ChoiceField(Call.State.values, required=False)
    purpose = serializers.SlugField(required=False, max_length=12)
    server = serializers.SlugField(required=False, max_length=32)
    model = TextField(required=False, max_length=200)


class SpendingInput(ClientKeyInput):
    """The most that a benchmark may spend, and the currency, an ISO 4217 code."""

    ceiling = serializers.DecimalField(max_digits=14, decimal_places=4, min_value=0)
    currency = serializers.ChoiceField(CURRENCIES)


class OfferInput(ClientKeyInput):
    """A model that may be called, and its price: per million tokens of request and reply, and per picture."""

    server = serializers.SlugField(max_length=32)
    model = TextField(max_length=200)
    currency = serializers.ChoiceField(CURRENCIES)
    million_in = serializers.DecimalField(**_PRICE, max_value=MOST_PER_MILLION)
    million_out = serializers.DecimalField(**_PRICE, max_value=MOST_PER_MILLION)
    per_picture = serializers.DecimalField(**_PRICE, max_value=MOST_PER_PICTURE, default=Decimal(0))
