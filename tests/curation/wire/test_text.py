"""Text requests over real sockets: what is on the wire, what is sent again, how a bad server is survived."""

import socket
import time

import pytest
from pydantic import BaseModel, ValidationError

from curation.wire import gate, transport
from curation.wire.errors import Limited, NotConnected, Rejected, ReplyLost, ReplyUnreadable
from curation.wire.replies import structured
from curation.wire.servers import ModelServer
from curation.wire.text import Connection, TextDecoding, TextRequest, TextTurn, ask_text, body_of
from tests.model_server import Refused, StandIn

KEY = "sesame-open-up"


class Verdict(BaseModel):
    score: int
    why: str = ""


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch):
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.001)
    gate._gates.clear()


@pytest.fixture
def server():
    with StandIn(model="m", key=KEY) as running:
        yield running


def connection(server, *, seconds=5.0, parallel=4, key=KEY):
    return Connection(ModelServer("big", server.address, key), parallel, seconds)


def request(text="你好", **more):
    return TextRequest(turns=(TextTurn(role="user", text=text),), **more)


def ask(server, *, sends=5, hold=None, asked=None, **more):
    return ask_text(asked or request(), "m", connection(server, **more), sends=sends, hold=hold)


def refuse(words):
    raise Refused(500, words)


def test_what_is_sent_is_text_and_nothing_else(server):
    turns = [TextTurn(role="user", text="a"), TextTurn(role="assistant", text="b"), TextTurn(role="user", text="c")]
    asked = TextRequest(
        system="s", turns=tuple(turns), reply=Verdict, decoding=TextDecoding(temperature=0.2, seed=3, max_tokens=9)
    )
    reply = ask(server, asked=asked)
    assert (reply.text, reply.finish, reply.served_model, reply.tokens_in, reply.tokens_out) == (
        "re: c",
        "stop",
        "m",
        10,
        5,
    )
    (body,) = server.asked
    assert body["messages"] == [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
    ]
    assert all(isinstance(message["content"], str) for message in body["messages"])
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.2, 3, 9)
    assert body["response_format"]["type"] == "json_schema"
    assert "top_p" not in body
    (sent,) = server.bodies
    for trace in (b"image", b"data:", b"base64", b"/media/", b"http"):
        assert trace not in sent
    # Nothing of this machine beside the key.
    assert {name for name in server.headers[0] if name.startswith(("x-stainless", "openai"))} == set()
    assert (server.headers[0]["authorization"], server.headers[0]["user-agent"]) == (f"Bearer {KEY}", "lantern")


@pytest.mark.parametrize("content", [[{"type": "image_url"}], {"url": "data:"}, b"bytes", None])
def test_no_type_has_a_place_for_a_picture(content):
    with pytest.raises(ValidationError):
        TextTurn(role="user", text=content)
    with pytest.raises(ValidationError):
        TextRequest(system=content, turns=(TextTurn(role="user", text="a"),))
    with pytest.raises(ValidationError):
        TextTurn(role="user", text="a", image=content)


def test_a_limit_that_a_reply_exhausts_is_a_pause_for_the_next_request(server):
    """Whoever does not wait for as long is refused at once, and nothing is held or sent."""
    server.faults = [(None, {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "30s"})]
    assert ask(server).sends == 1
    held: list[float] = []
    with pytest.raises(Limited) as refusal:
        ask_text(request(), "m", connection(server), hold=held.append, longest_pause=5.0)
    assert (refusal.value.sends, 20 < refusal.value.pause <= 30) == (0, True)
    assert (held, len(server.asked)) == ([], 1)


def test_a_limit_of_the_rate_is_waited_out_on_the_same_call(server):
    server.faults = [
        (429, {"Retry-After-Ms": "30"}),
        429,
        (429, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "20ms"}),
    ]
    holds = []
    reply = ask(server, hold=holds.append)
    assert (reply.sends, len(server.asked)) == (4, 4)
    assert holds[:2] == [5.0, pytest.approx(5.03)]
    assert len(holds) == 7
    assert gate._gates["big"].limit == 1


def test_five_sends_are_the_most(server):
    server.faults = [429] * 9
    with pytest.raises(Limited) as refusal:
        ask(server)
    assert (refusal.value.sends, len(server.asked)) == (5, 5)


