"""Spending, offers and calls over HTTP: who sets what, what is shown, what a repeat does."""

import hashlib
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.utils import timezone

from config.model_servers import read
from curation.calls.errors import ModelNotOffered
from curation.calls.models import Budget, Call, Offer
from curation.calls.queries import price_of
from curation.core.models import AuditEvent
from tests.curation.calls.room import PRICE
from tests.people import World, key, send, signed_in, told, world
from tests.shared import shared

pytestmark = pytest.mark.django_db
OFFER = {"server": "gpt", "model": "large", "currency": "USD", "million_in": "2.5", "million_out": "10"}


@shared
def here() -> World:
    return world({}, "calls")


@pytest.fixture(autouse=True)
def _servers(settings):
    settings.MODEL_SERVERS = read(["own=http://10.0.0.5:8000"], {}, ["gpt=https://api.example.com/v1"])


def put(who, **body):
    return send(signed_in(who), "PUT", "benchmarks/calls/spending", {"client_key": key(), **body})


def spending(who):
    return send(signed_in(who), "GET", "benchmarks/calls/spending").json()


def call(here, n: int = 0, **fields) -> Call:
    made = {"server": "gpt", "model": "large", "purpose": "judges", "holder": "x", "request": {"n": n}}
    made |= {"request_sha256": hashlib.sha256(b"%d" % n).digest(), "held_until": timezone.now() + timedelta(hours=1)}
    return Call.objects.create(benchmark=here.benchmark, **made | fields)


def settle(row: Call, **fields) -> None:
    now = timezone.now()
    Call.objects.filter(pk=row.pk).update(**{"cost": 0, "held_until": None, "settled_at": now, **fields})


def test_the_owner_sets_a_ceiling_that_administrators_see(here):
    assert spending(here.admin)["budget"] is None
    answer = put(here.owner, ceiling="12.5", currency="USD")
    assert answer.status_code == 200
    budget = {"currency": "USD", "ceiling": "12.5", "spent": "0", "reserved": "0", "left": "12.5"}
    assert answer.json()["budget"] == spending(here.admin)["budget"] == budget
    assert told(put(here.admin, ceiling="13", currency="USD")) == (403, "operation_not_allowed")
    assert told(send(signed_in(here.curator), "GET", "benchmarks/calls/spending")) == (403, "operation_not_allowed")
    event = AuditEvent.objects.get(action="spending_set")
    assert event.data == {"ceiling": "12.5000", "currency": "USD", "ceiling_before": None}
    assert (event.target_type, event.label, event.actor_id) == ("benchmark", "calls", here.owner.pk)


def test_a_repeat_sets_once_and_another_amount_with_its_key_is_refused(here):
    same = key()
    assert put(here.owner, ceiling="1", currency="USD", client_key=same).status_code == 200
    put(here.owner, ceiling="2", currency="EUR")
    assert put(here.owner, ceiling="1", currency="USD", client_key=same).json()["budget"]["ceiling"] == "2"
    assert told(put(here.owner, ceiling="3", currency="USD", client_key=same)) == (422, "client_key_reused")
    assert AuditEvent.objects.filter(action="spending_set").count() == 2


def test_the_currency_is_fixed_once_money_is_reserved_and_a_lower_ceiling_leaves_nothing(here):
    put(here.owner, ceiling="1", currency="USD")
    call(here, estimate=Decimal("0.4"), price=PRICE)
    assert told(put(here.owner, ceiling="1", currency="EUR")) == (409, "currency_fixed")
    assert put(here.owner, ceiling="0.1", currency="USD").json()["budget"] == {
        "currency": "USD",
        "ceiling": "0.1",
        "spent": "0",
        "reserved": "0.4",
        "left": "0",
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"ceiling": "-1"},
        {"ceiling": "NaN"},
        {"ceiling": "Infinity"},
        {"ceiling": "1e40"},
        {"ceiling": "1.00001"},
        {"currency": "usd"},
        {"currency": "USDT"},
        {"currency": "DOL"},
        {"spent": "0"},
    ],
)
def test_amounts_that_make_no_sense_are_refused(here, wrong):
    assert told(put(here.owner, **{"ceiling": "1", "currency": "USD", **wrong})) == (400, "invalid_input")
    assert not Budget.objects.exists()


