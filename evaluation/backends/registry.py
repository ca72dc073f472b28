"""Every backend, on one screen.

torch, transformers and the hub's client are imported inside the loading functions on purpose: web processes, the
scheduler and the default worker import this module and must stay free of them (seconds at start, half a gigabyte of
memory each).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from curation.core.registry import Registry
from evaluation.backends.base import Embedder

if TYPE_CHECKING:
    from evaluation.backends.hub import Hub


class Backend(NamedTuple):
    """A way to run systems.

    Attributes:
        open_embedder: Loads a folder with the system's parameters.
        packages: Distributions whose versions belong to a run's record.
    """

    open_embedder: Callable[[Path, dict[str, Any]], Embedder]
    packages: tuple[str, ...]


def _demo(folder: Path, parameters: dict[str, Any]) -> Embedder:
    from evaluation.backends.demo_encoder import DemoEncoder  # noqa: PLC0415  (torch: see above)

    embedder: Embedder = DemoEncoder.load(folder, **parameters)
    return embedder


def _clip(folder: Path, parameters: dict[str, Any]) -> Embedder:
    from evaluation.backends.clip import ClipEmbedder  # noqa: PLC0415  (torch: see above)

    embedder: Embedder = ClipEmbedder.load(folder, **parameters)
    return embedder


BACKENDS: Registry[Backend] = Registry(
    "backend",
    {
        "demo": Backend(_demo, ("torch", "numpy", "pillow", "safetensors")),
        "clip": Backend(_clip, ("torch", "numpy", "pillow", "safetensors", "transformers", "tokenizers")),
    },
)


def open_hub(endpoint: str) -> Hub:
    """The model hub at an address, for whoever carries out a fetch."""
    from evaluation.backends.hub import Hub  # noqa: PLC0415  (the hub's client: see above)

    return Hub(endpoint)
