"""CLIP models from a folder on disk, through transformers.

This downloads nothing and reads only configuration, tokenizer files and safetensors weights. The folder's own code
runs only if the caller allows it, which an owner decides. Only the model worker imports this module, because torch
comes with it.
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

from curation.wire.errors import shorten
from evaluation.backends.base import Vectors
from evaluation.backends.errors import BackendFilesUnfit

# The model gets inputs in batches of at most this size, which bounds memory.
_BATCH_SIZE = 64


class TextLimits(NamedTuple):
    """How a model type was trained to read texts: at most ``longest`` tokens, padded to that length or not."""

    longest: int
    padded: bool = False


# CLIP has 77 positions, and its descendants kept the number. Chinese-CLIP was trained with 52 although its BERT has 512
# (Yang et al. 2022, section 3). SigLIP pools the last of 64 positions, so its texts need padding to that length.
_TEXT_LIMITS = {
    "clip": TextLimits(77),
    "chinese_clip": TextLimits(52),
    "altclip": TextLimits(77),
    "metaclip_2": TextLimits(77),
    "siglip": TextLimits(64, padded=True),
}


class ClipEmbedder:
    """A loaded checkpoint; on a GPU it runs in half precision."""

    def __init__(self, model: Any, processor: Any, text_limits: TextLimits) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.dtype = torch.float16 if self.device.type == "cuda" else torch.float32
        self.model = model.to(device=self.device, dtype=self.dtype).eval()
        self.processor = processor
        self.text_limits = text_limits

    @classmethod
    def load(cls, folder: Path, *, max_length: int | None = None, trust_remote_code: bool = False) -> ClipEmbedder:
        """Load a checkpoint.

        Args:
            folder: Contains ``config.json``, ``*.safetensors``, and the files of the tokenizer and the image processor.
            max_length: Longest text in tokens; None: the published length of the model type.
            trust_remote_code: Run Python modules of the folder, and accept model types that they define.

        Raises:
            BackendFilesUnfit: Files are missing, the model type is unknown, or the weights are not safetensors.
        """
        if not any(folder.glob("*.safetensors")):
            raise BackendFilesUnfit(folder=folder.name, reason="there are no weights in safetensors")
        if trust_remote_code:
            _refuse_code_from_elsewhere(folder)
        closed = {"local_files_only": True, "trust_remote_code": trust_remote_code}
        try:
            config = AutoConfig.from_pretrained(folder, **closed)
            text_limits = _TEXT_LIMITS.get(config.model_type)
            if text_limits is None and not trust_remote_code:
                raise BackendFilesUnfit(
                    folder=folder.name, reason=f"{config.model_type} is none of {', '.join(_TEXT_LIMITS)}"
                )
            model = AutoModel.from_pretrained(folder, use_safetensors=True, **closed)
            processor = AutoProcessor.from_pretrained(folder, **closed)
        except (OSError, ValueError, KeyError) as error:
            raise BackendFilesUnfit(
                folder=folder.name, reason=shorten(f"{type(error).__name__}: {error}", 300)
            ) from error
        if not hasattr(processor, "image_processor"):
            # Where the folder names a class that transformers does not know, it returns the tokenizer alone.
            reason = f"its processor is unknown, and {type(processor).__name__} reads no pictures"
            raise BackendFilesUnfit(folder=folder.name, reason=reason)
        if text_limits is None:
            text_limits = _model_limits(folder, model, max_length)
        return cls(model, processor, text_limits._replace(longest=max_length or text_limits.longest))

    def embed_images(self, images: Sequence[Image.Image]) -> Vectors:
        """Return one unit vector per picture."""
        return self._joined([self._embed_images(part) for part in _parts(images)])

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text."""
        return self._joined([self._embed_texts(part) for part in _parts(texts)])

    def _embed_images(self, images: Sequence[Image.Image]) -> Vectors:
        pixels = self.processor.image_processor(list(images), return_tensors="pt")["pixel_values"]
        pixels = pixels.to(device=self.device, dtype=self.dtype)
        with torch.inference_mode():
            return _unit(self.model.get_image_features(pixel_values=pixels))

    def _embed_texts(self, texts: Sequence[str]) -> Vectors:
        tokens = self.processor.tokenizer(
            list(texts),
            padding="max_length" if self.text_limits.padded else True,
            truncation=True,
            max_length=self.text_limits.longest,
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
        # SigLIP has no projection after its towers, so its vectors have the width of the towers.
        return int(getattr(config, "projection_dim", None) or config.vision_config.hidden_size)

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record; they are equal in every process on the same kind of machine."""
        return {
            "device": torch.cuda.get_device_name() if self.device.type == "cuda" else "cpu",
            "dtype": str(self.dtype).removeprefix("torch."),
            "model_type": self.model.config.model_type,
            "dimension": self.dimension,
            "longest_text": self.text_limits.longest,
        }


def _parts(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (rows[first : first + _BATCH_SIZE] for first in range(0, len(rows), _BATCH_SIZE))


def _unit(answer: Any) -> Vectors:
    # The library's own models return an object, models with their own code often a bare tensor.
    features = getattr(answer, "pooler_output", answer)
    # In float32 on a GPU too: half precision would round the unit length away.
    rows = torch.nn.functional.normalize(features.float(), dim=-1)
    return np.ascontiguousarray(rows.cpu().numpy(), dtype="<f4")


def _model_limits(folder: Path, model: Any, max_length: int | None) -> TextLimits:
    """Return the text limits that a model with its own code declares."""
    if not hasattr(model, "get_image_features") or not hasattr(model, "get_text_features"):
        raise BackendFilesUnfit(folder=folder.name, reason="its code has no get_image_features and get_text_features")
    longest = max_length or getattr(getattr(model.config, "text_config", None), "max_position_embeddings", None)
    if not longest:
        raise BackendFilesUnfit(folder=folder.name, reason="nothing says how long a text may be: give max_length")
    return TextLimits(int(longest))


def _refuse_code_from_elsewhere(folder: Path) -> None:
    """Refuse configurations that load code from another repository, which no revision pins.

    Raises:
        BackendFilesUnfit: One does.
    """
    for file in sorted(folder.glob("*.json")):
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            continue  # the loader reports the error
        if isinstance(content, dict) and "--" in json.dumps(content.get("auto_map", {})):
            raise BackendFilesUnfit(folder=folder.name, reason=f"{file.name} names code of another repository")
