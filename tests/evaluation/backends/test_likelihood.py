"""Every route ranks candidates as plain passes do, for all families, and computes as little as it may."""

import weakref

import pytest
import torch

from curation.prompts.rules import Message
from evaluation.backends import routes
from evaluation.backends.asks import Ask
from evaluation.backends.errors import ModelOutOfMemory, RouteDiffers, SystemRefusedInput
from evaluation.backends.likelihood import LocalRanker
from evaluation.backends.pictures import remember_newest
from evaluation.backends.vision_language import LanguageModel
from tests.evaluation.backends.ranking import (
    CANDIDATES,
    LETTERS,
    QUESTION,
    apart,
    ask,
    plain_sums,
    rounds,
    shifts,
)
from tests.evaluation.backends.tiny_layers import RECURRENT, SLIDING
from tests.evaluation.backends.tiny_models import FAMILIES, picture

#: In float32; sums are spread over 200 nats.
EXACT = 1e-4


#: For what does not depend on details of a family: positions in a grid, positions in a row, no pictures.
FEW = ("qwen2.5-vl", "llava", "internvl", "text")


@pytest.fixture(scope="module", params=FEW)
def model(request, tiny):
    return tiny(request.param)


@pytest.fixture(scope="module", params=FEW[:3])
def vision(request, tiny):
    return tiny(request.param)


@pytest.fixture(scope="module", params=["packed", "cached"])
def ranker(request, model):
    return LocalRanker(model, route=request.param)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("route", ["packed", "cached"])
def test_every_route_gives_the_sums_of_plain_passes(family, route, tiny):
    ranker = LocalRanker(tiny(family), route=route)
    asked = ask(ranker.loaded)
    ranked = ranker.rank(asked, CANDIDATES)
    reference = plain_sums(ranker, asked, CANDIDATES)
    assert apart(ranked.sums, reference) < EXACT
    assert max(reference) - min(reference) > 50  # the weights are spread: a wrong position would be seen
    assert ranked.sums[0] == pytest.approx(ranked.sums[-1], abs=EXACT)
    assert ranked.bytes == tuple(len(text.encode()) for text in CANDIDATES)
    without = ranker.rank(asked, CANDIDATES, count_end=False)
    assert [n - 1 for n in ranked.tokens] == list(without.tokens)
    assert apart(without.sums, plain_sums(ranker, asked, CANDIDATES, count_end=False)) < EXACT


def test_small_passes_give_the_same_sums(model):
    for route in ("packed", "cached"):
        whole = LocalRanker(model, route=route)
        parts = LocalRanker(model, route=route, budget=40 * 4 * len(model.tokenizer))
        assert apart(parts.rank(ask(model), CANDIDATES).sums, whole.rank(ask(model), CANDIDATES).sums) < EXACT


def test_letters_need_no_pass_beyond_the_prompts(model, monkeypatch):
    ranker = LocalRanker(model)
    passes = []
    forward = model.model.forward
    monkeypatch.setattr(model.model, "forward", lambda *a, **k: passes.append(k) or forward(*a, **k))
    ranked = ranker.rank(ask(model), LETTERS, count_end=False)
    assert ranked.tokens == (1, 1, 1, 1)
    # Only the last logits of the prompt: those of all tokens would be gigabytes.
    assert [call["logits_to_keep"] for call in passes] == [1]
    monkeypatch.undo()
    assert apart(ranked.sums, plain_sums(ranker, ask(model), LETTERS, count_end=False)) < EXACT


def test_rounds_of_a_dialogue_compute_what_is_new(ranker):
    total = 0
    before, encoded = ranker.memory.computed, ranker.memory.encoded
    for asked in rounds(ranker.loaded, 4):
        assert apart(ranker.rank(asked, CANDIDATES).sums, plain_sums(ranker, asked, CANDIDATES)) < EXACT
        total += ranker.loaded.encode(asked)["input_ids"].shape[1]
    assert (ranker.memory.computed - before) / total < 0.7
    assert ranker.memory.encoded - encoded <= 1


def test_circular_shifts_share_the_picture_wherever_it_is(vision):
    for first in (True, False):
        ranker = LocalRanker(vision)
        before = ranker.memory.encoded
        for asked in shifts(vision, picture_first=first):
            reference = plain_sums(ranker, asked, LETTERS, count_end=False)
            assert apart(ranker.rank(asked, LETTERS, count_end=False).sums, reference) < EXACT
        assert ranker.memory.encoded - before == 1


