"""Replies of loaded models; every test for all families unless it says why not."""

import re

import pytest
import torch
from tokenizers import AddedToken

from curation.prompts.rules import Message, Picture
from evaluation.backends import generate, memory
from evaluation.backends.asks import Ask, Decoding
from evaluation.backends.errors import InputTooLong, ModelOutOfMemory
from evaluation.backends.generate import LocalGenerator, joined
from evaluation.backends.registry import BACKENDS
from evaluation.backends.vision_language import LanguageModel
from tests.evaluation.backends.tiny_models import FAMILIES, TILED, picture, write_text

SHORT = Decoding(max_tokens=6)


@pytest.fixture(params=[*FAMILIES, *TILED])
def loaded(request, tiny):
    return tiny(request.param)


def question(text="?"):
    return Ask((Message("user", (text,)),))


def asks(loaded):
    """Prompts of several lengths, with pictures of several sizes and numbers where the model reads any, and without."""
    texts = ["图中有什么?", "这个男人穿着什么样的衣服?" * 4]
    plain = [Ask((Message("user", (text,)),)) for text in texts]
    if loaded.processor is None:
        return [*plain, question("A or B?"), question("Options: A B C D")]
    seen = [
        Ask((Message("user", (Picture(), text)),), picture=picture(56 + 56 * i, 84, seed=i), picture_key=str(i))
        for i, text in enumerate(texts)
    ]
    chat = (
        Message("user", (Picture(0), "一")),
        Message("assistant", ("答案: A",)),
        Message("user", (Picture(), "二")),
    )
    shown = Ask(chat, picture=picture(seed=7), shots=(picture(seed=8),))
    return [*seen, shown, *plain]


def one_by_one(loaded, asked, decoding):
    return [LocalGenerator(loaded).generate([ask], decoding)[0] for ask in asked]


def test_a_batch_replies_as_single_prompts_do(loaded):
    asked = asks(loaded)
    replies = LocalGenerator(loaded).generate(asked, SHORT)
    assert replies == one_by_one(loaded, asked, SHORT)
    assert len({reply.text for reply in replies}) > 1  # the models' replies depend on the prompt
    assert [reply.tokens_in for reply in replies] == [loaded.encode(ask)["input_ids"].shape[1] for ask in asked]


def joined_on_the_right(prompts, pad):
    longest = max(inputs["input_ids"].shape[1] for inputs in prompts)
    batch = joined(prompts, pad)
    for name, rows in batch.items():
        if name in generate._OF_TOKENS:
            lengths = [inputs["input_ids"].shape[1] for inputs in prompts]
            batch[name] = torch.stack([row.roll(length - longest) for row, length in zip(rows, lengths, strict=True)])
    return batch


def test_prompts_padded_on_the_right_would_get_other_replies(loaded, monkeypatch):
    """Nothing is raised: the model continues the padding."""
    asked = asks(loaded)
    alone = one_by_one(loaded, asked, SHORT)
    assert LocalGenerator(loaded).generate(asked, SHORT) == alone
    monkeypatch.setattr(generate, "joined", joined_on_the_right)
    assert LocalGenerator(loaded).generate(asked, SHORT) != alone


def test_a_draw_depends_on_its_seed_and_prompt_alone(loaded):
    asked = asks(loaded)
    warm = Decoding(temperature=1.5, max_tokens=5, seed=3)
    replies = LocalGenerator(loaded).generate(asked, warm)
    assert replies == one_by_one(loaded, asked, warm)
    assert replies == LocalGenerator(loaded).generate(asked[::-1], warm)[::-1]
    assert replies != LocalGenerator(loaded).generate(asked, Decoding(temperature=1.5, max_tokens=5, seed=4))
    assert replies != LocalGenerator(loaded).generate(asked, Decoding(max_tokens=5))


