"""Every known way to compute likelihoods wrongly, broken on purpose: the difference is seen, and ours has none.

Most of these raise nothing: a model that is continued at wrong positions still gives numbers.
"""

import copy

import pytest
import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import DynamicCache, PreTrainedTokenizerFast

from evaluation.backends import prefixes, routes
from evaluation.backends.candidates import ReplyFrame, split
from evaluation.backends.errors import RouteDiffers
from evaluation.backends.likelihood import TOLERANCE, LocalRanker
from evaluation.backends.prefixes import Prefix, PrefixMemory, prefill
from evaluation.backends.vision_language import LanguageModel
from tests.evaluation.backends.ranking import CANDIDATES, LETTERS, apart, ask, plain_sums, unchecked
from tests.evaluation.backends.tiny_layers import RECURRENT, SLIDING
from tests.evaluation.backends.tiny_models import picture

EXACT = 1e-4
#: Differences that would move ranks.
SEEN = 0.05
FEW = ("qwen2.5-vl", "llava", "internvl", "text")
#: The families with positions in a grid.
GRID = ("qwen2-vl", "qwen2.5-vl", "qwen3-vl")


@pytest.fixture(scope="module", params=FEW)
def model(request, tiny):
    return tiny(request.param)


@pytest.fixture(scope="module", params=FEW[:3])
def vision(request, tiny):
    return tiny(request.param)


@pytest.fixture(scope="module", params=GRID)
def grid(request, tiny):
    return tiny(request.param)


def prepared(model, candidates=CANDIDATES, **more):
    """A ranker, the inputs of a prompt, the candidates' tokens, and the sums by plain passes."""
    ranker = LocalRanker(model)
    inputs, suffixes = ranker._split(ask(model, **more), candidates, count_end=True)
    return ranker, inputs, suffixes, routes.plain(model.model, inputs, suffixes)


def continued(model, inputs, tokens, **named):
    """Continue a prompt by some tokens; their logits."""
    cache = DynamicCache(config=model.model.config)
    with torch.inference_mode():
        model.model(**inputs, past_key_values=cache, use_cache=True)
        return model.model(input_ids=torch.tensor([tokens]), past_key_values=cache, use_cache=True, **named).logits


# --- Positions --------------------------------------------------------------------------------------------------------


def test_without_the_kinds_of_tokens_positions_are_wrong(grid):
    _, inputs, suffixes, reference = prepared(grid)
    without = {name: value for name, value in inputs.items() if name != "mm_token_type_ids"}
    with pytest.raises(ValueError, match="mm_token_type_ids are missing"):
        prefill(grid.model, without)
    grid.model.model.rope_deltas = None
    if grid.model.config.model_type != "qwen2_5_vl":
        with pytest.raises(ValueError, match="mm_token_type_ids"):
            routes.plain(grid.model, without, suffixes)
    else:  # this class refuses nothing and computes something else
        assert apart(routes.plain(grid.model, without, suffixes), reference) > SEEN


def test_a_picture_has_fewer_positions_than_tokens(grid):
    _, inputs, suffixes, reference = prepared(grid)
    prefix = prefill(grid.model, inputs)
    assert prefix.delta < 0
    wrong = Prefix(prefix.ids, prefix.cache, 0, prefix.axes, prefix.logits)
    for route in (routes.packed, routes.cached):
        assert apart(route(grid.model, prefix, suffixes), reference) < EXACT
        assert apart(route(grid.model, wrong, suffixes), reference) > SEEN


def test_the_model_remembers_the_positions_of_whatever_ran_last(grid):
    ranker, inputs, suffixes, reference = prepared(grid)
    other = grid.encode(ask(grid, seen=picture(56, 56, seed=3)))
    tokens = suffixes[0][:-1]
    right = continued(grid, inputs, tokens)
    cache = DynamicCache(config=grid.model.config)
    with torch.inference_mode():
        grid.model(**inputs, past_key_values=cache, use_cache=True)
        grid.model(**other, use_cache=False)
        stale = grid.model(input_ids=torch.tensor([tokens]), past_key_values=cache, use_cache=True).logits
    assert float((stale - right).abs().max()) > SEEN
    # Ours is continued after another picture ran.
    prefix = prefill(grid.model, inputs)
    with torch.inference_mode():
        grid.model(**other, use_cache=False)
    assert apart(ranker._sums(inputs, suffixes), reference) < EXACT
    assert apart(routes.packed(grid.model, prefix, suffixes), reference) < EXACT


def test_a_mask_over_everything_needs_positions(grid):
    _, inputs, suffixes, _ = prepared(grid)
    whole = torch.ones(1, inputs["input_ids"].shape[1] + len(suffixes[0]), dtype=torch.long)
    continued(grid, inputs, suffixes[0])
    with pytest.raises(RuntimeError):
        continued(grid, inputs, suffixes[0], attention_mask=whole)


