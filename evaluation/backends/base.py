"""What an embedding backend offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

Vectors: TypeAlias = npt.NDArray[np.float32]


class Embedder(Protocol):
    """A loaded dual encoder: pictures and texts into one space, where a larger dot product means a better fit.

    Example:
        >>> embedder = open_embedder("clip", folder, {})
        >>> embedder.embed_texts(["一盏红灯笼挂在门前"]) @ embedder.embed_images([picture]).T
    """

    def embed_images(self, images: Sequence[Image.Image]) -> Vectors:
        """One unit vector a picture; pictures are RGB, of any size."""

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text; what is longer than the model reads is cut at its end."""

    def describe(self) -> dict[str, Any]:
        """Facts for the run's record: device, number type, dimension, longest text."""
