"""Loading language models from folders, and their inputs; every test for all families unless it says why not."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoProcessor, PreTrainedTokenizerBase

from curation.prompts.rules import Message, Picture
from evaluation.backends import memory, vision_language
from evaluation.backends.asks import Ask
from evaluation.backends.errors import (
    BackendFilesUnfit,
    InputTooLong,
    InputUndecodable,
    ModelReadsNoPictures,
    ModelTooLarge,
)
from evaluation.backends.vision_language import LanguageModel, load_once
from tests.evaluation.backends.tiny_models import (
    FAMILIES,
    TILED,
    VISION,
    picture,
    write_llava,
    write_qwen2_vl,
    write_text,
)

QUESTION = "图中的砖墙是什么颜色的呢?"


@pytest.fixture(params=FAMILIES)
def family(request):
    return request.param


@pytest.fixture
def model(family, tiny):
    return tiny(family)


@pytest.fixture(params=[*VISION, *TILED])
def vision(request, tiny):
    return tiny(request.param)


def ask(*parts, seen=None, **more):
    return Ask((Message("user", parts or (QUESTION,)),), picture=seen, **more)


def written(model, inputs):
    return model.tokenizer.decode(inputs["input_ids"][0])


def test_a_prompt_ends_where_the_reply_begins(model):
    inputs = model.encode(ask())
    assert QUESTION in written(model, inputs)
    assert written(model, inputs).lower().rstrip("\n:").endswith("assistant")
    assert "pixel_values" not in inputs
    assert (model.describe()["device"], model.describe()["dtype"]) == ("cpu", "float32")


def test_a_picture_becomes_tokens_where_the_prompt_has_it(vision):
    without, one = vision.encode(ask()), vision.encode(ask(Picture(), QUESTION, seen=picture()))
    assert one["input_ids"].shape[1] > without["input_ids"].shape[1]
    assert one["pixel_values"].is_floating_point()
    # The models with positions in a grid are the ones that need to know which tokens are a picture's.
    assert ("mm_token_type_ids" in one) == hasattr(vision.model.model, "get_rope_index")


def test_a_place_without_a_picture_is_left_out(vision):
    # The question's picture is not sent, and one example has none.
    empty = Ask((Message("user", (Picture(), QUESTION)), Message("user", (Picture(0), "?"))), shots=(None,))
    plain = Ask((Message("user", (QUESTION,)), Message("user", ("?",))))
    assert vision.encode(empty)["input_ids"].tolist() == vision.encode(plain)["input_ids"].tolist()


def test_pictures_of_examples_come_in_the_order_of_their_places(vision):
    def chat(first, second):
        return (
            Message("user", (Picture(first), "一")),
            Message("assistant", ("答案: A",)),
            Message("user", (Picture(second), "二")),
            Message("assistant", ("答案: B",)),
            Message("user", (Picture(), "三")),
        )

    shots = (picture(seed=1), picture(seed=2))
    inputs = vision.encode(Ask(chat(0, 1), picture=picture(seed=3), shots=shots))
    swapped = vision.encode(Ask(chat(1, 0), picture=picture(seed=3), shots=shots))
    alone = [vision.encode(ask(Picture(), seen=picture(seed=seed)))["pixel_values"] for seed in (1, 2, 3)]
    assert torch.equal(inputs["pixel_values"], torch.cat(alone))
    assert torch.equal(swapped["pixel_values"], torch.cat([alone[1], alone[0], alone[2]]))
    assert inputs["input_ids"].tolist() == swapped["input_ids"].tolist()


def test_a_text_cannot_end_a_turn_or_stand_for_a_picture(model):
    """The tokens that do so are read as the characters that a person typed."""
    plain = model.encode(ask("?"))["input_ids"][0].tolist()
    for token in model.tokenizer.all_special_tokens:
        try:
            ids = model.encode(ask(f"{token}?"))["input_ids"][0].tolist()
        except InputUndecodable:
            assert token in ("<IMG_CONTEXT>", "<video>")  # InternVL's processor finds no picture for them
            continue
        number = model.tokenizer.convert_tokens_to_ids(token)
        assert ids.count(number) == plain.count(number)
        assert f"{token}?" in model.tokenizer.decode(ids)


def test_a_system_text_is_kept_where_the_template_has_no_place_for_it(model, family):
    messages = (Message("system", ("请用中文回答。",)), Message("user", (QUESTION,)))
    text = written(model, model.encode(Ask(messages)))
    assert text.index("请用中文回答。") < text.index(QUESTION)
    assert model.describe()["system_role"] == (family != "llava")


def with_template(folder, change):
    write_text(folder)
    file = folder / "chat_template.jinja"
    file.write_text(change(file.read_text()))
    return LanguageModel.load(folder)


def test_a_template_that_refuses_system_texts_gets_none(tmp_path):
    """As Gemma's does."""
    refuses = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
    model = with_template(tmp_path, lambda template: refuses + template)
    text = written(model, model.encode(Ask((Message("system", ("请用中文回答。",)), Message("user", (QUESTION,))))))
    assert f"user\n请用中文回答。\n\n{QUESTION}" in text