def test_a_reply_is_what_the_plain_model_writes(loaded):
    """The reference: the whole text again for each token, no cache, no batch, nothing of transformers' generation."""
    ask = asks(loaded)[0]
    inputs = loaded.encode(ask)
    start = inputs["input_ids"].shape[1]
    for _ in range(SHORT.max_tokens):
        with torch.inference_mode():
            logits = loaded.model(**inputs, use_cache=False).logits
        token = logits[:, -1:].argmax(-1)
        added = {"input_ids": token, "attention_mask": torch.ones_like(token)}
        added["mm_token_type_ids"] = torch.zeros_like(token)
        for name in added.keys() & inputs.keys():
            inputs[name] = torch.cat([inputs[name], added[name]], 1)
        if int(token) in loaded.ends:
            break
    written = inputs["input_ids"][0, start:].tolist()
    (reply,) = LocalGenerator(loaded).generate([ask], SHORT)
    assert (reply.text, reply.tokens_out) == (loaded.tokenizer.decode(written, skip_special_tokens=True), len(written))


def test_neither_prompt_nor_special_tokens_are_in_a_reply(loaded):
    asked = asks(loaded)
    for ask, reply in zip(asked, LocalGenerator(loaded).generate(asked, Decoding(max_tokens=20)), strict=True):
        assert not any(token in reply.text for token in loaded.tokenizer.all_special_tokens)
        assert ask.messages[-1].text not in reply.text


# --- The end of a reply -----------------------------------------------------------------------------------------------


class Scripted:
    """A model that writes given rows after any prompt."""

    def __init__(self, model, rows):
        self.config, self.rows, self.sizes = model.config, list(rows), []

    def generate(self, input_ids, **_):
        self.sizes.append(len(input_ids))
        rows = [self.rows.pop(0) for _ in input_ids]
        longest = max(map(len, rows))
        ends = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        return torch.cat([input_ids, ends], 1)


@pytest.fixture
def text(tiny):
    return tiny("text")


@pytest.fixture
def writes(text, monkeypatch):
    """A generator whose model writes given rows of tokens."""

    def make(*rows):
        generator = LocalGenerator(text)
        monkeypatch.setattr(text, "model", Scripted(text.model, rows))
        return generator

    return make


def test_a_reply_ends_at_its_end_token_or_at_its_limit(text, writes):
    (end,) = text.ends
    word = text.tokenizer("答案: B")["input_ids"]
    start = text.tokenizer.convert_tokens_to_ids("<|im_start|>")
    generator = writes([*word, end, *word], word, [end], [start, *word, end])
    replies = [generator.generate([question()], SHORT)[0] for _ in range(4)]
    assert [(reply.text, reply.finish, reply.tokens_out) for reply in replies] == [
        ("答案: B", "stop", len(word) + 1),
        ("答案: B", "length", len(word)),
        ("", "stop", 1),
        ("答案: B", "stop", len(word) + 2),
    ]


@pytest.mark.parametrize(
    "reply",
    [
        "<|object_ref_start|>左边的熊猫<|object_ref_end|><|box_start|>(102,505),(589,605)<|box_end|>",
        "<ref>左边的熊猫</ref><box>[[102, 505, 589, 605]]</box>",
    ],
)
def test_tokens_that_mark_boxes_stay_in_a_reply(tmp_path, monkeypatch, reply):
    """They are special tokens in Qwen2-VL and InternVL, and decoding drops those."""
    loaded = LanguageModel.load(write_text(tmp_path))
    marks = re.findall(r"<.*?>", reply)
    loaded.tokenizer.add_tokens([AddedToken(mark, special=True, normalized=False) for mark in marks])
    row = loaded.tokenizer(f"<|im_start|>{reply}<|endoftext|>")["input_ids"]
    assert marks[0] not in loaded.tokenizer.decode(row, skip_special_tokens=True)
    (end,) = loaded.ends
    monkeypatch.setattr(loaded, "model", Scripted(loaded.model, [[*row, end]]))
    assert LocalGenerator(loaded).generate([question()], SHORT)[0].text == reply


