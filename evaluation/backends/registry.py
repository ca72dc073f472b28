"""The registry of backends.

The loading functions import torch, transformers, openai and the hub's client on purpose: web processes, the scheduler
and the default worker import this module, and those packages would cost each seconds at start and half a gigabyte.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from curation.core.registry import Registry
from evaluation.backends.base import Embedder

if TYPE_CHECKING:
    from curation.wire.servers import ModelServer
    from evaluation.backends.chat import ChatGenerator, Pay
    from evaluation.backends.hub import Hub
    from evaluation.backends.served import ServedEmbedder
    from evaluation.backends.serving import ServedModel

#: The queue for workers with models, and the queue for runs on model servers. The latter have a queue of their own,
#: because they wait for the network nearly all the time: in the default queue they would delay freezes and imports, in
#: ``gpu`` they would keep a GPU idle and need a machine that has one.
MODELS: Final = "gpu"
SERVERS: Final = "served"
QUEUES: Final = (MODELS, SERVERS)

#: The backend of systems that are models on a server instead of folders.
SERVED: Final = "served"
#: The backend of records of models on a server that reply with text; each request is a call that a benchmark pays.
CHAT: Final = "chat"


class Backend(NamedTuple):
    """A backend's entry in the registry.

    Attributes:
        open_embedder: Loads a folder with the system's parameters; None for a system on a server (:func:`open_served`).
        packages: Distributions whose versions a run records.
        queue: The queue of its runs.
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
    server: ModelServer, model: ServedModel, *, parallel: int, seconds: float, retries: int
) -> ServedEmbedder:
    """Open a model on a server; the arguments are those of :class:`ServedEmbedder`."""
    from evaluation.backends.served import ServedEmbedder  # noqa: PLC0415  (openai: half a second)

    return ServedEmbedder(server, model, parallel=parallel, seconds=seconds, retries=retries)


def open_chat(server: ModelServer, model: str, pay: Pay, *, parallel: int, seconds: float) -> ChatGenerator:
    """Open a model on a server that replies with text; the arguments are those of :class:`ChatGenerator`."""
    from evaluation.backends.chat import ChatGenerator  # noqa: PLC0415  (openai: half a second)

    return ChatGenerator(server, model, pay, parallel=parallel, seconds=seconds)


def open_hub(endpoint: str) -> Hub:
    """Open the model hub at an address."""
    from evaluation.backends.hub import Hub  # noqa: PLC0415  (the hub's client: see above)

    return Hub(endpoint)