def test_a_server_that_asks_for_an_hour_is_not_waited_for(server):
    server.faults = [(429, {"Retry-After": "3600"})]
    with pytest.raises(Limited):
        ask(server)
    assert len(server.asked) == 1
    assert gate._gates["big"]._resume_at <= time.monotonic() + 121


def test_a_caller_that_waits_less_gets_the_pause_instead(server):
    server.faults = [(429, {"Retry-After": "7"})]
    with pytest.raises(Limited) as refusal:
        ask_text(request(), "m", connection(server), longest_pause=5.0)
    assert (refusal.value.pause, len(server.asked)) == (7.0, 1)


def test_a_refused_connection_is_tried_again():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    holds = []
    with pytest.raises(NotConnected) as refusal:
        ask_text(request(), "m", Connection(ModelServer("gone", address), 1, 5.0), hold=holds.append)
    assert refusal.value.sends == 5
    assert len(holds) == 9


@pytest.mark.parametrize("fault", ["drop", "hang", "cut", "drip", "drip_head"])
def test_what_may_have_been_paid_for_is_sent_once(server, fault):
    server.faults = [fault]
    began = time.monotonic()
    with pytest.raises(ReplyLost) as lost:
        ask(server, seconds=0.4)
    assert not isinstance(lost.value, ReplyUnreadable)
    assert time.monotonic() - began < 2  # the whole exchange has to end, not each read
    assert len(server.asked) == 1


@pytest.mark.parametrize("fault", [500, 502, 503, 400, 401, 404, 408, 409])
def test_another_status_is_not_sent_again(server, fault):
    server.faults = [fault]
    with pytest.raises(Rejected) as refusal:
        ask(server)
    assert (refusal.value.status, len(server.asked)) == (fault, 1)


@pytest.mark.parametrize(("fault", "status"), [("refused_drip", 400), ("refused_squeezed", 503)])
def test_a_refusal_counts_however_its_words_arrive(server, fault, status):
    server.faults = [fault]
    with pytest.raises(Rejected) as refusal:
        ask(server, seconds=1.0)
    assert (refusal.value.status, len(server.asked)) == (status, 1)
    assert refusal.value.reason.startswith("no picture xx" if fault == "refused_drip" else "")


def test_a_limit_of_the_rate_counts_however_many_words_it_has(server):
    server.faults = ["limited_endless"]
    assert ask(server).sends == 2


def test_a_redirect_is_not_followed(server):
    server.faults = ["redirect"]
    with pytest.raises(Rejected) as refusal:
        ask(server)
    assert (refusal.value.status, len(server.asked)) == (307, 1)


def test_a_proxy_of_the_environment_is_not_used(server, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    assert ask(server, seconds=4.9).text == "re: 你好"  # a time-out of its own: not the transport of another test


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("endless", "has more than 4000000 bytes"), ("squeezed", "is compressed"), ("words", "cannot be read")],
)
def test_a_reply_that_cannot_be_used_is_refused(server, fault, reason):
    server.faults = [fault]
    with pytest.raises(ReplyUnreadable, match=reason):
        ask(server)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"choices": []},
        {"choices": "x"},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": [{"type": "text", "text": "x"}]}}]},
        {"choices": [7]},
    ],
)
def test_an_answer_of_another_form_is_refused(server, answer):
    server.says = lambda _: answer
    with pytest.raises(ReplyUnreadable):
        ask(server)


def test_a_lying_answer_is_cut_to_what_can_be_stored(server):
    message = {"content": "a\0b\ud800"}
    server.says = lambda _: {
        "model": "m" * 999,
        "choices": [{"message": message, "finish_reason": "x" * 99}],
        "usage": {"prompt_tokens": -1, "completion_tokens": 10**12},
    }
    reply = ask(server)
    assert reply.text == "a�b?"
    assert (len(reply.served_model), len(reply.finish)) == (200, 24)
    assert (reply.tokens_in, reply.tokens_out) == (None, None)


@pytest.mark.parametrize(
    ("content", "tokens", "read"),
    [("re", 0, None), ("", 0, 0), (None, 0, 0), ("re", 1, 1), ("re", True, None), ("re", 2.0, None)],
)
def test_a_text_of_no_tokens_is_not_believed(server, content, tokens, read):
    server.says = lambda _: {
        "choices": [{"message": {"content": content}}],
        "usage": {"prompt_tokens": 3, "completion_tokens": tokens},
    }
    reply = ask(server)
    assert (reply.tokens_in, reply.tokens_out) == (3, read)


