"""Every backend, on one screen.

torch, transformers, openai and the hub's client are imported inside the loading functions on purpose: web processes,
the scheduler and the default worker import this module and must stay free of them (seconds at start, half a gigabyte
of memory each).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from curation.core.registry import Registry
from evaluation.backends.base import Embedder

if TYPE_CHECKING:
    from evaluation.backends.hub import Hub
    from evaluation.backends.served import ServedEmbedder
    from evaluation.backends.serving import ModelServer, ServedModel

#: The queue whose workers hold models, and the one whose workers ask model servers. A queue of its own, because such a
#: run waits for the network nearly all of its hours: beside everyday work it would keep freezes and imports waiting, on
#: ``gpu`` it would keep a card idle and want a machine that has one.
MODELS: Final = "gpu"
SERVERS: Final = "served"
QUEUES: Final = (MODELS, SERVERS)

#: The backend of systems that are no folders but models on a server.
SERVED: Final = "served"


class Backend(NamedTuple):
    """A way to run systems.

    Attributes:
        open_embedder: Loads a folder with the system's parameters; None: there is no folder (:func:`open_served`).
        packages: Distributions whose versions belong to a run's record.
        queue: Whose workers carry its runs out.
    """

    open_embedder: Callable[[Path, dict[str, Any]], Embedder] | None
    packages: tuple[str, ...]
    queue: str = MODELS


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
        SERVED: Backend(None, ("openai", "httpx2", "numpy", "pillow"), SERVERS),
    },
)


def open_served(
    server: ModelServer, asked: ServedModel, *, at_once: int, seconds: float, retries: int
) -> ServedEmbedder:
    """A model on a server, ready to be asked; the arguments are those of :class:`ServedEmbedder`."""
    from evaluation.backends.served import ServedEmbedder  # noqa: PLC0415  (openai: half a second)

    return ServedEmbedder(server, asked, at_once=at_once, seconds=seconds, retries=retries)


def open_hub(endpoint: str) -> Hub:
    """The model hub at an address, for whoever carries out a fetch."""
    from evaluation.backends.hub import Hub  # noqa: PLC0415  (the hub's client: see above)

    return Hub(endpoint)