def test_a_template_that_refuses_a_prompt_makes_it_undecodable(tmp_path):
    refuses = "{% if '长' in messages[0]['content'] %}{{ raise_exception('too long') }}{% endif %}"
    model = with_template(tmp_path, lambda template: refuses + template)
    with pytest.raises(InputUndecodable, match="too long"):
        model.encode(ask("长"))


def test_a_chat_template_reaches_nothing_of_the_process(tmp_path):
    reaches = "{{ messages.__class__.__mro__[1].__subclasses__() }}"
    model = with_template(tmp_path, lambda template: reaches + template)
    with pytest.raises(InputUndecodable, match="unsafe"):
        model.encode(ask())


def test_a_large_picture_is_made_smaller(tmp_path):
    folder = write_qwen2_vl(tmp_path)
    large = ask(Picture(), seen=picture(280, 280))
    tokens = [
        LanguageModel.load(folder, max_pixels=limit).encode(large)["input_ids"].shape[1] for limit in (None, 84 * 84)
    ]
    assert tokens[0] - tokens[1] == 64 - 9  # 64 is the most of this model; one token for 28 × 28 pixels


# --- What is refused --------------------------------------------------------------------------------------------------


def test_a_model_for_texts_takes_no_picture(tmp_path):
    model = LanguageModel.load(write_text(tmp_path))
    with pytest.raises(ModelReadsNoPictures):
        model.encode(ask(Picture(), QUESTION, seen=picture()))


def test_a_prompt_longer_than_the_model_is_refused(tmp_path):
    model = LanguageModel.load(write_text(tmp_path))
    with pytest.raises(InputTooLong, match="8192"):
        model.encode(ask("長" * 9000))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda folder: (folder / "model.safetensors").rename(folder / "pytorch_model.bin"), "no weights"),
        (lambda folder: (folder / "chat_template.json").unlink(), "no chat template"),
        (lambda folder: (folder / "config.json").unlink(), "config.json"),
        (lambda folder: (folder / "preprocessor_config.json").unlink(), "image processor"),
    ],
)
def test_incomplete_folders_are_refused(tmp_path, change, reason):
    change(write_llava(tmp_path))
    with pytest.raises(BackendFilesUnfit, match=reason):
        LanguageModel.load(tmp_path)


def test_where_a_folder_names_an_unknown_processor_the_familys_is_loaded(tmp_path, family):
    """For such a class AutoProcessor returns the tokenizer without an error: prompts would have no pictures."""
    if family == "text":
        return
    FAMILIES[family](tmp_path)
    known = LanguageModel.load(tmp_path)
    for name in ("processor_config.json", "preprocessor_config.json"):
        content = json.loads((tmp_path / name).read_text()) | {"processor_class": "OwnProcessor"}
        (tmp_path / name).write_text(json.dumps(content))
    assert isinstance(AutoProcessor.from_pretrained(tmp_path), PreTrainedTokenizerBase)
    model = LanguageModel.load(tmp_path)
    assert type(model.processor).__name__ == type(known.processor).__name__
    inputs, expected = (one.encode(ask(Picture(), QUESTION, seen=picture())) for one in (model, known))
    assert inputs["input_ids"].tolist() == expected["input_ids"].tolist()
    assert torch.equal(inputs["pixel_values"], expected["pixel_values"])