def test_a_tree_needs_the_depths_as_positions(model, monkeypatch):
    _, inputs, suffixes, reference = prepared(model)
    prefix = prefill(model.model, inputs)
    assert apart(routes.packed(model.model, prefix, suffixes), reference) < EXACT
    right = Prefix.positions
    monkeypatch.setattr(
        Prefix,
        "positions",
        lambda self, indices, rows=1: right(self, len(self.ids) + torch.arange(len(indices)), rows),
    )
    assert apart(routes.packed(model.model, prefix, suffixes), reference) > SEEN


def test_a_tree_needs_its_mask(model, monkeypatch):
    _, inputs, suffixes, reference = prepared(model)
    prefix = prefill(model.model, inputs)
    monkeypatch.setattr(
        routes._Tree, "hidden", lambda self: torch.ones(len(self.tokens), len(self.tokens)).triu(1).bool()
    )
    assert apart(routes.packed(model.model, prefix, suffixes), reference) > SEEN


def test_candidates_are_padded_on_the_right(model, monkeypatch):
    _, inputs, suffixes, reference = prepared(model)
    prefix = prefill(model.model, inputs)
    assert apart(routes.cached(model.model, prefix, suffixes), reference) < EXACT
    width = max(map(len, suffixes)) - 1
    padded = [[0] * (width + 1 - len(suffix)) + suffix for suffix in suffixes]
    lengths = [width + 1 - len(suffix) for suffix in suffixes]
    with torch.inference_mode():
        logits = model.model(
            input_ids=torch.tensor([row[:-1] for row in padded]),
            attention_mask=torch.ones(len(padded), len(prefix.ids) + width, dtype=torch.long),
            position_ids=prefix.positions(torch.arange(len(prefix.ids), len(prefix.ids) + width), len(padded)),
            past_key_values=routes._rows(prefix.cache, len(padded)),
            use_cache=True,
        ).logits
    firsts = torch.log_softmax(prefix.logits, -1)
    wrong = []
    for row, skipped, tokens in zip(logits, lengths, padded, strict=True):
        values = torch.log_softmax(row[skipped:].float(), -1)
        later = sum(float(values[i, token]) for i, token in enumerate(tokens[skipped + 1 :]))
        wrong.append(float(firsts[tokens[skipped]]) + later)
    assert apart(wrong, reference) > SEEN


# --- Caches -----------------------------------------------------------------------------------------------------------


def test_a_cache_is_cut_by_a_negative_number(model):
    _, inputs, _, _ = prepared(model)
    cache = prefill(model.model, inputs).cache
    length = cache.get_seq_length()
    with pytest.raises(ValueError, match="positive"):
        cache.crop(length - 2)
    cache.crop(-2)
    assert cache.get_seq_length() == length - 2


def test_another_picture_has_the_same_tokens(vision, monkeypatch):
    first, second = (ask(vision, seen=picture(seed=seed)) for seed in (0, 1))
    assert vision.encode(first)["input_ids"].tolist() == vision.encode(second)["input_ids"].tolist()
    ranker = LocalRanker(vision)
    reference = plain_sums(ranker, second, CANDIDATES)
    ranker.rank(first, CANDIDATES)
    assert apart(ranker.rank(second, CANDIDATES).sums, reference) < EXACT
    ranker.rank(first, CANDIDATES)
    monkeypatch.setattr(prefixes, "_equal", lambda *_: True)
    assert apart(ranker.rank(second, CANDIDATES).sums, reference) > SEEN


def test_features_of_another_picture_are_not_used(vision, monkeypatch):
    first, second = (ask(vision, seen=picture(seed=seed), picture_first=False) for seed in (0, 1))
    ranker = LocalRanker(vision)
    reference = plain_sums(ranker, second, CANDIDATES)
    ranker.rank(first, CANDIDATES)
    assert apart(ranker.rank(second, CANDIDATES).sums, reference) < EXACT
    ranker.rank(first, CANDIDATES)
    monkeypatch.setattr(prefixes, "_all_equal", lambda *_: True)
    assert apart(ranker.rank(second, CANDIDATES).sums, reference) > SEEN


def test_a_picture_is_never_cut(vision):
    """Prompts that part before or within a picture share nothing of it."""
    ranker = LocalRanker(vision)
    for text in ("前面的问题不同", "前面的另一个问题"):
        asked = ask(vision, text, picture_first=False)
        assert apart(ranker.rank(asked, CANDIDATES).sums, plain_sums(ranker, asked, CANDIDATES)) < EXACT
    memory = PrefixMemory(vision.model)
    small, large = (vision.encode(ask(vision, seen=picture(size, size))) for size in (56, 168))
    memory.after(small)
    memory.after(large)
    assert memory.computed == small["input_ids"].shape[1] + large["input_ids"].shape[1]


