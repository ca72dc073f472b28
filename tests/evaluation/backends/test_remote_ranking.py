"""Servers with log-probabilities rank as the model behind them does; others are refused, and what lies is found out."""

import copy
import re

import pytest

from curation.prompts.rules import Message, Picture
from curation.wire.servers import ModelServer
from evaluation.backends.asks import Ask
from evaluation.backends.errors import (
    BackendFilesUnfit,
    InputTooLong,
    ModelNotServed,
    ModelReadsNoPictures,
    ModelServerAnswerUnfit,
    ModelServerChanged,
    ModelServerRefused,
    ModelServerUnreachable,
    NoLogprobs,
    SystemRefusedInput,
    TokenizerNeeded,
)
from evaluation.backends.likelihood import LocalRanker
from evaluation.backends.remote_ranking import SglangRanker, VllmRanker
from evaluation.backends.served_ranker import open_ranker
from tests.evaluation.backends import tiny_models
from tests.evaluation.backends.likelihood_server import Model
from tests.evaluation.backends.ranking import CANDIDATES, LETTERS, apart, ask, rounds
from tests.evaluation.backends.tiny_models import picture
from tests.model_server import MODEL, StandIn

EXACT = 1e-4
FAMILIES = ("qwen2-vl", "qwen2.5-vl", "llava", "text")


@pytest.fixture(params=FAMILIES)
def server(request, tiny):
    return Model(tiny(request.param))


def vllm(server):
    return VllmRanker("own", MODEL, server.post, parallel=1)


def sglang(server):
    return SglangRanker("own", writer_of(server.model), server.post, parallel=1)


def writer_of(model):
    if model.tokenizer.chat_template is None:
        model.tokenizer.chat_template = model.processor.chat_template
    return model.tokenizer


@pytest.mark.parametrize("opened_by", [vllm, sglang])
def test_a_server_ranks_as_the_model_behind_it(server, opened_by):
    ranker, local = opened_by(server), LocalRanker(server.model, route="plain")
    for asked in (ask(server.model), *rounds(server.model, 2)):
        for count_end in (True, False):
            ranked = ranker.rank(asked, CANDIDATES[:4], count_end=count_end)
            reference = local.rank(asked, CANDIDATES[:4], count_end=count_end)
            assert apart(ranked.sums, reference.sums) < EXACT
            assert (ranked.tokens, ranked.bytes) == (reference.tokens, reference.bytes)
    letters = ranker.rank(ask(server.model), LETTERS, count_end=False)
    assert apart(letters.sums, local.rank(ask(server.model), LETTERS, count_end=False).sums) < EXACT
    assert ranker.describe()["reply_end"] == server.model.tokenizer.eos_token


@pytest.mark.parametrize("opened_by", [vllm, sglang])
def test_candidates_that_are_part_of_the_end_of_a_reply(tiny, opened_by):
    """A server that looks for the reply finds ``end`` in ``<|im_end|>`` as well."""
    server = Model(tiny("text"))
    candidates = ("end", "im", "e", "A")
    ranked = opened_by(server).rank(ask(server.model), candidates, count_end=False)
    local = LocalRanker(server.model, route="plain").rank(ask(server.model), candidates, count_end=False)
    assert apart(ranked.sums, local.sums) < EXACT
    assert ranked.tokens == local.tokens


@pytest.mark.parametrize("opened_by", [vllm, sglang])
def test_pictures_of_examples_are_sent_in_their_order(tiny, opened_by):
    server = Model(tiny("qwen2.5-vl"))
    asked = Ask(
        (Message("user", (Picture(0), "一")), Message("assistant", ("A",)), Message("user", (Picture(), "二"))),
        picture=picture(56, 56, seed=1),
        shots=(picture(seed=2),),
    )
    local = LocalRanker(server.model, route="plain").rank(asked, LETTERS)
    assert apart(opened_by(server).rank(asked, LETTERS).sums, local.sums) < EXACT


def test_the_prefix_on_a_server_has_the_tokens_of_its_pictures(tiny):
    """SGLang counts them; a prompt tokenised here has one for each picture."""
    for family in ("qwen2-vl", "qwen2.5-vl", "llava"):
        server = Model(tiny(family))
        ranker = sglang(server)
        server.asked.clear()
        ranker.rank(ask(server.model), LETTERS)
        (_, first), (_, second), *_ = server.asked
        assert "logprob_start_len" not in first
        length = second["logprob_start_len"] + 1
        # It is the length on the server, and not that of the tokens that were sent.
        assert length == server.post("/generate", first)["meta_info"]["prompt_tokens"] > len(first["input_ids"])
        # A server, or a caller, that counts without pictures is found out.
        ranker._length = lambda prefix, pictures: len(prefix)
        with pytest.raises(ModelServerAnswerUnfit, match="not those of the candidate"):
            ranker.rank(ask(server.model), LETTERS)
        # So would be sums over the entries from there on.
        entries = server.post("/generate", {**second, "logprob_start_len": len(first["input_ids"]) - 1})
        wrong = sum(entry[0] for entry in entries["meta_info"]["input_token_logprobs"][1:])
        right = sum(entry[0] for entry in server.post("/generate", second)["meta_info"]["input_token_logprobs"][1:])
        assert abs(wrong - right) > 1