def test_an_offer_is_added_by_the_owner_and_the_newest_is_shown(here):
    def add(who, **body):
        return send(signed_in(who), "POST", "offers", {"client_key": key(), **OFFER, **body})

    first = add(here.owner)
    assert first.status_code == 201
    assert add(here.owner, million_out="8").status_code == 201
    (offer,) = spending(here.admin)["offers"]
    assert {name: offer[name] for name in (*OFFER, "per_picture", "configured")} == {
        **OFFER,
        "million_out": "8",
        "per_picture": "0",
        "configured": True,
    }
    assert told(add(here.owner, server="else")) == (422, "model_server_unknown")
    assert told(add(here.owner, million_in="100000001")) == (400, "invalid_input")
    assert told(add(here.owner, currency="DOL")) == (400, "invalid_input")
    assert told(add(here.admin)) == (403, "operation_not_allowed")
    assert (Offer.objects.count(), AuditEvent.objects.filter(action="offer_add").count()) == (2, 2)
    assert spending(here.owner)["servers"] == ["gpt", "own"]
    assert spending(here.admin)["servers"] == spending(here.admin)["currencies"] == []
    assert {"USD", "EUR", "JPY", "KRW", "VND", "CNY", "TWD"} < set(spending(here.owner)["currencies"])


def test_prices_in_small_units_are_kept_and_costs_are_not_capped(here):
    dong = {"currency": "VND", "million_in": "390000", "million_out": "15600000", "per_picture": "3000"}
    answer = send(signed_in(here.owner), "POST", "offers", {"client_key": key(), **OFFER, **dong})
    assert answer.status_code == 201, answer.content
    price = price_of("gpt", "large")
    assert price is not None
    highest = price.highest_cost({"a": "b"}, 4096, 1)
    assert highest == Decimal("86401.11")
    put(here.owner, ceiling="100000", currency="VND")
    row = call(here, estimate=highest, price=price.as_json())
    settle(row, state="unknown", cost=highest)
    assert spending(here.admin)["budget"]["spent"] == "86401.11"


def withdraw(who, offer: int, **body):
    return send(signed_in(who), "POST", f"offers/{offer}/withdraw", {"client_key": key(), **body})


def test_a_withdrawn_model_is_not_called_until_it_is_offered_again(here):
    def add(**body):
        return send(signed_in(here.owner), "POST", "offers", {"client_key": key(), **OFFER, **body}).json()["id"]

    old, other = add(), add(model="other")
    offer, same = add(million_in="3"), key()
    kept = list(Offer.objects.order_by("pk").values())
    assert told(withdraw(here.admin, offer)) == (403, "operation_not_allowed")
    # The page of someone who has not seen the new price yet.
    assert told(withdraw(here.owner, old)) == (404, "not_found")
    assert list(Offer.objects.order_by("pk").values()) == kept
    assert withdraw(here.owner, offer, client_key=same).status_code == 200
    assert [row["id"] for row in spending(here.admin)["offers"]] == [other]
    with pytest.raises(ModelNotOffered):
        price_of("gpt", "large")
    assert withdraw(here.owner, offer, client_key=same).status_code == 200
    assert told(withdraw(here.owner, other, client_key=same)) == (422, "client_key_reused")
    assert told(withdraw(here.owner, offer)) == (404, "not_found")
    assert told(withdraw(here.owner, Offer.objects.get(withdrawn=True).pk)) == (404, "not_found")
    event = AuditEvent.objects.get(action="offer_withdraw")
    assert (event.label, event.data) == ("gpt/large", {"offer": offer, "server": "gpt", "model": "large"})
    again = add()
    assert [row["id"] for row in spending(here.admin)["offers"]] == [again, other]
    assert Offer.objects.count() == 5


def test_no_answer_has_an_address_or_a_key(here, settings):
    settings.MODEL_SERVERS = read([], {"MODEL_SERVER_KEY_GPT": "sesame"}, ["gpt=https://api.example.com/v1"])
    send(signed_in(here.owner), "POST", "offers", {"client_key": key(), **OFFER})
    page = str(spending(here.owner))
    assert "sesame" not in page
    assert "example.com" not in page