def test_an_error_forgets_the_prefix(model, monkeypatch):
    ranker = LocalRanker(model)
    ranker.rank(ask(model, "一"), CANDIDATES)
    monkeypatch.setattr(PrefixMemory, "_continued", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ranker.rank(ask(model, "一二"), CANDIDATES)
    monkeypatch.undo()
    asked = ask(model, "一二")
    assert apart(ranker.rank(asked, CANDIDATES).sums, plain_sums(ranker, asked, CANDIDATES)) < EXACT


@pytest.fixture(scope="module", params=SLIDING)
def sliding(request, tmp_path_factory):
    return LanguageModel.load(SLIDING[request.param](tmp_path_factory.mktemp("sliding") / request.param))


@pytest.fixture(scope="module", params=RECURRENT)
def recurrent(request, tmp_path_factory):
    return LanguageModel.load(RECURRENT[request.param](tmp_path_factory.mktemp("recurrent") / request.param))


def test_a_tree_would_lose_the_window(sliding, monkeypatch):
    with pytest.raises(ValueError, match="full attention"):
        LocalRanker(sliding, route="packed")
    ranker, inputs, suffixes, reference = prepared(sliding)
    assert apart(ranker._sums(inputs, suffixes), reference) < EXACT
    prefix = prefill(sliding.model, inputs)
    monkeypatch.setattr(routes, "is_full_attention", lambda _: True)
    # The layers kept fewer keys than the mask has columns; where a prompt is shorter than the window nothing is raised.
    with pytest.raises(RuntimeError, match=r"size|shape"):
        routes.packed(sliding.model, prefix, suffixes)


def test_a_tree_has_no_mask_in_a_recurrent_layer(recurrent, monkeypatch):
    with pytest.raises(ValueError, match="full attention"):
        LocalRanker(recurrent, route="packed")
    ranker, inputs, suffixes, reference = prepared(recurrent)
    assert apart(ranker._sums(inputs, suffixes), reference) < EXACT
    prefix = prefill(recurrent.model, inputs)
    monkeypatch.setattr(routes, "is_full_attention", lambda _: True)
    monkeypatch.setattr(routes, "_rows", lambda cache, _: copy.deepcopy(cache))
    assert apart(routes.packed(recurrent.model, prefix, suffixes), reference) > SEEN


def test_only_reordering_repeats_a_recurrent_layer(recurrent):
    _, inputs, _, _ = prepared(recurrent)
    cache = prefill(recurrent.model, inputs).cache
    with pytest.raises(AttributeError):
        copy.deepcopy(cache).batch_repeat_interleave(3)
    assert routes._rows(cache, 3) is not cache


def test_what_continues_a_recurrent_cache_changes_it(recurrent):
    _, inputs, suffixes, reference = prepared(recurrent)
    prefix = prefill(recurrent.model, inputs)
    assert apart(routes.cached(recurrent.model, prefix, suffixes), reference) < EXACT
    assert apart(routes.cached(recurrent.model, prefix, suffixes), reference) < EXACT
    with torch.inference_mode():
        recurrent.model(
            input_ids=torch.tensor([suffixes[0]]),
            position_ids=prefix.positions(torch.arange(len(prefix.ids), len(prefix.ids) + len(suffixes[0]))),
            past_key_values=prefix.cache,
            use_cache=True,
        )
    changed = Prefix(prefix.ids, prefix.cache, 0, 1, prefix.logits)
    try:
        wrong = routes.cached(recurrent.model, changed, suffixes)
    except (RuntimeError, ValueError):
        return
    assert apart(wrong, reference) > SEEN


# --- Numbers ----------------------------------------------------------------------------------------------------------


def test_routes_are_not_interchangeable_in_half_precision(tiny):
    """The difference is recorded; a run keeps one route and one number type."""
    differences = []
    for family in ("qwen2-vl", "qwen2.5-vl", "llava", "text"):
        half = copy.copy(tiny(family))
        half.model = copy.deepcopy(half.model).to(torch.bfloat16)
        half.dtype = torch.bfloat16
        ranker = LocalRanker(half)
        facts = ranker.describe()
        assert (facts["dtype"], facts["route"]) == ("bfloat16", "packed")
        asked = ask(half)
        differences.append(apart(ranker.rank(asked, CANDIDATES).sums, plain_sums(ranker, asked, CANDIDATES)))
    assert min(differences) > TOLERANCE  # in float32 this would be refused


def test_log_probabilities_are_float32_in_half_precision():
    logits = torch.randn(3, 5000, generator=torch.Generator().manual_seed(0)).to(torch.bfloat16)
    exact = torch.log_softmax(logits.double(), -1)
    ours = routes._log_probabilities(logits, [[7], [], [8, 9]])
    assert ours == [pytest.approx(row, abs=1e-5) for row in ([float(exact[0, 7])], [], exact[2, 8:10].tolist())]
    coarse = torch.log_softmax(logits, -1)
    assert abs(float(coarse[0, 7]) - ours[0][0]) > 1e-3


def test_division_by_length_changes_ranks(tiny):
    """Nothing is divided here: what is compared is named where ranks are made."""
    for family in ("qwen2-vl", "qwen2.5-vl", "llava", "text"):
        model = tiny(family)
        ranked = LocalRanker(model).rank(ask(model), CANDIDATES)
        by_sum = sorted(range(len(CANDIDATES)), key=lambda i: -ranked.sums[i])
        by_mean = sorted(range(len(CANDIDATES)), key=lambda i: -ranked.sums[i] / ranked.tokens[i])
        assert by_sum != by_mean


def test_the_end_token_changes_sums(model):
    ranker = LocalRanker(model)
    counted, not_counted = (ranker.rank(ask(model), CANDIDATES, count_end=end) for end in (True, False))
    ends = [one - other for one, other in zip(counted.sums, not_counted.sums, strict=True)]
    assert all(end < 0 for end in ends)
    assert max(ends) - min(ends) > SEEN


# --- Tokens -----------------------------------------------------------------------------------------------------------


def qwen_pieces():
    """A tokenizer that cuts texts as Qwen's does, so that a colon and the letter behind it are one piece."""
    tokenizer = Tokenizer(models.BPE())
    pattern = Regex(r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(pattern, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(["答案:A 答案:B 答案: A 答案:这个男人"] * 9, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="!")


def merged(tokenizer, end, candidates):
    """Split a prompt that no special token ends, as CVLUE's template does; which candidates are other tokens alone."""
    prompt = tokenizer(f"问题: 砖墙是什么颜色的? {end}", add_special_tokens=False)["input_ids"]
    parts = split(tokenizer, prompt, candidates, ReplyFrame("", 0), count_end=False)
    assert parts.kept <= len(prompt)
    others = []
    for candidate, suffix in zip(candidates, parts.suffixes, strict=True):
        whole = tokenizer(f"问题: 砖墙是什么颜色的? {end}{candidate}", add_special_tokens=False)["input_ids"]
        assert suffix
        assert parts.prefix + suffix == whole  # as the model would read it
        if whole != prompt + tokenizer(candidate, add_special_tokens=False)["input_ids"]:
            others.append(candidate)
    return others


def test_tokens_merge_across_the_end_of_a_prompt():
    tokenizer = qwen_pieces()
    assert tokenizer.tokenize("答案:A")[-1] == ":A"
    assert merged(tokenizer, "答案:", ["A", "这个男人", "2", "\n"]) == ["A", "这个男人"]
    assert merged(tokenizer, "答案: ", ["A", "这个男人"]) == ["A"]


def test_a_blank_at_the_end_of_a_prompt_merges(model):
    assert merged(model.tokenizer, "答案: ", ["A", "B", " A"])
    assert merged(model.tokenizer, "答案:", ["A", "B"]) == []


def test_behind_the_chat_template_nothing_merges(model):
    ranker = LocalRanker(model)
    prompt = model.encode(ask(model))["input_ids"][0].tolist()
    inputs, suffixes = ranker._split(ask(model), LETTERS, count_end=False)
    assert {len(suffix) for suffix in suffixes} == {1}
    assert inputs["input_ids"][0].tolist() == prompt[: inputs["input_ids"].shape[1]]


def test_a_candidate_cannot_write_special_tokens(model):
    ranker = LocalRanker(model)
    end = model.tokenizer.convert_ids_to_tokens(ranker.frame.end)
    _, (plain, marked) = ranker._split(ask(model), ["是的", f"是的{end}"], count_end=True)
    assert plain.count(ranker.frame.end) == marked.count(ranker.frame.end) == 1
    assert len(marked) > len(plain) + 1


def test_a_check_sees_a_model_that_counts_positions_by_the_mask(tiny, monkeypatch):
    """A wrong delta is seen when the model is loaded, before anything is ranked."""
    right = prefixes.prompt_positions

    def shifted(model, inputs):
        positions, delta, axes = right(model, inputs)
        return positions, delta + 1, axes

    monkeypatch.setattr(prefixes, "prompt_positions", shifted)
    for family in FEW:
        for route in ("packed", "cached"):
            with pytest.raises(RouteDiffers):
                LocalRanker(tiny(family), route=route)
    assert unchecked(tiny("text"), "cached").route == "cached"
