"""The state of a model after a prompt, computed once and moved from prompt to prompt.

Prompts about one picture share most of their tokens: the rounds of a dialogue, the circular shifts of a question,
several questions. A :class:`PrefixMemory` cuts the attention cache back to the longest shared beginning and computes
the rest. Where the beginning ends before the picture, the picture is at least encoded only once.

Positions are always passed explicitly. Models with three-dimensional positions keep ``rope_deltas`` of whatever picture
ran last, and without ``mm_token_type_ids`` some fall back to one-dimensional positions without an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

from evaluation.backends.candidates import Tokens, common_prefix

Inputs = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Prefix:
    """A model's state after some tokens.

    Attributes:
        ids: The tokens.
        cache: Keys and values of every layer, one row.
        delta: What a text token's position is off its index, because a picture has fewer positions than tokens.
        axes: 3 where the model has three-dimensional positions, else 1.
        logits: ``[vocabulary]``, float32: what comes next.
    """

    ids: Tokens
    cache: Any
    delta: int
    axes: int
    logits: torch.Tensor

    def positions(self, indices: torch.Tensor, rows: int = 1) -> torch.Tensor:
        """Return position ids of text tokens with these indices: ``[rows, n]``, or ``[3, rows, n]``."""
        return _text_positions(indices + self.delta, rows, self.axes)


class PrefixMemory:
    """Keeps a model's state after the newest prompt. Not for several threads.

    Attributes:
        computed: Prompt tokens that went through the decoder.
        encoded: How often pictures were encoded.
    """

    def __init__(self, model: Any) -> None:
        self.computed = 0
        self.encoded = 0
        self._model = model
        self._prefix: Prefix | None = None
        self._pictures: dict[str, Any] = {}
        self._features: tuple[list[torch.Tensor], Any] | None = None

    def clear(self) -> None:
        """Forget everything."""
        self._prefix, self._pictures, self._features = None, {}, None

    def after(self, inputs: Inputs) -> Prefix:
        """Return the state after a prompt.

        Args:
            inputs: What the model takes for one prompt, as its processor makes it; not padded.

        Raises:
            ValueError: The model has three-dimensional positions, and ``mm_token_type_ids`` are missing.
        """
        with torch.inference_mode():
            old = self._prefix
            self._prefix = None  # an error below leaves the cache in an unknown state
            ids = [int(token) for token in inputs["input_ids"][0]]
            pictures = picture_inputs(inputs)
            shared = 0
            if old is not None and _equal(pictures, self._pictures):
                if ids == old.ids:
                    self._prefix = old
                    return old
                if is_full_attention(old.cache):
                    shared = min(common_prefix(ids, old.ids), len(ids) - 1)
            if old is not None and shared > max(0, last_picture_token(self._model, inputs)):
                self._prefix = self._continued(old, ids, shared)
            else:
                with self._one_encoding():
                    self._prefix = prefill(self._model, inputs)
                self.computed += len(ids)
            self._pictures = pictures
            return self._prefix

    def _continued(self, old: Prefix, ids: Tokens, shared: int) -> Prefix:
        """Cut the cache back to the shared tokens and compute the rest, which is text."""
        if surplus := len(old.ids) - shared:
            old.cache.crop(
                -surplus
            )  # the number of tokens to remove; a positive number meant another thing before 5.20
        device = old.logits.device
        output = self._model(
            input_ids=torch.tensor([ids[shared:]], device=device),
            attention_mask=torch.ones(1, len(ids), dtype=torch.long, device=device),
            position_ids=old.positions(torch.arange(shared, len(ids), device=device)),
            past_key_values=old.cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self.computed += len(ids) - shared
        return Prefix(ids, output.past_key_values, old.delta, old.axes, output.logits[0, -1].float())

    @contextmanager
    def _one_encoding(self) -> Iterator[None]:
        """Keep the newest pictures' features, by the pixels themselves."""
        inner = self._model.model if hasattr(self._model, "model") else self._model
        encode = getattr(inner, "get_image_features", None)
        if encode is None:
            yield
            return

        def features(*args: Any, **keywords: Any) -> Any:
            tensors = [value for value in (*args, *keywords.values()) if torch.is_tensor(value)]
            if self._features is None or not _all_equal(tensors, self._features[0]):
                self._features = None  # frees the old ones before the new ones are computed
                self._features = (tensors, encode(*args, **keywords))
                self.encoded += 1
            return self._features[1]

        inner.get_image_features = features
        try:
            yield
        finally:
            del inner.get_image_features