@pytest.mark.parametrize(
    ("family", "max_pixels", "sizes"),
    [
        # Both sides are multiples of 28, or of 32 for Qwen3-VL, and the model's limit is 28 × 28 × 64 pixels.
        ("qwen2-vl", None, [(308, 140), (56, 84)]),
        ("qwen2.5-vl", None, [(308, 140), (56, 84)]),
        ("qwen3-vl", None, [(288, 128), (64, 96)]),
        # 840 × 420 is brought to 118 × 59 first.
        ("qwen2.5-vl", 84 * 84, [(112, 56), (56, 84)]),
        # These do not say to which size they resize a picture.
        ("llava", None, [(840, 420), (60, 90)]),
        ("internvl", 84 * 84, [(118, 59), (60, 90)]),
    ],
)
def test_a_reply_has_the_size_of_the_picture_that_the_model_read(tmp_path, family, max_pixels, sizes):
    loaded = LanguageModel.load(FAMILIES[family](tmp_path), max_pixels=max_pixels)
    shown = (Message("user", (Picture(0), "一")), Message("assistant", ("A",)), Message("user", (Picture(), "二")))
    large, small = picture(840, 420), picture(60, 90)
    asked = [
        Ask((Message("user", (Picture(), "?")),), picture=large),
        Ask(shown, picture=small, shots=(large,)),
        Ask(shown, picture=small, shots=(None,)),
        Ask((Message("user", ("?",)),), picture=large),
        question(),
    ]
    replies = LocalGenerator(loaded).generate(asked, Decoding(max_tokens=1))
    assert [reply.picture_size for reply in replies] == [sizes[0], sizes[1], sizes[1], None, None]


def test_a_long_prompt_shortens_the_reply_and_may_leave_none(tmp_path):
    loaded = LanguageModel.load(write_text(tmp_path))
    loaded.longest = loaded.encode(question())["input_ids"].shape[1] + 3
    (reply,) = LocalGenerator(loaded).generate([question()], SHORT)
    assert (reply.finish, reply.tokens_out) in {("length", 3), ("stop", reply.tokens_out)}
    with pytest.raises(InputTooLong):
        LocalGenerator(loaded).generate([question("????")], SHORT)


def test_the_makers_settings_of_generation_change_nothing(tmp_path, text):
    """Published checkpoints bring a penalty on repetition, and a temperature, along."""
    loaded = LanguageModel.load(write_text(tmp_path))
    loaded.model.generation_config.repetition_penalty = 5.0
    asked, decoding = [question("A" * 20)], Decoding(max_tokens=24)
    expected = LocalGenerator(text).generate(asked, decoding)
    assert LocalGenerator(loaded).generate(asked, decoding) != expected  # the penalty matters for this prompt
    loaded.model.generation_config.save_pretrained(tmp_path)
    assert LocalGenerator(LanguageModel.load(tmp_path)).generate(asked, decoding) == expected


# --- Batches and memory -----------------------------------------------------------------------------------------------


def test_batches_are_of_similar_length_and_fit_the_plan(text, writes):
    (end,) = text.ends
    generator = writes(*[[end]] * 7)
    lengths = [text.encode(question("?" * n))["input_ids"].shape[1] for n in (1, 60)]
    generator.plan = memory.Plan(batch=4, tokens=2 * (lengths[1] + SHORT.max_tokens))
    asked = [question("?" * n) for n in (60, 1, 2, 59, 3, 4, 58)]
    generator.generate(asked, SHORT)
    assert generator.loaded.model.sizes == [4, 2, 1]


class Limited(Scripted):
    """A model that writes no more than it may."""

    def generate(self, input_ids, max_new_tokens, **_):
        written = super().generate(input_ids)[:, : input_ids.shape[1] + max_new_tokens]
        self.positions = [*getattr(self, "positions", []), written.shape[1]]
        return written


