"""What may be called at which price, and what a benchmark may spend."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

from django.conf import settings
from django.db import transaction

from curation.benchmarks.models import Benchmark
from curation.calls.errors import CurrencyFixed, ModelServerUnknown
from curation.calls.models import Budget, Offer
from curation.calls.queries import newest_offers
from curation.core.decisions import Decision
from curation.core.errors import NotFound
from curation.people.access import benchmark_for
from curation.people.models import Person


@transaction.atomic
def set_spending(*, actor: Person, benchmark_slug: str, ceiling: Decimal, currency: str, client_key: UUID) -> Benchmark:
    """Set the most that a benchmark may spend on calls; a ceiling below what is spent stops further calls.

    Raises:
        NotFound, OperationNotAllowed, ClientKeyReused.
        CurrencyFixed: Money was spent in another currency.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "spending_set")
    Benchmark.objects.select_for_update(no_key=True).get(pk=benchmark.pk)
    decision = Decision(
        actor_id=actor.pk,
        action="spending_set",
        row=benchmark,
        client_key=client_key,
        benchmark_id=benchmark.pk,
        label=benchmark.slug,
    )
    amounts = {"ceiling": str(ceiling), "currency": currency}
    if decision.is_repeat(ceiling=str(ceiling), currency=currency):
        return benchmark
    budget = Budget.objects.select_for_update(no_key=True).filter(benchmark=benchmark).first()
    if budget is None:
        Budget.objects.create(benchmark=benchmark, currency=currency, ceiling=ceiling)
    else:
        if currency != budget.currency and budget.spent + budget.reserved > 0:
            raise CurrencyFixed(currency=budget.currency)
        Budget.objects.filter(pk=budget.pk).update(currency=currency, ceiling=ceiling)
    decision.record_transition("", "", **amounts, ceiling_before=str(budget.ceiling) if budget else None)
    return benchmark


@transaction.atomic
def add_offer(
    *,
    actor: Person,
    server: str,
    model: str,
    currency: str,
    million_in: Decimal,
    million_out: Decimal,
    per_picture: Decimal,
    client_key: UUID,
) -> Offer:
    """Let benchmarks call a model at a price, or change its price for later calls.

    Raises:
        ModelServerUnknown: The environment names no such server.
        ClientKeyReused.
    """
    decision = Decision(actor_id=actor.pk, action="offer_add", client_key=client_key, label=f"{server}/{model}"[:64])
    facts = {"server": server, "model": model, "currency": currency}
    prices = {"million_in": million_in, "million_out": million_out, "per_picture": per_picture}
    written = facts | {name: str(price) for name, price in prices.items()}
    if earlier := decision.earlier(**written):
        return Offer.objects.get(pk=earlier.target_id)
    if server not in settings.MODEL_SERVERS:
        raise ModelServerUnknown(server=server)
    decision.row = offer = Offer.objects.create(**facts, **prices, added_by=actor)
    decision.record(**written)
    return offer


@transaction.atomic
def withdraw_offer(*, actor: Person, offer_id: int, client_key: UUID) -> Offer:
    """Let no benchmark call a model any more, until it is offered again; calls that were made stay.

    Raises:
        NotFound: There is no such offer, the model was withdrawn, or it has another price since.
        ClientKeyReused.
    """
    decision = Decision(actor_id=actor.pk, action="offer_withdraw", client_key=client_key)
    if earlier := decision.earlier(offer=offer_id):
        return Offer.objects.get(pk=earlier.target_id)
    offer = Offer.objects.filter(pk__in=newest_offers(), withdrawn=False, pk=offer_id).first()
    if offer is None:
        raise NotFound
    decision.label = f"{offer.server}/{offer.model}"[:64]
    same = ("server", "model", "currency", "million_in", "million_out", "per_picture")
    facts = {name: getattr(offer, name) for name in same}
    decision.row = row = Offer.objects.create(**facts, withdrawn=True, added_by=actor)
    decision.record(offer=offer_id, server=offer.server, model=offer.model)
    return row
