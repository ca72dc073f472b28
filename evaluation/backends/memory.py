"""How much memory a language model needs, worked out before it is loaded. No torch here: numbers in, numbers out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import psutil

from evaluation.backends.errors import ModelTooLarge

# Activations, the logits of a vocabulary, and what the allocator cannot use: a fifth of the weights.
_MARGIN = 1.2

_GB = 1e9

# Where Linux shows a container its own limit (version 2 of control groups).
_LIMITS: Final = Path("/sys/fs/cgroup")


class Plan(NamedTuple):
    """What fits beside the weights.

    Attributes:
        batch: Prompts of the planned length that go through the model together.
        tokens: Tokens of all prompts and replies of a batch together.
    """

    batch: int
    tokens: int

    def batch_of(self, tokens: int) -> int:
        """Return how many prompts fit together if prompt and reply have at most ``tokens`` tokens; at least one."""
        return max(1, min(self.batch, self.tokens // max(tokens, 1)))

    def halved(self) -> Plan:
        """Return the plan with half of the batch."""
        return Plan(self.batch // 2, self.tokens // 2)


def plan(*, model: str, weights: int, per_token: int, longest: int, most: int, free: int) -> Plan:
    """Plan a batch: weights × 1.2 + keys and values of the longest prompt × batch must fit into the free memory.

    Args:
        model: The model's name, for the error.
        weights: Bytes of the weights.
        per_token: Bytes of keys and values for one token in all layers.
        longest: Tokens of the longest prompt with its reply.
        most: The largest batch that is wanted.
        free: Bytes that are free.

    Raises:
        ModelTooLarge: Not even one prompt fits.
    """
    beside = free - int(weights * _MARGIN)
    tokens = beside // per_token
    if tokens < longest:
        needed = int(weights * _MARGIN) + per_token * longest
        raise ModelTooLarge(model=model, needed=f"{needed / _GB:.1f}", free=f"{free / _GB:.1f}")
    return Plan(min(most, tokens // longest), tokens)


def bytes_per_token(config: Any, number: int) -> int:
    """Return the bytes of keys and values of one token, as if every layer kept all tokens.

    Args:
        config: The configuration of the text model, as transformers reads it.
        number: Bytes of one number.
    """
    heads = config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // heads
    kept = getattr(config, "num_key_value_heads", None) or heads
    return int(2 * config.num_hidden_layers * kept * width * number)


def free_on_machine(limits: Path = _LIMITS) -> int:
    """Return the bytes of main memory that are free here: on the machine, or of a container's limit if that is less."""
    free = int(psutil.virtual_memory().available)
    try:
        limit = int((limits / "memory.max").read_text())
        used = int((limits / "memory.current").read_text())
        stat = dict(line.split() for line in (limits / "memory.stat").read_text().splitlines())
        # Files that were read are given up when memory is needed.
        return max(0, min(free, limit - used + int(stat["inactive_file"])))
    except (OSError, ValueError, KeyError):  # there is no limit
        return free
