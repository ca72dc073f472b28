"""CLIP and Chinese-CLIP folders give the vectors of the library's own joint pass, whatever the batch."""

import json
import shutil

import numpy as np
import pytest
import torch
from PIL import Image
from transformers import AutoModel, AutoProcessor, PreTrainedTokenizerBase
from transformers.utils import ModelOutput

from evaluation.backends.clip import ClipEmbedder
from evaluation.backends.errors import BackendFilesUnfit
from evaluation.backends.registry import BACKENDS
from tests.evaluation.backends.checkpoints import (
    write_altclip,
    write_chinese_clip,
    write_clip,
    write_clip_with_code,
    write_siglip,
)

TEXTS = ["一盏红灯笼挂在门前", "三只熊猫", "熊猫坐着吃竹子"]


def pictures(n):
    rng = np.random.default_rng(5)
    return [Image.fromarray(rng.integers(0, 255, (40 + 9 * i, 80, 3), dtype=np.uint8)) for i in range(n)]


@pytest.fixture(
    scope="module",
    params=[write_clip, write_chinese_clip, write_altclip, write_siglip],
    ids=["clip", "chinese_clip", "altclip", "siglip"],
)
def folder(request, tmp_path_factory):
    return request.param(tmp_path_factory.mktemp("checkpoint"))


@pytest.fixture(scope="module")
def embedder(folder):
    return BACKENDS["clip"].open_embedder(folder, {})


def test_vectors_equal_the_joint_pass(folder, embedder):
    model, processor = AutoModel.from_pretrained(folder).eval(), AutoProcessor.from_pretrained(folder)
    whole = model.config.model_type == "siglip"
    read = {"padding": "max_length", "max_length": 64} if whole else {"padding": True}
    given = processor(text=TEXTS, images=pictures(2), return_tensors="pt", **read)
    with torch.inference_mode():
        joint = model(**given)
    images, texts = embedder.embed_images(pictures(2)), embedder.embed_texts(TEXTS)
    assert images.dtype == texts.dtype == np.dtype("<f4")
    np.testing.assert_allclose(images, joint.image_embeds.numpy(), atol=1e-6)
    np.testing.assert_allclose(texts, joint.text_embeds.numpy(), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(texts, axis=1), 1, atol=1e-6)


def unit(rows):
    return torch.nn.functional.normalize(rows, dim=-1).numpy()


def test_features_are_one_part_of_what_the_library_returns(embedder):
    """The first part, which a tuple's reader would take, has a row for each token and is not projected."""
    tokens = embedder.processor.tokenizer(TEXTS[:1], return_tensors="pt")
    pixels = embedder.processor.image_processor(pictures(1), return_tensors="pt")
    with torch.inference_mode():
        texts, images = embedder.model.get_text_features(**tokens), embedder.model.get_image_features(**pixels)
    for answer, vectors in ((images, embedder.embed_images(pictures(1))), (texts, embedder.embed_texts(TEXTS[:1]))):
        assert isinstance(answer, ModelOutput)
        assert answer.pooler_output.shape == vectors.shape
        wrong = unit(answer[0])
        assert wrong.shape[1] > 1
        assert wrong.shape[2] != vectors.shape[1] or np.abs(wrong - vectors[:, None]).max(axis=2).min() > 0.01


def test_the_towers_own_vectors_are_not_projected(embedder):
    pixels = embedder.processor.image_processor(pictures(1), return_tensors="pt")
    with torch.inference_mode():
        tower = unit(embedder.model.vision_model(**pixels).pooler_output)
    # SigLIP has no projection.
    assert (tower.shape[1] == embedder.dimension) == (embedder.model.config.model_type == "siglip")


def test_a_model_with_its_own_code_may_return_bare_features(embedder, monkeypatch):
    vectors = embedder.embed_images(pictures(2)), embedder.embed_texts(TEXTS)
    for name in ("get_image_features", "get_text_features"):
        inner = getattr(embedder.model, name)
        bare = lambda inner=inner, **inputs: inner(**inputs).pooler_output  # noqa: E731
        monkeypatch.setattr(embedder.model, name, bare, raising=False)
    np.testing.assert_array_equal(embedder.embed_images(pictures(2)), vectors[0])
    np.testing.assert_array_equal(embedder.embed_texts(TEXTS), vectors[1])