def prefill(model: Any, inputs: Inputs) -> Prefix:
    """Compute a prompt from its first token on.

    Raises:
        ValueError: See :meth:`PrefixMemory.after`.
    """
    with torch.inference_mode():
        ids = inputs["input_ids"]
        positions, delta, axes = prompt_positions(model, inputs)
        others = {name: value for name, value in inputs.items() if name not in {"input_ids", "attention_mask"}}
        output = model(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            position_ids=positions,
            past_key_values=DynamicCache(config=model.config),
            use_cache=True,
            logits_to_keep=1,
            **others,
        )
        tokens = [int(token) for token in ids[0]]
        return Prefix(tokens, output.past_key_values, delta, axes, output.logits[0, -1].float())


def prompt_positions(model: Any, inputs: Inputs) -> tuple[torch.Tensor, int, int]:
    """Return a prompt's position ids, what text after it is off its index, and the number of axes.

    Raises:
        ValueError: See :meth:`PrefixMemory.after`.
    """
    ids = inputs["input_ids"]
    indices = torch.arange(ids.shape[1], device=ids.device)
    inner = getattr(model, "model", model)
    if not hasattr(inner, "get_rope_index"):
        return _text_positions(indices, 1, 1), 0, 1
    if inputs.get("image_grid_thw") is None:
        return _text_positions(indices, 1, 3), 0, 3
    if inputs.get("mm_token_type_ids") is None:
        raise ValueError("mm_token_type_ids are missing: some models would use one-dimensional positions without them")
    positions, delta = inner.get_rope_index(
        ids,
        mm_token_type_ids=inputs["mm_token_type_ids"],
        image_grid_thw=inputs["image_grid_thw"],
        attention_mask=torch.ones_like(ids),
    )
    return positions, int(delta[0, 0]), 3


def is_full_attention(cache: Any) -> bool:
    """Whether every layer attends to all tokens before, so that its cache can be cut and shared by a mask."""
    return all(type(layer) is DynamicLayer for layer in cache.layers)


def last_picture_token(model: Any, inputs: Inputs) -> int:
    """Return the index of a picture's last token; -1 without a picture, that of the last token if it is unknown."""
    if not picture_inputs(inputs):
        return -1
    ids: Tokens = inputs["input_ids"][0].tolist()
    token = getattr(model.config, "image_token_id", None)
    token = getattr(model.config, "image_token_index", None) if token is None else token
    if token in ids:
        return len(ids) - 1 - ids[::-1].index(token)
    kinds = inputs.get("mm_token_type_ids")
    return int(kinds[0].nonzero().max()) if kinds is not None and bool(kinds.any()) else len(ids) - 1


def same_pictures(one: Inputs, other: Inputs) -> bool:
    """Whether two prompts have the same pictures, by their pixels."""
    return _equal(picture_inputs(one), picture_inputs(other))


def token_inputs(inputs: Inputs) -> dict[str, Any]:
    """Return the inputs that have a value for each token."""
    shape = inputs["input_ids"].shape
    return {name: value for name, value in inputs.items() if torch.is_tensor(value) and value.shape == shape}


def picture_inputs(inputs: Inputs) -> dict[str, Any]:
    """Return the other inputs, which describe pictures."""
    tokens = token_inputs(inputs)
    return {name: value for name, value in inputs.items() if name not in tokens}


def with_tokens(inputs: Inputs, ids: Tokens, kept: int) -> dict[str, Any]:
    """Return a prompt's inputs with other tokens after the first ``kept``; those are text."""
    changed = dict(inputs)
    for name, value in token_inputs(inputs).items():
        filling = value.new_full((1, len(ids) - kept), 1 if name == "attention_mask" else 0)
        changed[name] = torch.cat([value[:, :kept], filling], dim=1)
    changed["input_ids"][0, kept:] = torch.tensor(ids[kept:], device=changed["input_ids"].device)
    return changed


def _text_positions(positions: torch.Tensor, rows: int, axes: int) -> torch.Tensor:
    return positions.expand(rows, -1) if axes == 1 else positions.expand(axes, rows, -1)


def _equal(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)


def _all_equal(one: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    return len(one) == len(other) and all(map(_same, one, other))


def _same(one: Any, other: Any) -> bool:
    if not (torch.is_tensor(one) and torch.is_tensor(other)):
        return bool(one == other)
    return one is other or (one.shape == other.shape and one.dtype == other.dtype and torch.equal(one, other))