def without(*names):
    """A server that leaves fields out of its reply."""

    def bend(body):
        body = {name: value for name, value in body.items() if name not in names}
        if "meta_info" in body:
            body["meta_info"] = {name: value for name, value in body["meta_info"].items() if name not in names}
        return body

    return bend


def each_value(change):
    """A server that changes every log-probability."""

    def bend(body):
        for entry in body.get("prompt_logprobs", ()):
            for facts in (entry or {}).values():
                facts["logprob"] = change(facts["logprob"])
        for entry in body.get("meta_info", {}).get("input_token_logprobs", ()):
            entry[0] = None if entry[0] is None else change(entry[0])
        return body

    return bend


@pytest.mark.parametrize("opened_by", [vllm, sglang])
@pytest.mark.parametrize(
    ("bend", "reason"),
    [
        (without("prompt_logprobs", "input_token_logprobs"), "has no"),
        # Some clients fill in 0 for what they do not know.
        (each_value(lambda _: 0.0), "every one is 0"),
        (each_value(lambda _: 0.5), "cannot be read|not those"),
        (each_value(lambda _: float("nan")), "cannot be read"),
        (each_value(lambda _: None), "cannot be read"),
        (lambda _: {}, "has no|how long"),
        (lambda _: [], "has no|how long"),
    ],
)
def test_a_server_without_log_probabilities_is_refused(tiny, opened_by, bend, reason):
    server = Model(tiny("text"))
    server.bend = bend
    with pytest.raises(NoLogprobs, match=reason):
        opened_by(server)


def test_several_tokens_in_an_entry_are_not_guessed_between(tiny):
    server = Model(tiny("text"))

    def bend(body):
        for entry in body["prompt_logprobs"][1:]:
            entry["1"] = {"logprob": -0.1, "rank": 1, "decoded_token": "?"}
        return body

    server.bend = bend
    with pytest.raises(NoLogprobs, match="cannot be read"):
        vllm(server)


@pytest.mark.parametrize("opened_by", [vllm, sglang])
def test_tokens_that_are_not_the_candidates_are_an_error(tiny, opened_by):
    server = Model(tiny("text"))
    ranker = opened_by(server)

    def cut(body):
        if "prompt_logprobs" in body:
            body["prompt_logprobs"] = body["prompt_logprobs"][:-1]
        elif "input_token_logprobs" in body["meta_info"]:
            body["meta_info"]["input_token_logprobs"] = body["meta_info"]["input_token_logprobs"][:-1]
        return body

    server.bend = cut
    with pytest.raises(ModelServerAnswerUnfit, match="candidate"):
        ranker.rank(ask(server.model), LETTERS)


def test_as_many_other_tokens_are_an_error(tiny):
    """A server with another tokenizer would score another reply of the same length."""
    server = Model(tiny("text"))
    ranker = sglang(server)

    def other(body):
        for entry in body["meta_info"].get("input_token_logprobs", [])[1:]:
            entry[1] += 1
        return body

    server.bend = other
    with pytest.raises(ModelServerAnswerUnfit, match="candidate"):
        ranker.rank(ask(server.model), LETTERS)


@pytest.mark.parametrize("opened_by", [vllm, sglang])
def test_an_empty_candidate_is_refused(tiny, opened_by):
    with pytest.raises(SystemRefusedInput, match="empty"):
        opened_by(Model(tiny("text"))).rank(ask(tiny("text")), ["A", ""])


# --- Over HTTP --------------------------------------------------------------------------------------------------------


def over_http(stand_in, *, hosted=False, tokenizer=None):
    server = ModelServer("own", stand_in.address, hosted=hosted)
    return open_ranker(server, MODEL, tokenizer=tokenizer, parallel=2, seconds=5, retries=2)


@pytest.mark.parametrize("speaks", ["vllm", "sglang"])
@pytest.mark.parametrize("family", ["qwen2.5-vl", "llava", "text"])
def test_a_ranking_over_http(tiny, tmp_path, speaks, family):
    loaded = tiny(family)
    model = Model(loaded)
    tokenizer = tiny_models.FAMILIES[family](tmp_path / "model") if speaks == "sglang" else None
    with StandIn(speaks=speaks, says=model.chat, generates=model.generate) as stand_in:
        ranker = over_http(stand_in, tokenizer=tokenizer)
        ranked = ranker.rank(ask(loaded), LETTERS)
        several = ranker.rank_all([ask(loaded), ask(loaded)], LETTERS)
        assert ranker.describe()["reported"]["version"] == "0.12.0"
        ranker.confirm()
        stand_in.version = "0.13.0"
        with pytest.raises(ModelServerChanged, match=re.escape("version 0.12.0 → 0.13.0")):
            ranker.confirm()
    assert apart(ranked.sums, LocalRanker(loaded, route="plain").rank(ask(loaded), LETTERS).sums) < EXACT
    assert several == [ranked, ranked]