@pytest.mark.parametrize(
    ("message", "finish"), [({"content": None, "refusal": "No."}, "stop"), ({"content": ""}, "content_filter")]
)
def test_a_content_filter_is_a_refusal(server, message, finish):
    server.says = lambda _: {"choices": [{"message": message, "finish_reason": finish}]}
    assert ask(server).refused


def test_reasons_have_no_key_and_no_address(server):
    server.key = "another"
    with pytest.raises(Rejected) as refusal:
        ask(server)
    assert refusal.value.status == 401
    text = repr(refusal.value) + repr(connection(server))
    assert KEY not in text
    assert server.address not in text


@pytest.mark.parametrize(
    "written", ["{url}/v1/chat", "HTTP://{host}:{port}", "{host}:{port}", "host {host} is away", "{host}."]
)
def test_an_address_is_cut_out_in_every_form(server, written):
    host, _, port = server.address.removeprefix("http://").partition(":")
    words = written.format(url=server.address, host=host, port=port)
    server.says = lambda _: refuse(f"upstream {words}")
    with pytest.raises(Rejected) as refusal:
        ask(server)
    assert host not in refusal.value.reason
    assert port not in refusal.value.reason
    assert refusal.value.reason.startswith(("upstream big", "upstream host big"))


@pytest.mark.parametrize(
    ("url", "words", "shown"),
    [
        (
            "http://qwen:8000",
            "qwen3 at qwen:8000 and http://qwen:8000/v1, not qwen",
            "qwen3 at big and big/v1, not qwen",
        ),
        ("http://qwen", "qwen3 at http://qwen/v1", "qwen3 at big/v1"),
        (
            "https://a.example/x",
            "for 'A.EXAMPLE', not b.a.example or a.example-2",
            "for 'big', not b.a.example or a.example-2",
        ),
        ("http://[fd00::1]:8000", "[fd00::1]:8000 and fd00::1", "big and big"),
    ],
)
def test_a_host_that_may_be_a_word_stays_where_it_is_alone(url, words, shown):
    assert transport._address_in_words(url).sub("big", words) == shown


def test_a_servers_words_act_on_no_terminal_and_can_be_stored(server):
    server.says = lambda _: refuse("nul \0, \x1b[31mred\x9b, \ud800, \u202eback\u2066\n and  more")
    with pytest.raises(Rejected) as refusal:
        ask(server)
    assert refusal.value.reason == "nul �, �[31mred�, �, �back� and more"


@pytest.mark.parametrize("escape", [lambda c: f"\\u{ord(c):04x}", lambda c: {"/": "\\/"}.get(c, c), lambda c: c])
def test_a_reply_never_repeats_the_key_however_it_is_escaped(server, escape):
    secret = "sesame/open+up/4711"
    written = "".join(map(escape, secret))
    server.key = secret
    server.raw = f'{{"model": "{written}", "choices": [{{"message": {{"content": "my key: {written}\\n"}}}}]}}'
    reply = ask(server, key=secret)
    assert (reply.text, reply.served_model) == ("my key: …\n", "…")


def test_a_structured_reply_is_the_first_object_that_fits():
    assert structured('{"score": 3}', Verdict) == Verdict(score=3)
    assert structured('Well { … ```json\n{"score": 3, "why": "{"}\n``` and {"score": 9}', Verdict) == Verdict(
        score=3, why="{"
    )
    assert structured('{"score": "high"} {"score": 3}', Verdict) is None
    assert structured("no object", Verdict) is None
    assert structured("{" * 100_000, Verdict) is None


def test_what_the_server_decides_is_not_sent():
    asked = request(decoding=TextDecoding(temperature=None, max_tokens=1))
    assert set(body_of(asked, "m", ModelServer("big", ""))) == {"model", "messages", "max_tokens"}


def test_a_server_says_what_the_limit_is_called_and_that_it_takes_no_temperature(server):
    reached = ModelServer("big", server.address, KEY, limit_name="max_completion_tokens", sends_temperature=False)
    ask_text(request(decoding=TextDecoding(max_tokens=9)), "m", Connection(reached, 1, 5.0))
    (body,) = server.asked
    assert set(body) == {"model", "messages", "max_completion_tokens"}
    assert body["max_completion_tokens"] == 9
