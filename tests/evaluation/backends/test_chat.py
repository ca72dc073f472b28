"""Chats with pictures over real sockets: what is sent, what is kept, what comes back."""

import base64
import io
import json
import threading
from decimal import Decimal

import pytest
from PIL import Image

from curation.prompts.rules import Message, Picture
from curation.wire import gate, transport
from curation.wire.errors import Rejected
from curation.wire.replies import Reply
from curation.wire.servers import ModelServer
from evaluation.backends.asks import Ask, Cost, Decoding, Generated, Generator
from evaluation.backends.chat import ChatGenerator
from evaluation.backends.chat_requests import Paid, chat_request
from tests.model_server import StandIn

OWN = ModelServer("own", "")
RED, BLUE = Image.new("RGB", (8, 6), "red"), Image.new("RGB", (8, 6), "blue")
SHOT = Message("user", (Picture(0), "one?"))
ANSWER = Message("assistant", ("yes",))
QUESTION = Message("user", (Picture(), "what?"))


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch):
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.001)
    gate._gates.clear()


@pytest.fixture
def server():
    with StandIn(model="m", says=lambda body: text_of(body["messages"][-1])) as running:
        yield running


def text_of(message) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def unpaid(request, send):
    return Paid(send(lambda _: None))


def opened(server, pay=unpaid, **more) -> ChatGenerator:
    return ChatGenerator(ModelServer("big", server.address, **more), "m", pay, parallel=4, seconds=5.0)


def ask(*messages: Message, picture=RED, shots=()) -> Ask:
    return Ask(messages or (QUESTION,), picture, "k", shots)


def test_generators_of_one_server_share_its_connections(server):
    assert opened(server)._transport is opened(server)._transport
    assert opened(server)._transport is not opened(server, key="k" * 16)._transport


def test_pictures_are_sent_as_data_beside_their_texts(server):
    chat: Generator = opened(server)
    asked = ask(Message("system", ("be short",)), SHOT, ANSWER, QUESTION, shots=(BLUE,))
    assert chat.generate([asked], Decoding(max_tokens=7)) == [Generated("what?", "stop", 190, 5)]
    (body,) = server.asked
    assert (body["model"], body["max_tokens"], body["temperature"], "seed" in body) == ("m", 7, 0.0, False)
    system, shot, answer, question = body["messages"]
    # Texts without a picture are sent as such: not every server takes parts everywhere.
    assert (system["content"], answer["content"]) == ("be short", "yes")
    for message, picture in ((shot, BLUE), (question, RED)):
        place, words = message["content"]
        head, _, data = place["image_url"]["url"].partition(",")
        assert (head, words["type"]) == ("data:image/png;base64", "text")
        with Image.open(io.BytesIO(base64.b64decode(data))) as sent:
            assert sent.convert("RGB").tobytes() == picture.tobytes()


def test_without_a_picture_no_byte_of_one_is_sent(server):
    opened(server).generate([ask(picture=None), ask(SHOT, ANSWER, QUESTION, picture=None, shots=(None,))], Decoding())
    for body in server.bodies:
        for trace in (b"image", b"data:", b"base64", b"sha256"):
            assert trace not in body
    assert {type(m["content"]) for body in server.asked for m in body["messages"]} == {str}


def test_what_is_kept_has_no_picture_and_differs_with_its_pixels():
    def kept(asked: Ask, **more) -> str:
        return json.dumps(chat_request(asked, Decoding(**more), model="m", server=OWN).kept)

    assert "data:" not in kept(ask())
    assert kept(ask()) == kept(ask(picture=RED.copy()))
    different = [
        ask(),
        ask(picture=BLUE),
        ask(picture=RED.resize((6, 8))),
        ask(picture=None),
        ask(SHOT, ANSWER, QUESTION, shots=(BLUE,)),
        ask(SHOT, ANSWER, QUESTION, shots=(RED,)),
    ]
    assert len({kept(one) for one in different}) == len(different)
    drawn = {kept(ask(), temperature=0.7, seed=seed) for seed in (1, 2)}
    assert len(drawn | {kept(ask())}) == 3
    counts = [chat_request(one, Decoding(), model="m", server=OWN).pictures for one in different]
    assert counts == [1, 1, 1, 0, 2, 2]