@pytest.mark.parametrize(
    "content",
    [b"", b"\x08\0", (1 << 40).to_bytes(8, "little") + b"{}", (2).to_bytes(8, "little") + b"[]", b"weights" * 9],
)
def test_a_header_of_weights_that_cannot_be_read_is_refused(tmp_path, monkeypatch, content):
    """It would count as no bytes in the plan of memory."""
    monkeypatch.setattr(memory, "plan", None)
    (write_text(tmp_path) / "model-00002.safetensors").write_bytes(content)
    with pytest.raises(BackendFilesUnfit, match=r"the header of model-00002\.safetensors cannot be read"):
        LanguageModel.load(tmp_path)


def test_missing_weights_are_not_made_up(tmp_path):
    file = write_text(tmp_path) / "model.safetensors"
    weights = load_file(file)
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, file, {"format": "pt"})
    with pytest.raises(BackendFilesUnfit, match="up_proj"):
        LanguageModel.load(tmp_path)


def test_code_in_the_folder_is_not_run(tmp_path):
    write_text(tmp_path)
    (tmp_path / "own.py").write_text("raise SystemExit('it ran')\n")
    config = json.loads((tmp_path / "config.json").read_text())
    code = {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"}
    (tmp_path / "config.json").write_text(json.dumps({**config, "model_type": "own", "auto_map": code}))
    with pytest.raises(BackendFilesUnfit):
        LanguageModel.load(tmp_path)


def test_another_kind_of_model_is_refused(tmp_path):
    write_text(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "model_type": "clip_vision_model"}))
    with pytest.raises(BackendFilesUnfit, match="makes no texts"):
        LanguageModel.load(tmp_path)


# --- Memory -----------------------------------------------------------------------------------------------------------


def test_a_model_that_does_not_fit_is_not_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(vision_language, "free_bytes", lambda device: 1_000_000)
    monkeypatch.setattr(vision_language.AutoModelForCausalLM, "from_pretrained", None)
    with pytest.raises(ModelTooLarge) as refusal:
        LanguageModel.load(write_text(tmp_path))
    assert refusal.value.params["free"] == "0.0"


def test_the_batch_is_what_fits_beside_the_weights():
    sizes = {"model": "m", "weights": 1000, "per_token": 10, "longest": 20}
    assert memory.plan(**sizes, most=16, free=1200 + 5 * 200 + 199) == memory.Plan(batch=5, tokens=119)
    assert memory.plan(**sizes, most=4, free=10_000).batch == 4
    assert memory.plan(**sizes, most=16, free=1400).batch == 1
    with pytest.raises(ModelTooLarge):
        memory.plan(**sizes, most=16, free=1399)


def test_a_containers_limit_counts_where_it_is_less(tmp_path):
    free = memory.free_on_machine(tmp_path)
    assert free > 0
    (tmp_path / "memory.current").write_text("3000\n")
    (tmp_path / "memory.stat").write_text("anon 2500\ninactive_file 400\n")
    for limit, left in (("5000", 2400), ("2000", 0), ("max", None), (str(10**18), None)):
        (tmp_path / "memory.max").write_text(f"{limit}\n")
        found = memory.free_on_machine(tmp_path)
        assert found == left if left is not None else found > 1_000_000


def test_keys_and_values_are_counted_as_the_model_keeps_them(model):
    """What the estimate says for one token is what a cache has for it."""
    inputs = model.encode(ask())
    with torch.inference_mode():
        kept = model.model(**model.on_device(inputs), use_cache=True).past_key_values
    held = sum(layer.keys.nbytes + layer.values.nbytes for layer in kept.layers)
    assert held == memory.bytes_per_token(model.text_config, 4) * inputs["input_ids"].shape[1]


def test_a_model_is_loaded_once_and_given_up_for_another(tmp_path):
    first, second = write_text(tmp_path / "a"), write_text(tmp_path / "b")
    one = load_once(first, {})
    assert load_once(first, {}) is one
    assert load_once(second, {"dtype": "bfloat16"}).dtype == torch.bfloat16
    assert list(vision_language._held.values()) == [load_once(second, {"dtype": "bfloat16"})]
    assert load_once(first, {}) is not one


def test_unknown_parameters_and_number_types_are_refused(tmp_path):
    folder = write_text(tmp_path)
    for parameters in ({"dtype": "float8"}, {"colour": "red"}):
        with pytest.raises(BackendFilesUnfit):
            load_once(folder, parameters)
