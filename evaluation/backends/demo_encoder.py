"""The demo's dual encoder: a few hundred thousand weights, trained on drawn scenes only.

It lets every step of evaluation run without a model download. A small convolutional network embeds pictures, hashed
characters and character pairs embed captions; both give unit vectors. It runs on the CPU only, so that a picture has
the same vector everywhere. No Django here.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import regex
import torch
from PIL import Image
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from curation.wire.errors import shorten
from evaluation.backends.base import Vectors
from evaluation.backends.errors import BackendFilesUnfit

#: The `model_type` in `config.json`, so that no other model's folder is mistaken for this one.
MODEL_TYPE = "lantern-demo-dual-encoder"

T = TypeVar("T")

_CONFIG, _WEIGHTS = "config.json", "model.safetensors"

#: The network gets inputs in batches of this size, which bounds memory.
_BATCH = 64


@dataclass(frozen=True)
class Shape:
    """The sizes with which a set of weights was trained."""

    #: Side in pixels of the square to which every picture is resized.
    side: int = 96
    #: Rows and columns of the pooled feature map; more than one keeps left and right distinct.
    grid: int = 3
    #: Rows of the hashed embedding.
    buckets: int = 4096
    #: Columns of the hashed embedding.
    letters: int = 40
    #: Length of the vectors.
    dimension: int = 64
    #: Characters of a caption that the encoder reads.
    longest_text: int = 80


def pixels(image: Image.Image, side: int) -> np.ndarray:
    """Convert a picture to three planes of `side` × `side` values around 0; this ignores its aspect ratio."""
    small = image.convert("RGB").resize((side, side), Image.Resampling.BOX)
    return (np.asarray(small, dtype=np.float32).transpose(2, 0, 1) - 127.5) / 63.75


def hashed(text: str, shape: Shape) -> list[int]:
    """Return the embedding rows of a text.

    One for each character and one for each pair of neighbours, punctuation left out.
    """
    letters = regex.sub(r"[^\p{L}\p{N}]", "", text)[: shape.longest_text]
    parts = [*letters, *(letters[index : index + 2] for index in range(len(letters) - 1))]
    return [zlib.crc32(part.encode()) % shape.buckets for part in parts] or [0]


def pack(each: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Concatenate the rows of many texts; return them and each text's start."""
    starts = np.cumsum([0, *(len(rows) for rows in each[:-1])])
    return torch.tensor([row for rows in each for row in rows]), torch.from_numpy(starts)


class DualEncoderNetwork(nn.Module):
    """Two towers and one learned temperature."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        # (channels in, channels out, kernel side, stride). The first stride of 4 keeps the network fast.
        layers = ((3, 48, 6, 4), (48, 72, 3, 2), (72, 96, 3, 2), (96, 96, 3, 1))
        stages: list[nn.Module] = []
        for inner, outer, kernel, stride in layers:
            stages += [nn.Conv2d(inner, outer, kernel, stride=stride, padding=1), nn.BatchNorm2d(outer), nn.ReLU()]
        stages += [nn.AdaptiveAvgPool2d(shape.grid), nn.Flatten()]
        self.picture = nn.Sequential(*stages, nn.Linear(96 * shape.grid**2, shape.dimension))
        self.letters = nn.EmbeddingBag(shape.buckets, shape.letters, mode="sum")
        self.text = nn.Sequential(
            nn.LayerNorm(shape.letters), nn.Linear(shape.letters, 128), nn.GELU(), nn.Linear(128, shape.dimension)
        )
        self.log_temperature = nn.Parameter(torch.tensor(2.7))

    def embed_pictures(self, planes: torch.Tensor) -> torch.Tensor:
        """Return the unit vectors of a batch of planes."""
        return self.embed_features(self.picture[:-1](planes))

    def embed_features(self, features: torch.Tensor) -> torch.Tensor:
        """Return unit vectors from the output of the second-to-last layer for pictures."""
        return nn.functional.normalize(self.picture[-1](features), dim=-1)

    def embed_letters(self, rows: torch.Tensor, starts: torch.Tensor) -> torch.Tensor:
        """Return the unit vectors of texts from their concatenated rows and each text's start."""
        return nn.functional.normalize(self.text(self.letters(rows, starts)), dim=-1)

    def packed(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        """Convert texts to the arguments of `embed_letters`."""
        return pack([hashed(text, self.shape) for text in texts])


def batched(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield slices of `size` rows; the last one may be shorter."""
    return (rows[first : first + size] for first in range(0, len(rows), size))


class DemoEncoder:
    """The network with its weights, as an embedder."""

    def __init__(self, network: DualEncoderNetwork) -> None:
        self.network = network.eval()

    @classmethod
    def load(cls, folder: Path) -> DemoEncoder:
        """Load `config.json` and `model.safetensors` from a folder.

        Raises:
            BackendFilesUnfit: A file is missing or belongs to another model.
        """
        try:
            config = json.loads((folder / _CONFIG).read_text(encoding="utf-8"))
            weights = load_file(folder / _WEIGHTS)
        except (OSError, ValueError, SafetensorError) as error:
            raise BackendFilesUnfit(
                folder=folder.name, reason=shorten(f"{type(error).__name__}: {error}", 300)
            ) from error
        if not isinstance(config, dict) or config.get("model_type") != MODEL_TYPE:
            raise BackendFilesUnfit(folder=folder.name, reason=f"its config.json does not say model_type {MODEL_TYPE}")
        try:
            network = DualEncoderNetwork(
                Shape(**{field.name: int(config["shape"][field.name]) for field in fields(Shape)})
            )
            network.load_state_dict(weights)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            reason = f"weights and shape do not fit together: {error}"
            raise BackendFilesUnfit(folder=folder.name, reason=shorten(reason, 300)) from error
        return cls(network)

    def save(self, folder: Path, facts: dict[str, Any]) -> None:
        """Write the weights in half precision, and `config.json` with the shape and `facts` about the training."""
        folder.mkdir(parents=True, exist_ok=True)
        weights = {
            name: values.half() if values.is_floating_point() else values
            for name, values in self.network.state_dict().items()
        }
        save_file(weights, folder / _WEIGHTS)
        config = {"model_type": MODEL_TYPE, **facts, "shape": asdict(self.network.shape)}
        # safetensors creates files that only their owner can read.
        (folder / _WEIGHTS).chmod(0o644)
        (folder / _CONFIG).write_text(json.dumps(config, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")

    def embed_images(self, images: Sequence[Image.Image]) -> Vectors:
        """Return one unit vector per picture, float32, shape (n, 64)."""
        side = self.network.shape.side
        with torch.inference_mode():
            return self._rows(
                [
                    self.network.embed_pictures(torch.from_numpy(np.stack([pixels(image, side) for image in batch])))
                    for batch in batched(images, _BATCH)
                ]
            )

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, float32, shape (n, 64)."""
        with torch.inference_mode():
            return self._rows(
                [self.network.embed_letters(*self.network.packed(batch)) for batch in batched(texts, _BATCH)]
            )

    def _rows(self, vectors: list[torch.Tensor]) -> Vectors:
        if not vectors:
            return np.zeros((0, self.network.shape.dimension), dtype="<f4")
        return np.ascontiguousarray(torch.cat(vectors).numpy(), dtype="<f4")

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record."""
        return {
            "device": "cpu",
            "dtype": "float32",
            "model_type": MODEL_TYPE,
            "dimension": self.network.shape.dimension,
            "longest_text": self.network.shape.longest_text,
        }