def test_a_picture_is_prepared_once(vision):
    encoded = [
        vision.encode(ask(vision, text, seen=seen)) for text in ("一", "二") for seen in (picture(), picture(seed=5))
    ]
    ranker = LocalRanker(vision)
    again = [
        ranker.loaded.encode(ask(vision, text, seen=seen))
        for text in ("一", "二")
        for seen in (picture(), picture(seed=5))
    ]
    for one, other in zip(encoded, again, strict=True):
        assert one.keys() == other.keys()
        assert all(torch.equal(one[name], other[name]) for name in one)


def test_only_equal_pixels_and_options_are_remembered():
    calls = []

    class Preparing:
        def preprocess(self, images, *args, **options):
            calls.append(images)
            return {"pixel_values": len(calls), "sizes": [1]}

    processor = Preparing()
    remember_newest(processor)
    remember_newest(processor)
    first = processor.preprocess([picture()], size=1)
    assert first.pop("sizes")  # as processors do
    assert processor.preprocess([picture()], size=1) == {"pixel_values": 1, "sizes": [1]}
    for images, options in (
        ([picture(seed=1)], {"size": 1}),
        ([picture()], {"size": 1}),
        ([picture()], {"size": 2}),
        ([[picture()]], {"size": 2}),
        ([picture().convert("L")], {"size": 2}),
        ([picture(), picture()], {"size": 2}),
        (["a path"], {}),
        (["a path"], {}),
    ):
        before = len(calls)
        processor.preprocess(images, **options)
        assert len(calls) == before + 1


def test_shifts_together_are_what_they_are_alone(ranker):
    model = ranker.loaded
    for first in (True, False):
        asks = list(shifts(model, picture_first=first))
        for candidates, count_end in ((LETTERS, False), (CANDIDATES[:3], True)):
            together = ranker.rank_all(asks, candidates, count_end=count_end)
            for asked, ranked in zip(asks, together, strict=True):
                alone = ranker.rank(asked, candidates, count_end=count_end)
                assert apart(ranked.sums, alone.sums) < EXACT
                assert (ranked.tokens, ranked.bytes) == (alone.tokens, alone.bytes)
    assert apart(together[0].sums, plain_sums(ranker, asks[0], CANDIDATES[:3])) < EXACT
    # Prompts about different pictures have nothing to share.
    two = [ask(model, seen=picture(seed=seed)) for seed in (0, 1)]
    assert [one.sums for one in ranker.rank_all(two, LETTERS)] == [
        pytest.approx(ranker.rank(asked, LETTERS).sums, abs=EXACT) for asked in two
    ]


def test_the_order_of_questions_does_not_matter(model):
    ranker = LocalRanker(model)
    asks = [*rounds(model, 3), *list(shifts(model))[:2]]
    forwards = [ranker.rank(asked, CANDIDATES).sums for asked in asks]
    backwards = [ranker.rank(asked, CANDIDATES).sums for asked in reversed(asks)][::-1]
    assert all(apart(one, other) < EXACT for one, other in zip(forwards, backwards, strict=True))
    # The same prompt again costs nothing.
    computed = ranker.memory.computed
    ranker.rank(asks[0], CANDIDATES)
    assert ranker.memory.computed == computed


def test_prompts_with_and_without_a_picture_alternate(vision):
    ranker = LocalRanker(vision)
    text = Ask((Message("user", (QUESTION,)),))
    for asked in (text, ask(vision), text, ask(vision, seen=picture(84, 84, seed=3)), ask(vision), text):
        assert apart(ranker.rank(asked, CANDIDATES).sums, plain_sums(ranker, asked, CANDIDATES)) < EXACT


@pytest.fixture(scope="module", params=[*SLIDING, *RECURRENT])
def other_layers(request, tmp_path_factory):
    write = {**SLIDING, **RECURRENT}[request.param]
    return LanguageModel.load(write(tmp_path_factory.mktemp("layers") / request.param))


def test_layers_without_full_attention_go_by_rows(other_layers):
    ranker = LocalRanker(other_layers)
    assert ranker.route == "cached"
    for asked in (*rounds(other_layers, 2), ask(other_layers)):
        ranked = ranker.rank(asked, CANDIDATES)
        assert apart(ranked.sums, plain_sums(ranker, asked, CANDIDATES)) < EXACT
        # The prefix was not changed by what continued it.
        assert ranker.rank(asked, CANDIDATES) == ranked