def test_calls_are_listed_newest_first_with_filters_and_shown_whole(here):
    put(here.owner, ceiling="10", currency="USD")
    first, second = call(here), call(here, 1, estimate=Decimal("0.5"), price=PRICE, actor=here.admin)
    lost = call(here, 2, held_until=timezone.now() - timedelta(seconds=1), model="small")
    settle(second, state="answered", reply="B", cost=Decimal("0.1"), tokens_in=7, tokens_out=2)

    def listed(**query):
        answer = signed_in(here.admin).get("/api/v1/benchmarks/calls/calls", query)
        assert answer.status_code == 200
        return [row["id"] for row in answer.json()["results"]]

    assert listed() == [lost.pk, second.pk, first.pk]
    assert listed(state="answered") == [second.pk]
    assert listed(model="small") == [lost.pk]
    shown = one(here, second).json()
    assert (shown["reply"], shown["request"], shown["cost"], shown["currency"]) == ("B", {"n": 1}, "0.1", "USD")
    assert shown["cost_is_estimate"] is False
    assert shown["actor"]["id"] == here.admin.pk
    assert one(here, lost).json()["lost"] is True
    assert told(one(here, lost, here.stranger)) == (403, "operation_not_allowed")
    page = spending(here.admin)
    by_model = [(row["model"], row["state"], row["calls"], row["tokens_in"], row["cost"]) for row in page["by_model"]]
    assert by_model == [("large", "answered", 1, 7, "0.1"), ("large", "sent", 1, 0, "0"), ("small", "sent", 1, 0, "0")]
    assert (page["budget"]["spent"], page["budget"]["reserved"]) == ("0.1", "0")


def one(here, row: Call, who=None, slug: str = "calls"):
    return send(signed_in(who or here.admin), "GET", f"benchmarks/{slug}/calls/{row.pk}")


def test_a_call_is_shown_by_its_own_benchmark_only(here):
    row = call(here)
    other = world({}, "other", prefix="other-")
    assert told(one(here, row, here.owner, "other")) == (404, "not_found")
    assert told(one(here, row, other.admin, "other")) == (404, "not_found")
    assert one(here, row, here.owner).json()["id"] == row.pk


def test_a_cost_without_a_usage_is_marked(here):
    put(here.owner, ceiling="10", currency="USD")
    row = call(here, estimate=Decimal("0.5"), price=PRICE)
    settle(row, state="answered", reply="B", cost=Decimal("0.5"), tokens_in=7)
    page = signed_in(here.admin).get("/api/v1/benchmarks/calls/calls").json()["results"]
    assert [(shown["cost"], shown["cost_is_estimate"]) for shown in (*page, one(here, row).json())] == [
        ("0.5", True)
    ] * 2


def plan(rows, index: str) -> str:
    """How PostgreSQL reads rows if this is the only index that may decide, as in a large table."""
    with connection.cursor() as cursor:
        cursor.execute("set local enable_seqscan = off; set local enable_sort = off; set constraints all immediate")
        # Over a few rows every index costs the same, whatever the statistics of the table say at the moment.
        for _, other in INDEXES:
            if other != index:
                cursor.execute(f"drop index {other}")
        # Of many rows, about whose values nothing is known.
        cursor.execute("delete from pg_statistic where starelid = 'curation_call'::regclass")
        cursor.execute("update pg_class set reltuples = 1000000, relpages = 1 where oid = 'curation_call'::regclass")
    return rows.explain()


INDEXES = [
    ({}, "call_of_benchmark"),
    ({"state": "failed"}, "call_by_state"),
    ({"purpose": "try"}, "call_by_purpose"),
    ({"server": "gpt", "model": "large"}, "call_by_model"),
]


@pytest.mark.parametrize(("filters", "index"), INDEXES)
def test_each_filter_of_the_list_has_an_index_in_its_order(here, filters, index):
    how = plan(Call.objects.filter(benchmark=here.benchmark, **filters).order_by("-id")[:51], index)
    assert f"Index Scan Backward using {index}" in how
    assert "Sort" not in how


def test_spending_reads_no_settled_call(here, django_assert_num_queries):
    client = signed_in(here.admin)
    with django_assert_num_queries(6) as statements:  # session, benchmark, budget, totals, calls under way, offers
        client.get("/api/v1/benchmarks/calls/spending")
    of_calls = [one["sql"] for one in statements.captured_queries if 'from "curation_call"' in one["sql"].lower()]
    assert len(of_calls) == 1
    assert "\"state\" = 'sent'" in of_calls[0]