def test_replies_keep_the_order_of_the_asks_and_run_together(server):
    server.hold = 0.05
    asks = [ask(Message("user", (Picture(), f"question {n}"))) for n in range(12)]
    texts = [reply.text for reply in opened(server).generate(asks, Decoding())]
    assert texts == [f"question {n}" for n in range(12)]
    assert 1 < server.most_at_once <= 4


def test_what_the_payer_keeps_is_not_sent(server):
    calls = []
    kept = Reply("kept", False, "stop", "m-2026", 3, 2, 1, 9)

    def pay(request, send):
        calls.append((request.pictures, request.max_tokens, threading.get_ident()))
        return Paid(kept, Cost(Decimal("0.002"), "USD"))

    chat = opened(server, pay)
    assert chat.generate([ask()], Decoding(max_tokens=4)) == [
        Generated("kept", "stop", 3, 2, cost=Cost(Decimal("0.002"), "USD"))
    ]
    assert (calls[0][:2], server.asked) == ((1, 4), [])
    assert chat.describe()["served_models"] == ["m-2026"]


@pytest.mark.parametrize(
    ("message", "finish", "expected"),
    [
        ({"content": "cut"}, "length", Generated("cut", "length", 0, 0)),
        ({"content": "x"}, "tool_calls", Generated("x", "stop", 0, 0)),
        ({"content": None, "refusal": "No."}, "stop", Generated("", "refused", 0, 0)),
        ({"content": ""}, "content_filter", Generated("", "refused", 0, 0)),
    ],
)
def test_how_a_reply_ended(server, message, finish, expected):
    server.says = lambda _: {"choices": [{"message": message, "finish_reason": finish}]}
    assert opened(server).generate([ask()], Decoding()) == [expected]


def test_an_error_ends_the_asks_that_have_not_started(server):
    server.faults = [400] * 100
    with pytest.raises(Rejected):
        opened(server).generate([ask()] * 40, Decoding())
    assert len(server.asked) < 40


def test_some_hosted_models_name_the_limit_differently(server):
    opened(server, limit_name="max_completion_tokens").generate([ask()], Decoding(max_tokens=6))
    assert (server.asked[0]["max_completion_tokens"], "max_tokens" in server.asked[0]) == (6, False)


@pytest.mark.parametrize(
    ("hosted", "detail", "sent"), [(True, "low", {"detail": "low"}), (True, "auto", {}), (False, "low", {})]
)
def test_hosted_servers_get_the_detail_of_pictures(server, hosted, detail, sent):
    url = f"{server.address}/v1" if hosted else server.address
    one = ModelServer("big", url, hosted=hosted)
    asked, decoding = ask(SHOT, ANSWER, QUESTION, shots=(BLUE,)), Decoding(detail=detail)
    ChatGenerator(one, "m", unpaid, parallel=4, seconds=5.0).generate([asked], decoding)
    body = json.loads(server.bodies[0])
    pictures = [
        part["image_url"]
        for m in body["messages"]
        if isinstance(m["content"], list)
        for part in m["content"]
        if part["type"] == "image_url"
    ]
    assert [{name: value for name, value in picture.items() if name != "url"} for picture in pictures] == [sent, sent]
    kept = chat_request(asked, decoding, model="m", server=one).kept
    plain = chat_request(asked, Decoding(), model="m", server=one).kept
    assert (kept == plain) == (sent == {})


def test_some_hosted_models_take_no_temperature_and_their_replies_are_kept_apart(server):
    opened(server, sends_temperature=False).generate([ask()], Decoding())
    assert "temperature" not in server.asked[0]
    kept = [
        json.dumps(chat_request(ask(), Decoding(), model="m", server=one).kept)
        for one in (OWN, ModelServer("own", "", sends_temperature=False))
    ]
    assert ['"temperature"' in one for one in kept] == [True, False]