def test_prompts_near_the_longest_position_share_a_batch(text, monkeypatch):
    """A reply that the batch's shortest limit cut begins again, up to its own limit."""
    (end,) = text.ends
    word = text.tokenizer("答案: B")["input_ids"]
    asked = [question("?" * n) for n in (1, 2, 3, 3)]
    lengths = [text.encode(ask)["input_ids"].shape[1] for ask in asked]
    assert sorted(lengths) == lengths
    monkeypatch.setattr(text, "longest", lengths[-1] + 2)
    limits = [text.longest - length for length in lengths]
    assert limits[0] > limits[1] > limits[2] == limits[3] == 2
    rows = [[*word] * 2, [word[0], end], [*word], [end], [*word] * 2]
    monkeypatch.setattr(text, "model", Limited(text.model, rows))
    replies = LocalGenerator(text).generate(asked, Decoding(max_tokens=100))
    assert text.model.sizes == [4, 1]
    assert text.model.positions == [text.longest] * 2  # never more than the model has
    assert [(reply.finish, reply.tokens_out) for reply in replies] == [
        ("length", limits[0]),
        ("stop", 2),
        ("length", 2),
        ("stop", 1),
    ]


def test_replies_near_the_longest_position_are_those_of_single_prompts(tmp_path):
    loaded = LanguageModel.load(write_text(tmp_path))
    asked = [question("?" * n) for n in range(1, 9)]
    loaded.longest = max(loaded.encode(ask)["input_ids"].shape[1] for ask in asked) + 2
    for decoding in (Decoding(), Decoding(temperature=1.5, seed=3)):
        assert LocalGenerator(loaded).generate(asked, decoding) == one_by_one(loaded, asked, decoding)


class Full(Scripted):
    """A model whose memory runs out above a batch of ``most``."""

    def __init__(self, model, rows, most, error):
        super().__init__(model, rows)
        self.most, self.error = most, error

    def generate(self, input_ids, **more):
        if len(input_ids) > self.most:
            self.sizes.append(-len(input_ids))
            raise self.error
        return super().generate(input_ids, **more)


ERRORS = [torch.OutOfMemoryError("CUDA out of memory"), RuntimeError("DefaultCPUAllocator: can't allocate memory")]


@pytest.mark.parametrize("error", ERRORS)
def test_a_batch_is_halved_once_and_that_is_recorded(text, monkeypatch, error):
    (end,) = text.ends
    monkeypatch.setattr(text, "model", Full(text.model, [[end]] * 12, 4, error))
    generator = LocalGenerator(text)
    generator.plan = memory.Plan(batch=6, tokens=10_000)
    assert generator.describe()["halved"] is False
    assert len(generator.generate([question("?" * (1 + i % 3)) for i in range(12)], SHORT)) == 12
    # The batches after it are of half the size from the start.
    assert text.model.sizes == [-6, 3, 3, 3, 3]
    assert (generator.describe()["halved"], generator.describe()["batch"]) == (True, 3)


@pytest.mark.parametrize(("count", "most"), [(6, 2), (1, 0)])
def test_a_second_time_without_memory_ends_the_run(text, monkeypatch, count, most):
    monkeypatch.setattr(text, "model", Full(text.model, [], most, ERRORS[0]))
    with pytest.raises(ModelOutOfMemory):
        LocalGenerator(text).generate([question()] * count, SHORT)


def test_another_error_is_not_taken_for_missing_memory(text, monkeypatch):
    monkeypatch.setattr(text, "model", Full(text.model, [], 0, RuntimeError("shapes differ")))
    with pytest.raises(RuntimeError, match="shapes differ"):
        LocalGenerator(text).generate([question()], SHORT)


# --- The registry -----------------------------------------------------------------------------------------------------


def test_the_backend_opens_a_folder(tmp_path):
    backend = BACKENDS["language_model"]
    assert backend.capabilities == {"generate", "likelihood"}
    generator = backend.open_generator(write_text(tmp_path), {"most": 2})
    (reply,) = generator.generate([question()], SHORT)
    assert reply.tokens_in > 0
    facts = generator.describe()
    assert (facts["batch"], facts["dtype"], facts["model_type"]) == (2, "float32", "llama")
    ranker = backend.open_ranker(tmp_path, {"most": 2})
    assert ranker.loaded is generator.loaded  # one load for both
    assert len(ranker.rank(question(), ["A", "B"]).sums) == 2