def test_a_model_that_takes_no_cache_goes_by_plain_passes(tiny, monkeypatch):
    model = tiny("text")
    inner = type(model.model)

    class Uncached(inner):
        def forward(self, input_ids=None, attention_mask=None, use_cache=None, logits_to_keep=0):
            return inner.forward(
                self, input_ids=input_ids, attention_mask=attention_mask, logits_to_keep=logits_to_keep, use_cache=False
            )

    monkeypatch.setattr(model.model, "__class__", Uncached)
    ranker = LocalRanker(model)
    assert ranker.route == "plain"
    assert ranker.rank(ask(model), LETTERS).tokens == (2, 2, 2, 2)


def test_a_route_that_differs_is_refused(model, monkeypatch):
    right = routes.packed
    monkeypatch.setattr(routes, "packed", lambda *args, **more: [value - 0.01 for value in right(*args, **more)])
    with pytest.raises(RouteDiffers, match=r"by the route packed than by plain passes: 0\.01 nats"):
        LocalRanker(model)
    monkeypatch.setattr(routes, "packed", lambda *args, **more: [float("nan") for _ in right(*args, **more)])
    with pytest.raises(RouteDiffers):
        LocalRanker(model)
    LocalRanker(model, route="cached")


def test_the_record_names_route_and_number_type(model):
    facts = LocalRanker(model).describe()
    assert (facts["route"], facts["dtype"]) == ("packed", "float32")
    assert 0 <= facts["route_difference"] < EXACT
    assert facts["reply_end"] == model.tokenizer.eos_token


def test_an_empty_candidate_is_refused(tiny):
    with pytest.raises(SystemRefusedInput, match="empty"):
        LocalRanker(tiny("text")).rank(ask(tiny("text")), ["A", ""])


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError("CUDA"), RuntimeError("DefaultCPUAllocator: can't allocate memory")]
)
@pytest.mark.parametrize("route", ["packed", "cached"])
@pytest.mark.parametrize("together", [False, True])
def test_memory_that_runs_out_halves_the_passes_once(tiny, monkeypatch, error, route, together):
    loaded = tiny("text")
    ranker, model = LocalRanker(loaded, route=route), loaded.model
    asks = list(shifts(loaded))[:2]

    def sums():
        if together:
            return [value for ranked in ranker.rank_all(asks, CANDIDATES) for value in ranked.sums]
        return list(ranker.rank(asks[0], CANDIDATES).sums)

    reference = sums()
    forward, sizes, most = model.forward, [], [10**6]

    def limited(*args, input_ids, **more):
        if "logits_to_keep" not in more:  # a pass of candidates, not of a prompt
            sizes.append(input_ids.numel())
            if input_ids.numel() > most[0]:
                raise error
        return forward(*args, input_ids=input_ids, **more)

    monkeypatch.setattr(model, "forward", limited)
    assert apart(sums(), reference) < EXACT
    largest = max(sizes)
    most[0] = largest * 2 // 3
    assert apart(sums(), reference) < EXACT
    assert ranker.describe()["halved"] is True
    assert ranker.budget == routes.PASS_BYTES // 2
    sizes.clear()
    assert apart(sums(), reference) < EXACT
    assert max(sizes) <= most[0]  # passes stay small
    most[0] = 0
    with pytest.raises(
        ModelOutOfMemory,
        match=r"The memory ran out while .+ \d+ replies of up to \d+ tokens",
    ):
        sums()


def test_what_was_computed_is_let_go_before_it_is_computed_again(tiny, monkeypatch):
    ranker = LocalRanker(tiny("text"))
    reference = ranker.rank(ask(tiny("text")), CANDIDATES)
    right, held, alive = routes.packed, [], []

    def packed(*args, **more):
        if held:
            alive.append(held[0]() is not None)
            return right(*args, **more)
        logits = torch.zeros(4)
        held.append(weakref.ref(logits))
        raise torch.OutOfMemoryError

    monkeypatch.setattr(routes, "packed", packed)
    assert apart(ranker.rank(ask(tiny("text")), CANDIDATES).sums, reference.sums) < EXACT
    assert alive == [False]


def test_another_error_is_not_taken_for_a_lack_of_memory(tiny, monkeypatch):
    ranker = LocalRanker(tiny("text"))

    def packed(*args, **more):
        raise RuntimeError("shape")

    monkeypatch.setattr(routes, "packed", packed)
    with pytest.raises(RuntimeError, match="shape"):
        ranker.rank(ask(tiny("text")), CANDIDATES)
    assert ranker.halved is False
