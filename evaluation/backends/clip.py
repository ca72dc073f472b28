"""CLIP and Chinese-CLIP from a folder on disk, through transformers.

Nothing is fetched and no code of the folder is run: only its configuration, its tokenizer's files and safetensors
weights are read. Imported by the worker that runs models, never by web processes, because torch comes with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from transformers import AutoConfig, AutoModel, AutoProcessor

from evaluation.backends.base import Vectors
from evaluation.backends.errors import BackendFilesUnfit

# Published text lengths: CLIP's positions end at 77; Chinese-CLIP was trained with 52 although its BERT has 512
# positions (Yang et al. 2022, section 3).
_LONGEST_TEXT = {"clip": 77, "chinese_clip": 52}


class ClipEmbedder:
    """One loaded checkpoint, on the graphics card in half precision where there is one."""

    def __init__(self, model: Any, processor: Any, *, max_length: int) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.dtype = torch.float16 if self.device.type == "cuda" else torch.float32
        self.model = model.to(device=self.device, dtype=self.dtype).eval()
        self.processor = processor
        self.max_length = max_length

    @classmethod
    def load(cls, folder: Path, *, max_length: int | None = None) -> ClipEmbedder:
        """Load a checkpoint.

        Args:
            folder: Holds ``config.json``, ``*.safetensors``, the tokenizer's and the image processor's files.
            max_length: Longest text in tokens; None takes the published length of the model's type.

        Raises:
            BackendFilesUnfit: Files are missing, of another type of model, or weights are not safetensors.
        """
        if not any(folder.glob("*.safetensors")):
            raise BackendFilesUnfit(folder=folder.name, reason="there are no weights in safetensors")
        closed = {"local_files_only": True, "trust_remote_code": False}
        try:
            config = AutoConfig.from_pretrained(folder, **closed)
            if config.model_type not in _LONGEST_TEXT:
                raise BackendFilesUnfit(
                    folder=folder.name, reason=f"{config.model_type} is none of {', '.join(_LONGEST_TEXT)}"
                )
            model = AutoModel.from_pretrained(folder, use_safetensors=True, **closed)
            processor = AutoProcessor.from_pretrained(folder, **closed)
        except (OSError, ValueError, KeyError) as error:
            raise BackendFilesUnfit(folder=folder.name, reason=f"{type(error).__name__}: {error}"[:300]) from error
        return cls(model, processor, max_length=max_length or _LONGEST_TEXT[config.model_type])

    def embed_images(self, images: Sequence[Image.Image]) -> Vectors:
        """One unit vector a picture."""
        pixels = self.processor.image_processor(list(images), return_tensors="pt")["pixel_values"]
        pixels = pixels.to(device=self.device, dtype=self.dtype)
        with torch.inference_mode():
            return _unit(self.model.get_image_features(pixel_values=pixels).pooler_output)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text."""
        tokens = self.processor.tokenizer(
            list(texts), padding=True, truncation=True, max_length=self.max_length, return_tensors="pt"
        )
        with torch.inference_mode():
            return _unit(self.model.get_text_features(**tokens.to(self.device)).pooler_output)

    def describe(self) -> dict[str, Any]:
        """Facts for the run's record."""
        return {
            "device": torch.cuda.get_device_name() if self.device.type == "cuda" else "cpu",
            "dtype": str(self.dtype).removeprefix("torch."),
            "model_type": self.model.config.model_type,
            "dimension": int(self.model.config.projection_dim),
            "longest_text": self.max_length,
        }


def _unit(features: torch.Tensor) -> Vectors:
    # In float32 also on a card: half precision would round the unit length away.
    rows = torch.nn.functional.normalize(features.float(), dim=-1)
    return np.ascontiguousarray(rows.cpu().numpy(), dtype="<f4")