def test_a_processor_that_is_only_a_tokenizer_is_refused(folder, tmp_path):
    """For a class that it does not know AutoProcessor returns the tokenizer, without an error."""
    shutil.copytree(folder, tmp_path / "copy")
    for name in ("processor_config.json", "tokenizer_config.json"):
        file = tmp_path / "copy" / name
        file.write_text(json.dumps(json.loads(file.read_text()) | {"processor_class": "OwnProcessor"}))
    assert isinstance(AutoProcessor.from_pretrained(tmp_path / "copy"), PreTrainedTokenizerBase)
    with pytest.raises(BackendFilesUnfit, match="its processor is unknown"):
        ClipEmbedder.load(tmp_path / "copy")


def test_a_batch_gives_what_single_inputs_give(embedder):
    together = embedder.embed_texts(TEXTS)
    alone = np.concatenate([embedder.embed_texts([t]) for t in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    together = embedder.embed_images(pictures(3))
    alone = np.concatenate([embedder.embed_images([p]) for p in pictures(3)])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_different_inputs_get_different_vectors(embedder):
    images, texts = embedder.embed_images(pictures(2)), embedder.embed_texts(TEXTS)
    assert float(images[0] @ images[1]) < 1 - 1e-6
    assert float(texts[0] @ texts[1]) < 1 - 1e-6


def test_texts_are_cut_at_the_published_length(folder, embedder):
    model_type = json.loads((folder / "config.json").read_text())["model_type"]
    expected = {"clip": 77, "chinese_clip": 52, "altclip": 77, "siglip": 64}[model_type]
    assert embedder.describe() == {
        "device": "cpu" if not torch.cuda.is_available() else torch.cuda.get_device_name(),
        "dtype": "float32" if not torch.cuda.is_available() else "float16",
        "model_type": model_type,
        "dimension": 32 if model_type == "siglip" else 16,
        "longest_text": expected,
    }
    assert embedder.describe() == BACKENDS["clip"].open_embedder(folder, {}).describe()
    long = "熊猫吃竹子" * 60
    assert np.isfinite(embedder.embed_texts([long])).all()
    shorter = ClipEmbedder.load(folder, max_length=7)
    np.testing.assert_allclose(shorter.embed_texts([TEXTS[0]])[0] @ embedder.embed_texts([TEXTS[0]])[0], 1, atol=0.9)
    assert shorter.describe()["longest_text"] == 7


def test_many_inputs_go_through_in_bounded_batches(embedder, monkeypatch):
    seen = []
    inner = embedder.model.get_text_features
    monkeypatch.setattr(
        embedder.model, "get_text_features", lambda **t: seen.append(len(t["input_ids"])) or inner(**t), raising=False
    )
    texts = [TEXTS[n % 3] for n in range(130)]
    vectors = embedder.embed_texts(texts)
    assert (seen, len(vectors)) == ([64, 64, 2], 130)
    np.testing.assert_allclose(vectors[129], vectors[0], atol=1e-5)
    assert embedder.embed_texts([]).shape == (0, embedder.dimension)
    assert embedder.embed_images([]).shape == (0, embedder.dimension)


def test_pickled_weights_are_never_read(folder, tmp_path):
    for file in folder.iterdir():
        if file.suffix != ".safetensors":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    torch.save(AutoModel.from_pretrained(folder).state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(BackendFilesUnfit, match="no weights in safetensors"):
        ClipEmbedder.load(tmp_path)


def test_another_type_of_model_is_refused(folder, tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"")
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(BackendFilesUnfit, match="bert is none of clip, chinese_clip, altclip, metaclip_2, siglip"):
        ClipEmbedder.load(tmp_path)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(BackendFilesUnfit):
        ClipEmbedder.load(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(BackendFilesUnfit, match=r"OSError|ValueError"):
        ClipEmbedder.load(tmp_path)


@pytest.fixture
def with_code(tmp_path, monkeypatch):
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    return write_clip_with_code(tmp_path / "own")


def test_code_of_the_folder_runs_only_where_it_was_allowed(with_code):
    with pytest.raises(BackendFilesUnfit):
        ClipEmbedder.load(with_code)
    embedder = ClipEmbedder.load(with_code, trust_remote_code=True)
    assert embedder.describe()["model_type"] == "own_clip"
    assert embedder.describe()["longest_text"] == 77
    np.testing.assert_allclose(np.linalg.norm(embedder.embed_texts(TEXTS), axis=1), 1, atol=1e-6)


def test_code_of_another_repository_is_never_run(with_code):
    config = json.loads((with_code / "config.json").read_text())
    config["auto_map"]["AutoModel"] = "somebody/else--own_clip.OwnModel"
    (with_code / "config.json").write_text(json.dumps(config))
    with pytest.raises(BackendFilesUnfit, match=r"config\.json names code of another repository"):
        ClipEmbedder.load(with_code, trust_remote_code=True)