def test_hosted_servers_and_other_kinds_are_not_asked_to_rank():
    with StandIn() as stand_in:
        with pytest.raises(NoLogprobs, match="hosted"):
            over_http(stand_in, hosted=True)
        assert stand_in.fetched == []
        stand_in.speaks = "lmdeploy"
        with pytest.raises(NoLogprobs, match="it calls itself lmdeploy, not vllm or sglang"):
            over_http(stand_in)
        stand_in.speaks = "sglang"
        with pytest.raises(TokenizerNeeded):
            over_http(stand_in)
        assert stand_in.asked == []


@pytest.mark.parametrize("speaks", ["vllm", "sglang"])
def test_a_server_that_refuses_or_drops_pictures_is_not_asked_about_any(tiny, tmp_path, speaks):
    model, seeing = Model(tiny("qwen2.5-vl")), ask(tiny("qwen2.5-vl"))
    tokenizer = tiny_models.FAMILIES["qwen2.5-vl"](tmp_path / "model") if speaks == "sglang" else None
    plain = Ask((Message("user", ("?",)),))

    def drops(body):
        return model.generate({name: value for name, value in body.items() if name != "image_data"})

    with StandIn(speaks=speaks, says=model.chat, generates=model.generate) as stand_in:
        ranker = over_http(stand_in, tokenizer=tokenizer)
        ranker.rank(plain, LETTERS)
        stand_in.faults = [400] * 9
        with pytest.raises(ModelReadsNoPictures):
            ranker.rank(seeing, LETTERS)
        stand_in.faults.clear()
        if speaks == "sglang":  # vLLM refuses what it cannot read
            stand_in.generates = drops
            with pytest.raises(ModelReadsNoPictures):
                ranker.rank(seeing, LETTERS)
            stand_in.generates = model.generate
        assert len(ranker.rank(seeing, LETTERS).sums) == 4
        # A later refusal is about the input.
        stand_in.faults = [400] * 9
        with pytest.raises(SystemRefusedInput):
            ranker.rank(seeing, LETTERS)


def test_a_template_without_a_place_for_pictures_refuses_them(tiny):
    server = Model(tiny("text"))
    writer = copy.deepcopy(server.model.tokenizer)
    writer.chat_template = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\n' }}{% endfor %}assistant: "
    ranker = SglangRanker("own", writer, server.post, parallel=1)
    asked = len(server.asked)
    with pytest.raises(SystemRefusedInput, match="no place for a picture"):
        ranker.rank(Ask((Message("user", (Picture(), "?")),), picture(56, 56)), LETTERS)
    assert len(server.asked) == asked


def test_a_folder_without_a_tokenizer_or_a_template_is_refused(tmp_path):
    with StandIn(speaks="sglang") as stand_in:
        with pytest.raises(BackendFilesUnfit):
            over_http(stand_in, tokenizer=tmp_path)
        folder = tiny_models.FAMILIES["text"](tmp_path / "model")
        for file in folder.glob("chat_template*"):
            file.unlink()
        with pytest.raises(BackendFilesUnfit, match="there is no chat template"):
            over_http(stand_in, tokenizer=folder)
        assert stand_in.asked == []


def test_a_server_that_ignores_the_parameter_is_refused():
    with StandIn(says=lambda body: "no") as stand_in, pytest.raises(NoLogprobs, match="has no prompt_logprobs"):
        over_http(stand_in)


@pytest.mark.parametrize(
    ("faults", "error", "reason"),
    [
        ([400], NoLogprobs, "busy"),
        ([404], NoLogprobs, "busy"),
        ([401], ModelServerRefused, "401"),
        ([500] * 9, ModelServerUnreachable, "500"),
    ],
)
def test_statuses_have_errors_of_their_own(faults, error, reason, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    with StandIn(faults=faults) as stand_in, pytest.raises(error, match=re.escape(reason)):
        over_http(stand_in)


def test_a_prompt_that_is_too_long_is_the_inputs_fault(tiny):
    model = Model(tiny("text"))
    with StandIn(says=model.chat) as stand_in:
        ranker = over_http(stand_in)
        stand_in.faults = [400] * 9
        with pytest.raises(SystemRefusedInput):
            ranker.rank(ask(model.model), LETTERS)
        stand_in.faults = [404] * 9
        with pytest.raises(ModelNotServed):
            ranker.rank(ask(model.model), LETTERS)
    assert issubclass(InputTooLong, SystemRefusedInput)
