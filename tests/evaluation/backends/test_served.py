"""Asking model servers over real sockets, as vLLM and SGLang speak: equal vectors, repeats, refusals, no more words."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from config.model_servers import require_at_least
from curation.wire import transport
from curation.wire.servers import ModelServer
from evaluation.backends.demo_encoder import DemoEncoder
from evaluation.backends.errors import (
    InputTooLong,
    InputUndecodable,
    ModelNotServed,
    ModelServerAnswerUnfit,
    ModelServerChanged,
    ModelServerRefused,
    ModelServerUnreachable,
)
from evaluation.backends.served import ServedEmbedder
from evaluation.backends.serving import ServedModel, identity
from tests.model_server import MODEL, StandIn, with_nan

ROOT = Path(__file__).parents[3]
TEXTS = ["一盏红灯笼", "两只鸟在树上", "远处有山", "三个人", "一条小船", "屋顶上的猫", "桥", "雨", "雪地里的狗"]
DRAWN = np.random.default_rng(5)
PICTURES = [Image.fromarray(DRAWN.integers(0, 255, (40, 60, 3), dtype=np.uint8)) for _ in range(9)]
BOTH = pytest.mark.parametrize("speaks", ["vllm", "sglang"])


@pytest.fixture(scope="module")
def encoder():
    return DemoEncoder.load(ROOT / "fixtures/models/demo-dual-encoder")


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch):
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.001)


@pytest.fixture
def server(encoder, request):
    with StandIn(encoder, getattr(request, "param", "vllm")) as running:
        yield running


def client(server, *, retries=2, seconds=5.0, at_once=3, **asked) -> ServedEmbedder:
    """An embedder for what the server serves now."""
    reached = ModelServer("big", server.address, server.key)
    one = ServedEmbedder(reached, ServedModel(**asked), parallel=at_once, seconds=seconds, retries=retries)
    said = one.fetch_facts()
    known = ServedModel(**{"dimension": 64, **asked}).model_copy(update={"model": said["model"], "facts": said})
    return ServedEmbedder(reached, known, parallel=at_once, seconds=seconds, retries=retries)


@BOTH
def test_vectors_are_those_of_the_same_encoder_in_the_worker(encoder, speaks):
    with StandIn(encoder, speaks, hold=0.05) as server:
        embedder = client(server)
        np.testing.assert_allclose(embedder.embed_texts(TEXTS), encoder.embed_texts(TEXTS), atol=1e-6)
        np.testing.assert_allclose(embedder.embed_images(PICTURES), encoder.embed_images(PICTURES), atol=1e-6)
        assert len(server.asked) == {"vllm": 18, "sglang": 4}[speaks]  # one a request, eight a request
        assert server.most_at_once == {"vllm": 3, "sglang": 2}[speaks]
        assert embedder.embed_texts([]).shape == (0, 64)
        assert embedder.describe()["longest_text"] == 120


def test_what_is_sent_is_the_form_each_documents(encoder):
    with StandIn(encoder, "vllm", key="sesame") as server:
        embedder = client(server, text_template="Query: {text}\n", picture_text="Represent the picture.", dimensions=64)
        embedder.embed_texts(["{text} {0.__class__}"])
        embedder.embed_images(PICTURES[:1])
        text, picture = server.asked
        assert text == {
            "model": MODEL,
            "encoding_format": "float",
            "dimensions": 64,
            "messages": [{"role": "user", "content": [{"type": "text", "text": "Query: {text} {0.__class__}\n"}]}],
        }
        kinds = [part["type"] for part in picture["messages"][0]["content"]]
        assert kinds == ["image_url", "text"]
        # Nothing of this machine beside the key.
        assert {name for name in server.headers[0] if name.startswith(("x-stainless", "openai"))} == set()
        assert (server.headers[0]["authorization"], server.headers[0]["user-agent"]) == ("Bearer sesame", "lantern")
    with StandIn(encoder, "sglang") as server:
        embedder = client(server, picture_text="Represent.")
        embedder.embed_images(PICTURES[:2])
        (both,) = server.asked
        assert [sorted(item) for item in both["input"]] == [["image", "text"]] * 2
        assert "authorization" not in server.headers[0]
        assert "not to be kept" not in str(embedder.served_model.facts)
        assert embedder.served_model.facts["version"] == "0.12.0"
        assert embedder.describe()["dtype"] == "float32"


@pytest.mark.parametrize("fault", [429, 500, 503, "drop", "hang"])
def test_what_passes_is_asked_again(server, fault):
    embedder = client(server, seconds=0.2 if fault == "hang" else 5)
    server.faults = [fault, fault]
    assert embedder.embed_texts(TEXTS[:1]).shape == (1, 64)
    assert len(server.asked) == 3


@pytest.mark.parametrize("fault", [503, "drop"])
def test_what_does_not_pass_ends_after_its_repeats(server, fault):
    embedder = client(server)
    server.faults = [fault] * 9
    with pytest.raises(ModelServerUnreachable) as refusal:
        embedder.embed_texts(TEXTS[:1])
    assert refusal.value.params["server"] == "big"
    assert server.address not in str(refusal.value)
    assert len(server.asked) == 3


@BOTH
def test_an_input_that_is_too_long_is_blamed_itself(encoder, speaks):
    with StandIn(encoder, speaks) as server:
        embedder = client(server)
        with pytest.raises(InputTooLong) as refusal:
            embedder.embed_texts(["灯" * 121])
        assert "121 tokens" in str(refusal.value)
        assert len(server.asked) == 1  # a refusal is not asked again


def test_a_picture_that_cannot_be_read_is_blamed_itself(server, monkeypatch):
    embedder = client(server)
    monkeypatch.setattr("evaluation.backends.served.data_address", lambda _: "data:image/png;base64,AAAA")
    with pytest.raises(InputUndecodable):
        embedder.embed_images(PICTURES[:1])


@pytest.mark.parametrize(
    ("bend", "words"),
    [
        (lambda vectors: vectors[:, :32].tolist(), "vectors of [32] numbers where 64"),
        (lambda vectors: [], "0 embeddings for 1 inputs"),
        (lambda vectors: ["AAAA"], "no lists of numbers"),
        (lambda vectors: [[]], "no lists of numbers"),
    ],
    ids=["shorter", "none", "text", "empty"],
)
def test_answers_of_another_form_are_the_servers_fault(server, bend, words):
    embedder = client(server)
    server.bend = bend
    with pytest.raises(ModelServerAnswerUnfit) as refusal:
        embedder.embed_texts(TEXTS[:1])
    assert words in str(refusal.value)


def test_nan_reaches_whoever_judges_vectors_and_lengths_are_brought_to_one(server):
    embedder = client(server)
    server.bend = with_nan
    assert np.isnan(embedder.embed_texts(TEXTS[:1])).all()
    server.bend = lambda vectors: (vectors * 7).tolist()
    assert np.linalg.norm(embedder.embed_texts(TEXTS[:1])) == pytest.approx(1, abs=1e-6)
    assert np.linalg.norm(client(server, normalise=False).embed_texts(TEXTS[:1])) == pytest.approx(7, abs=1e-5)


@BOTH
def test_whatever_a_server_says_otherwise_is_a_change(encoder, speaks):
    with StandIn(encoder, speaks) as server:
        embedder = client(server)
        embedder.confirm()
        server.version = "0.13.0"
        with pytest.raises(ModelServerChanged) as refusal:
            embedder.confirm()
        assert refusal.value.params["changes"] == "version 0.12.0 → 0.13.0"
        server.model = "another"
        with pytest.raises(ModelNotServed):
            embedder.confirm()


def test_a_wrong_key_and_another_kind_of_server_are_told(server):
    embedder = client(server)
    server.key = "another"
    with pytest.raises(ModelServerRefused):
        embedder.confirm()
    server.key, server.speaks = "", "somebody"
    with pytest.raises(ModelServerAnswerUnfit):
        embedder.confirm()


def test_the_identity_changes_with_all_that_is_known():
    known = ServedModel(model="m", facts={"version": "1"}, dimension=4)
    other = [
        known.model_copy(update=change)
        for change in (
            {"model": "n"},
            {"facts": {"version": "2"}},
            {"text_template": "q {text}"},
            {"picture_text": "p"},
            {"normalise": False},
            {"dimensions": 2},
            {"dtype": "bfloat16"},
            {"dimension": 5},
        )
    ]
    names = {identity("big", one.model_dump()) for one in (known, *other)} | {identity("small", known.model_dump())}
    assert len(names) == 10


@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_limits_that_make_no_sense_stop_the_start(value):
    with pytest.raises(Exception, match="MODEL_SERVER_SECONDS has to be at least"):
        require_at_least(0.1, value, "MODEL_SERVER_SECONDS")
