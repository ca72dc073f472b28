"""The registry of backends.

The loading functions import torch, transformers, openai and the hub's client on purpose: web processes, the scheduler
and the default worker import this module, and those packages would cost each seconds at start and half a gigabyte.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from curation.core.registry import Registry
from curation.wire.servers import QUEUE
from evaluation.backends.asks import Generator, Ranker
from evaluation.backends.base import Embedder

if TYPE_CHECKING:
    from curation.wire.servers import ModelServer
    from evaluation.backends.chat import ChatGenerator, Pay
    from evaluation.backends.hub import Hub
    from evaluation.backends.scripted import ScriptedSystem
    from evaluation.backends.served import ServedEmbedder
    from evaluation.backends.served_ranker import ServedRanker
    from evaluation.backends.serving import ServedModel

#: The queue for workers with models, and the queue for runs on model servers. The latter have a queue of their own,
#: because they wait for the network nearly all the time: in the default queue they would delay freezes and imports, in
#: ``gpu`` they would keep a GPU idle and need a machine that has one.
MODELS: Final = "gpu"
SERVERS: Final = QUEUE
QUEUES: Final = (MODELS, SERVERS)

#: The backend of systems that are models on a server instead of folders.
SERVED: Final = "served"
#: The backend of language models on a server, whose locator is the server's name. Each reply is a call that a benchmark
#: pays; ranking costs nothing, because only the operator's own servers can.
CHAT: Final = "chat"


class Backend(NamedTuple):
    """A backend's entry in the registry: how a folder is opened for each thing that the backend can do.

    Attributes:
        open_embedder: Loads a folder with the system's parameters as a dual encoder; None if the backend has none, or
            its systems are on a server (:func:`open_served`).
        packages: Distributions whose versions a run records.
        queue: The queue of its runs.
        open_generator: Loads a folder as a model that replies with text; None if the backend has none.
        open_ranker: Loads a folder as a model that ranks given replies; None if the backend has none.
    """

    open_embedder: Callable[[Path, dict[str, Any]], Embedder] | None = None
    packages: tuple[str, ...] = ()
    queue: str = MODELS
    open_generator: Callable[[Path, dict[str, Any]], Generator] | None = None
    open_ranker: Callable[[Path, dict[str, Any]], Ranker] | None = None

    @property
    def capabilities(self) -> frozenset[str]:
        """What systems of this backend may be capable of, when they are opened from a folder."""
        opens = {"embed": self.open_embedder, "generate": self.open_generator, "likelihood": self.open_ranker}
        return frozenset(name for name, load in opens.items() if load is not None)


def _demo(folder: Path, parameters: dict[str, Any]) -> Embedder:
    from evaluation.backends.demo_encoder import DemoEncoder  # noqa: PLC0415  (torch: see above)

    embedder: Embedder = DemoEncoder.load(folder, **parameters)
    return embedder


def _clip(folder: Path, parameters: dict[str, Any]) -> Embedder:
    from evaluation.backends.clip import ClipEmbedder  # noqa: PLC0415  (torch: see above)

    release_language_models()
    embedder: Embedder = ClipEmbedder.load(folder, **parameters)
    return embedder


def _generator(folder: Path, parameters: dict[str, Any]) -> Generator:
    from evaluation.backends.generate import LocalGenerator  # noqa: PLC0415  (torch: see above)
    from evaluation.backends.vision_language import load_once  # noqa: PLC0415

    return LocalGenerator(load_once(folder, parameters))


def _ranker(folder: Path, parameters: dict[str, Any]) -> Ranker:
    from evaluation.backends.likelihood import LocalRanker  # noqa: PLC0415  (torch: see above)
    from evaluation.backends.vision_language import load_once  # noqa: PLC0415

    return LocalRanker(load_once(folder, parameters))


def _scripted(folder: Path, parameters: dict[str, Any]) -> ScriptedSystem:
    from evaluation.backends.scripted import ScriptedSystem  # noqa: PLC0415  (as the others)

    return ScriptedSystem.load(folder, **parameters)


BACKENDS: Registry[Backend] = Registry(
    "backend",
    {
        "demo": Backend(_demo, ("torch", "numpy", "pillow", "safetensors")),
        "clip": Backend(_clip, ("torch", "numpy", "pillow", "safetensors", "transformers", "tokenizers")),
        "language_model": Backend(
            packages=(
                "torch",
                "numpy",
                "pillow",
                "safetensors",
                "transformers",
                "tokenizers",
                "jinja2",
            ),
            open_generator=_generator,
            open_ranker=_ranker,
        ),
        "scripted": Backend(open_generator=_scripted, open_ranker=_scripted),
        SERVED: Backend(None, ("openai", "httpx2", "numpy", "pillow"), SERVERS),
        CHAT: Backend(None, ("openai", "httpx2", "numpy", "pillow"), SERVERS),
    },
)


def open_served(
    server: ModelServer, model: ServedModel, *, parallel: int, seconds: float, retries: int
) -> ServedEmbedder:
    """Open a model on a server; the arguments are those of :class:`ServedEmbedder`."""
    from evaluation.backends.served import ServedEmbedder  # noqa: PLC0415  (openai: half a second)

    return ServedEmbedder(server, model, parallel=parallel, seconds=seconds, retries=retries)


def open_chat(
    server: ModelServer, model: str, pay: Pay, *, parallel: int, seconds: float, longest_pause: float
) -> ChatGenerator:
    """Open a model on a server that replies with text; the arguments are those of :class:`ChatGenerator`."""
    from evaluation.backends.chat import ChatGenerator  # noqa: PLC0415  (openai: half a second)

    return ChatGenerator(server, model, pay, parallel=parallel, seconds=seconds, longest_pause=longest_pause)


def open_server_ranker(
    server: ModelServer, model: str, *, tokenizer: Path | None, parallel: int, seconds: float, retries: int
) -> ServedRanker:
    """Open a model on a server that ranks replies; arguments and errors are those of ``served_ranker.open_ranker``."""
    from evaluation.backends.served_ranker import open_ranker  # noqa: PLC0415  (openai, and transformers for SGLang)

    return open_ranker(server, model, tokenizer=tokenizer, parallel=parallel, seconds=seconds, retries=retries)


def release_language_models() -> None:
    """Give up the language model that this process holds, if any, so that another kind of model finds memory."""
    if module := sys.modules.get("evaluation.backends.vision_language"):
        module.release()


def open_hub(endpoint: str) -> Hub:
    """Open the model hub at an address."""
    from evaluation.backends.hub import Hub  # noqa: PLC0415  (the hub's client: see above)

    return Hub(endpoint)
