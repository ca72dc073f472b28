"""CLIP and its kin from a folder on disk, through transformers.

Nothing is fetched; only configuration, tokenizer's files and safetensors weights are read. Code of the folder runs only
where the caller says so, which is for an owner to decide. Imported by the worker that runs models, never by web
processes, because torch comes with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from PIL import Image
from transformers import AutoConfig, AutoModel, AutoProcessor

from evaluation.backends.base import Vectors
from evaluation.backends.errors import BackendFilesUnfit, clipped

# Inputs go through the model in batches of at most this size whatever the number asked for, which bounds memory.
_BATCH = 64


class Reading(NamedTuple):
    """How a type of model was trained to read texts: at most ``longest`` tokens, filled up to that or not."""

    longest: int
    filled: bool = False


# CLIP's positions end at 77, and those that grew from it kept the number. Chinese-CLIP was trained with 52 although its
# BERT has 512 positions (Yang et al. 2022, section 3). SigLIP takes the last of 64 positions, whatever stands there.
_READINGS = {
    "clip": Reading(77),
    "chinese_clip": Reading(52),
    "altclip": Reading(77),
    "metaclip_2": Reading(77),
    "siglip": Reading(64, filled=True),
}


class ClipEmbedder:
    """One loaded checkpoint, on the graphics card in half precision where there is one."""

    def __init__(self, model: Any, processor: Any, reading: Reading) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.dtype = torch.float16 if self.device.type == "cuda" else torch.float32
        self.model = model.to(device=self.device, dtype=self.dtype).eval()
        self.processor = processor
        self.reading = reading

    @classmethod
    def load(cls, folder: Path, *, max_length: int | None = None, trust_remote_code: bool = False) -> ClipEmbedder:
        """Load a checkpoint.

        Args:
            folder: Holds ``config.json``, ``*.safetensors``, the tokenizer's and the image processor's files.
            max_length: Longest text in tokens; None takes the published length of the model's type.
            trust_remote_code: Run Python modules that lie in the folder, and accept types of models that they bring.

        Raises:
            BackendFilesUnfit: Files are missing, of another type of model, or weights are not safetensors.
        """
        if not any(folder.glob("*.safetensors")):
            raise BackendFilesUnfit(folder=folder.name, reason="there are no weights in safetensors")
        if trust_remote_code:
            _refuse_code_from_elsewhere(folder)
        closed = {"local_files_only": True, "trust_remote_code": trust_remote_code}
        try:
            config = AutoConfig.from_pretrained(folder, **closed)
            reading = _READINGS.get(config.model_type)
            if reading is None and not trust_remote_code:
                raise BackendFilesUnfit(
                    folder=folder.name, reason=f"{config.model_type} is none of {', '.join(_READINGS)}"
                )
            model = AutoModel.from_pretrained(folder, use_safetensors=True, **closed)
            processor = AutoProcessor.from_pretrained(folder, **closed)
        except (OSError, ValueError, KeyError) as error:
            raise BackendFilesUnfit(
                folder=folder.name, reason=clipped(f"{type(error).__name__}: {error}", 300)
            ) from error
        if reading is None:
            reading = _told(folder, model, max_length)
        return cls(model, processor, reading._replace(longest=max_length or reading.longest))

    def embed_images(self, images: Sequence[Image.Image]) -> Vectors:
        """One unit vector a picture."""
        return self._joined([self._embed_images(part) for part in _parts(images)])

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text."""
        return self._joined([self._embed_texts(part) for part in _parts(texts)])

    def _embed_images(self, images: Sequence[Image.Image]) -> Vectors:
        pixels = self.processor.image_processor(list(images), return_tensors="pt")["pixel_values"]
        pixels = pixels.to(device=self.device, dtype=self.dtype)
        with torch.inference_mode():
            return _unit(self.model.get_image_features(pixel_values=pixels))

    def _embed_texts(self, texts: Sequence[str]) -> Vectors:
        tokens = self.processor.tokenizer(
            list(texts),
            padding="max_length" if self.reading.filled else True,
            truncation=True,
            max_length=self.reading.longest,
            return_tensors="pt",
        )
        with torch.inference_mode():
            return _unit(self.model.get_text_features(**tokens.to(self.device)))

    def _joined(self, parts: list[Vectors]) -> Vectors:
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), dtype="<f4")

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        config = self.model.config
        # SigLIP has no projection behind its towers: a vector is as long as they are wide.
        return int(getattr(config, "projection_dim", None) or config.vision_config.hidden_size)

    def describe(self) -> dict[str, Any]:
        """Facts for the run's record: the same in every process on the same kind of machine."""
        return {
            "device": torch.cuda.get_device_name() if self.device.type == "cuda" else "cpu",
            "dtype": str(self.dtype).removeprefix("torch."),
            "model_type": self.model.config.model_type,
            "dimension": self.dimension,
            "longest_text": self.reading.longest,
        }


def _parts(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (rows[first : first + _BATCH] for first in range(0, len(rows), _BATCH))


def _unit(answer: Any) -> Vectors:
    # The library's own models answer an object, models that bring their code often the bare tensor.
    features = getattr(answer, "pooler_output", answer)
    # In float32 also on a card: half precision would round the unit length away.
    rows = torch.nn.functional.normalize(features.float(), dim=-1)
    return np.ascontiguousarray(rows.cpu().numpy(), dtype="<f4")


def _told(folder: Path, model: Any, max_length: int | None) -> Reading:
    """How a model that brought its own code reads, as far as it says so."""
    if not hasattr(model, "get_image_features") or not hasattr(model, "get_text_features"):
        raise BackendFilesUnfit(folder=folder.name, reason="its code has no get_image_features and get_text_features")
    longest = max_length or getattr(getattr(model.config, "text_config", None), "max_position_embeddings", None)
    if not longest:
        raise BackendFilesUnfit(folder=folder.name, reason="nothing says how long a text may be: give max_length")
    return Reading(int(longest))


def _refuse_code_from_elsewhere(folder: Path) -> None:
    """Refuse configurations that send the loader to another repository's code, which no revision pins.

    Raises:
        BackendFilesUnfit: One does.
    """
    for file in sorted(folder.glob("*.json")):
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            continue  # the loader says what is wrong with it
        if isinstance(content, dict) and "--" in json.dumps(content.get("auto_map", {})):
            raise BackendFilesUnfit(folder=folder.name, reason=f"{file.name} names code of another repository")
