"""The one model that a worker's process has in memory."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

Model = TypeVar("Model")

_loaded: Final[dict[Hashable, Any]] = {}


def loaded_once(key: Hashable, load: Callable[[], Model]) -> Model:
    """Return what ``load`` makes, kept until another is loaded.

    The one before is freed first, because two may not fit on a card.
    """
    if key not in _loaded:
        free_loaded()
        _loaded[key] = load()
    model: Model = _loaded[key]
    return model


def free_loaded() -> None:
    """Let go of what is loaded."""
    _loaded.clear()
    gc.collect()  # models refer to themselves
