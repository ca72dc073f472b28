"""What a request costs at most, what a reply costs, and which requests are the same call."""

from decimal import Decimal

from curation.calls.rules import MOST_PICTURE_TOKENS, Price, digest

PRICE = Price("USD", Decimal("0.15"), Decimal("0.6"), Decimal("0.001"))
BODY = {"model": "m", "messages": [{"role": "user", "content": "灯"}]}


def test_a_reply_costs_its_tokens_and_pictures_rounded_up():
    assert PRICE.cost(1000, 100, 2) == Decimal("0.00221000")
    assert Price("USD", Decimal("0.000001"), Decimal(0), Decimal(0)).cost(1, 0) == Decimal("0.00000001")
    assert PRICE.cost(0, 0) == 0


def test_a_request_costs_at_most_a_token_for_each_byte_and_many_for_a_picture():
    written = '{"messages":[{"content":"灯","role":"user"}],"model":"m"}'.encode()
    assert PRICE.highest_cost(BODY, 10) == PRICE.cost(len(written), 10)
    assert PRICE.highest_cost(BODY, 10, 1) == PRICE.cost(len(written) + MOST_PICTURE_TOKENS, 10, 1)


def test_a_call_is_recognised_by_its_server_request_and_take_whatever_the_order_of_keys():
    same = {"messages": [{"content": "灯", "role": "user"}], "model": "m"}
    assert digest("big", BODY, "") == digest("big", same, "")
    others = [digest("own", BODY, ""), digest("big", BODY | {"seed": 1}, ""), digest("big", BODY, "2")]
    assert len({digest("big", BODY, ""), *others}) == 4
