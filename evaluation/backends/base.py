"""The interface of embedding backends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

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
        """Return one unit vector per picture; pictures are RGB, of any size."""

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text; the end of a text that is too long for the model is cut."""

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record: device, number type, dimension, longest text."""


@runtime_checkable
class OnServer(Protocol):
    """Something opened whose model is on a server, which can be given another model at any time."""

    def confirm(self) -> None:
        """Check that the server still serves the same model.

        Raises:
            ModelServerChanged, ModelNotServed: It serves another one.
            ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit: It does not report its model.
        """
