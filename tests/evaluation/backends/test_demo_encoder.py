"""The demonstration's encoder: unit vectors, the same each time, and folders that are not its own refused."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from evaluation.backends.base import Vectors
from evaluation.backends.demo_encoder import DemoEncoder, DualEncoderNetwork, Shape, hashed, pixels
from evaluation.backends.errors import BackendFilesUnfit

SMALL = Shape(side=32, grid=2, buckets=64, letters=8, dimension=16, longest_text=10)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    torch.manual_seed(3)
    DemoEncoder(DualEncoderNetwork(SMALL)).save(tmp_path / "small", {"version": "test"})
    return tmp_path / "small"


PICTURES = [Image.new("RGB", (40, 30), colour) for colour in ("red", "green", "blue")]
TEXTS = ["一盏红色的花灯", "两只舞狮", "竹林里坐着大熊猫"]


@pytest.mark.parametrize(
    "embed",
    [lambda encoder: encoder.embed_images(PICTURES), lambda encoder: encoder.embed_texts(TEXTS)],
    ids=["pictures", "texts"],
)
def test_vectors_are_float32_of_unit_length_and_the_same_each_time(
    folder: Path, embed: Callable[[DemoEncoder], Vectors]
) -> None:
    vectors = embed(DemoEncoder.load(folder))
    assert vectors.shape == (3, 16)
    assert vectors.dtype == np.dtype("float32")
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert np.array_equal(vectors, embed(DemoEncoder.load(folder)))


def test_a_row_does_not_depend_on_its_company(folder: Path) -> None:
    encoder = DemoEncoder.load(folder)
    texts = [f"画面里共有花灯{number}盏" for number in range(130)]
    whole = encoder.embed_texts(texts)
    assert whole.shape == (130, 16)
    assert whole[129] == pytest.approx(encoder.embed_texts([texts[129]])[0], abs=1e-5)


def test_nothing_gives_no_rows_and_a_text_without_letters_still_has_a_vector(folder: Path) -> None:
    encoder = DemoEncoder.load(folder)
    assert encoder.embed_images([]).shape == (0, 16)
    assert encoder.embed_texts([]).shape == (0, 16)
    assert np.linalg.norm(encoder.embed_texts(["……！"])) == pytest.approx(1.0, abs=1e-5)


def test_punctuation_and_what_is_beyond_the_longest_text_are_not_read() -> None:
    assert hashed("红，灯。", SMALL) == hashed("红灯", SMALL)
    assert hashed("一二三四五六七八九十甲乙", SMALL) == hashed("一二三四五六七八九十", SMALL)
    assert len(hashed("红灯", SMALL)) == 3


def test_pictures_are_squeezed_into_planes_around_nought() -> None:
    planes = pixels(Image.new("L", (10, 50), 255), 8)
    assert planes.shape == (3, 8, 8)
    assert planes == pytest.approx(np.full((3, 8, 8), 2.0))


def test_the_description_names_model_and_sizes(folder: Path) -> None:
    assert DemoEncoder.load(folder).describe() == {
        "device": "cpu",
        "dtype": "float32",
        "model_type": "lantern-demo-dual-encoder",
        "dimension": 16,
        "longest_text": 10,
    }


def _without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def _with_broken_weights(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"not safetensors")


def _of_another_type(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps({"model_type": "clip"}))


def _of_another_shape(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["shape"]["letters"] = 9
    (folder / "config.json").write_text(json.dumps(config))


def _without_shape(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps({"model_type": "lantern-demo-dual-encoder"}))


@pytest.mark.parametrize(
    "spoil",
    [_without_weights, _with_broken_weights, _of_another_type, _of_another_shape, _without_shape],
    ids=["no weights", "broken weights", "another type", "another shape", "no shape"],
)
def test_a_folder_that_is_not_the_models_is_refused(folder: Path, spoil: Callable[[Path], None]) -> None:
    spoil(folder)
    with pytest.raises(BackendFilesUnfit) as refused:
        DemoEncoder.load(folder)
    assert refused.value.params["folder"] == "small"
