"""Reads of calls, budgets and offers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.calls import access
from curation.calls.errors import ModelNotOffered
from curation.calls.models import Budget, Call, CallTotal, Offer
from curation.calls.rules import CURRENCIES, Price
from curation.calls.shapes import BudgetRow, CallDetail, CallPage, CallRow, ModelSpending, OfferRow, Spending
from curation.core.errors import NotFound
from curation.core.pages import cut_page
from curation.people.access import benchmark_for, brief_for, names_visible
from curation.people.models import Person

_MOST_MODELS = 500


def price_of(server: str, model: str) -> Price | None:
    """The price of a model at present; None: calls cost nothing.

    Raises:
        ModelNotOffered: It is not offered, or its server is no longer set up.
    """
    offer = newest_offers().filter(server=server, model=model).first()
    if offer is None or offer.withdrawn or server not in settings.MODEL_SERVERS:
        raise ModelNotOffered(server=server, model=model)
    price = Price(offer.currency, offer.million_in, offer.million_out, offer.per_picture)
    return price if any(price[1:]) else None


def server_of(model: str) -> str:
    """The server on which a model is offered, the first by name.

    Raises:
        ModelNotOffered.
    """
    offers = newest_offers().filter(model=model)
    names = [offer.server for offer in offers if not offer.withdrawn and offer.server in settings.MODEL_SERVERS]
    if not names:
        raise ModelNotOffered(server="", model=model)
    return names[0]


def budget_left(benchmark: Benchmark, price: Price | None) -> Decimal | None:
    """What the benchmark's budget has left in a price's currency; None without such a budget."""
    if price is None:
        return None
    budget = Budget.objects.filter(pk=benchmark.pk, currency=price.currency).first()
    return None if budget is None else max(Decimal(0), budget.ceiling - budget.spent - budget.reserved)


def newest_offers() -> QuerySet[Offer]:
    """The row that counts of each model; that of a withdrawn one is ``withdrawn``."""
    return Offer.objects.order_by("server", "model", "-pk").distinct("server", "model")


def call_page(
    person: Person, benchmark_slug: str, *, page_size: int, cursor: str | None = None, **filters: Any
) -> CallPage:
    """List a benchmark's calls to models, newest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = access.calls_visible_to(person, benchmark_slug, "call_list")
    rows = rows.filter(**{name: value for name, value in filters.items() if value is not None})
    calls, facts = cut_page(_with_lost(rows).defer("request", "reply"), by="-id", cursor=cursor, page_size=page_size)
    return {**facts, "results": [_call_row(call) for call in calls]}


def call_detail(person: Person, benchmark_slug: str, call_id: int) -> CallDetail:
    """A benchmark's call with what was sent and what came back.

    Raises:
        NotFound, OperationNotAllowed.
    """
    visible = access.calls_visible_to(person, benchmark_slug, "call_show").filter(pk=call_id)
    call = _with_lost(visible).select_related("actor", "benchmark__protocol").first()
    if call is None:
        raise NotFound
    protocol = call.benchmark.protocol
    show_names = names_visible(person, call.benchmark_id, protocol.content if protocol else None)
    return {
        **_call_row(call),
        "actor": brief_for(person, call.actor, show_names=show_names),
        "prompt_id": call.prompt_id,
        "request_sha256": bytes(call.request_sha256).hex(),
        "request": call.request,
        "reply": call.reply,
        "finish": call.finish,
        "served_model": call.served_model,
    }


def spending(person: Person, benchmark_slug: str) -> Spending:
    """A benchmark's budget, what its calls cost by model, and the models that may be called.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "spending_show")
    return _spending(person, benchmark)


def changed_spending(person: Person, benchmark: Benchmark) -> Spending:
    """The spending of a benchmark whose budget was set."""
    return _spending(person, benchmark)


def offer_row(person: Person, offer: Offer) -> OfferRow:
    """An offer as pages show it."""
    return _offer_row(offer)


def _spending(person: Person, benchmark: Benchmark) -> Spending:
    budget = Budget.objects.filter(pk=benchmark.pk).first()
    offers = Offer.objects.filter(pk__in=newest_offers(), withdrawn=False).order_by("server", "model")
    sets_prices = person.may(None, "offer_add")
    return {
        "budget": _budget_row(budget) if budget else None,
        "by_model": _by_model(benchmark),
        "offers": [_offer_row(offer) for offer in offers[:_MOST_MODELS]],
        "servers": sorted(settings.MODEL_SERVERS) if sets_prices else [],
        "currencies": list(CURRENCIES) if sets_prices else [],
    }


def _by_model(benchmark: Benchmark) -> list[ModelSpending]:
    """Totals of settled calls, which a trigger keeps, and the few calls that are under way."""
    settled = CallTotal.objects.filter(benchmark=benchmark).order_by("server", "model", "state")[:_MOST_MODELS]
    sent = Call.objects.filter(benchmark=benchmark, state=Call.State.SENT).values("server", "model", "state")
    under_way = sent.annotate(calls=Count("pk")).order_by("server", "model")[:_MOST_MODELS]
    totals: list[ModelSpending] = [
        {
            "server": total.server,
            "model": total.model,
            "state": total.state,
            "calls": total.calls,
            "tokens_in": total.tokens_in,
            "tokens_out": total.tokens_out,
            "cost": amount(total.cost),
        }
        for total in settled
    ]
    totals += [{**group, "tokens_in": 0, "tokens_out": 0, "cost": "0"} for group in under_way]
    return sorted(totals, key=lambda total: (total["server"], total["model"], total["state"]))


def _with_lost(rows: QuerySet[Call]) -> QuerySet[Call]:
    return rows.annotate(
        lost=ExpressionWrapper(Q(state=Call.State.SENT, held_until__lt=Now()), output_field=BooleanField())
    )


def _call_row(call: Call) -> CallRow:
    lost: bool = getattr(call, "lost", False)
    return {
        "id": call.pk,
        "purpose": call.purpose,
        "server": call.server,
        "model": call.model,
        "sample": call.sample,
        "state": call.state,
        "lost": lost,
        "code": call.code,
        "tries": call.tries,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "estimate": amount(call.estimate),
        "cost": None if call.cost is None else amount(call.cost),
        "cost_is_estimate": call.has_estimated_cost,
        "currency": call.price["currency"] if call.price else None,
        "ms": call.ms,
        "sent_at": call.sent_at,
        "settled_at": call.settled_at,
    }


def _budget_row(budget: Budget) -> BudgetRow:
    left = max(Decimal(0), budget.ceiling - budget.spent - budget.reserved)
    return {
        "currency": budget.currency,
        "ceiling": amount(budget.ceiling),
        "spent": amount(budget.spent),
        "reserved": amount(budget.reserved),
        "left": amount(left),
    }


def _offer_row(offer: Offer) -> OfferRow:
    return {
        "id": offer.pk,
        "server": offer.server,
        "model": offer.model,
        "currency": offer.currency,
        "million_in": amount(offer.million_in),
        "million_out": amount(offer.million_out),
        "per_picture": amount(offer.per_picture),
        "at": offer.at,
        "configured": offer.server in settings.MODEL_SERVERS,
    }


def amount(value: Decimal) -> str:
    """An amount without trailing zeros and exponents: browsers would round a number."""
    return f"{value.normalize():f}"
