"""Three ways to compute the log-probabilities of candidates after a prompt; they agree up to rounding.

``packed``: all candidates in one row behind the shared prefix, as a tree of tokens whose mask lets each token see the
prefix and its own ancestors. Nothing is copied. Only for models whose layers all have full attention: a sliding window
would be lost, and a recurrent layer has no mask.

``cached``: candidates in rows, each continuing a copy of the prefix's cache. For every kind of layer.

``plain``: prompt and candidate in one pass for each candidate, without any cache. Hundreds of times the work; what the
others are compared with.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import torch

from evaluation.backends.candidates import Tokens
from evaluation.backends.prefixes import Inputs, Prefix, is_full_attention, token_inputs

Route = Literal["packed", "cached", "plain"]

#: Bytes of one pass' logits, keys and values at most.
PASS_BYTES: Final = 512 * 2**20

_LOGIT_ROWS: Final = 64  # normalised at once, in float32
#: Tokens of one packed pass: attention has a number for each pair of them, and nearly all of those are masked.
MAX_NODES: Final = 384


@dataclass(slots=True)
class _Tree:
    """Candidates as a tree: a node is a token that is read, and a candidate a path from the root.

    Attributes:
        tokens: Each node's token.
        parents: Each node's parent; -1: the prefix.
        paths: Each candidate's nodes. Its last token has none, because it is only predicted.
    """

    tokens: Tokens = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    paths: list[list[int]] = field(default_factory=list)
    _nodes: dict[tuple[int, int], int] = field(default_factory=dict)

    def add(self, suffix: Tokens) -> None:
        parent, path = -1, []
        for depth, token in enumerate(suffix[:-1]):
            node = self._nodes.setdefault((parent, token), len(self.tokens))
            if node == len(self.tokens):
                self.tokens.append(token)
                self.parents.append(parent)
                self.depths.append(depth)
            parent = node
            path.append(node)
        self.paths.append(path)

    def hidden(self) -> torch.Tensor:
        """Return ``[nodes, nodes]``, true where the second is neither the first nor an ancestor of it."""
        visible = torch.eye(len(self.tokens), dtype=torch.bool)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                visible[node] |= visible[parent]
        return ~visible


def packed(
    model: Any,
    prefix: Prefix,
    suffixes: Sequence[Tokens],
    budget: int = PASS_BYTES,
    skipped: Sequence[int] | None = None,
    nodes: int = MAX_NODES,
) -> list[float]:
    """Sum log-probabilities by a tree with a mask.

    Args:
        model: The model; its attention takes a mask of its own.
        prefix: The state after the prompt, which is not changed.
        suffixes: The candidates' tokens.
        budget: Bytes of one pass' logits at most.
        skipped: How many first tokens of each suffix belong to its prompt and are not summed; None: none.
        nodes: Tokens of one pass at most, unless one candidate has more.

    Raises:
        ValueError: A layer has no full attention.
    """
    with torch.inference_mode():
        if not is_full_attention(prefix.cache):
            raise ValueError("a packed row needs layers with full attention")
        most = max(1, min(nodes, budget // (len(prefix.logits) * 4)))
        firsts = _log_probabilities(prefix.logits[None], [[suffix[0] for suffix in suffixes]])[0]
        values: list[list[float]] = []
        for part in _parts(suffixes, most):
            tree = _Tree()
            for suffix in part:
                tree.add(suffix)
            targets: list[Tokens] = [[] for _ in tree.tokens]
            for suffix, path in zip(part, tree.paths, strict=True):
                for node, token in zip(path, suffix[1:], strict=True):
                    targets[node].append(token)
            following = _log_probabilities(_tree_logits(model, prefix, tree), targets) if tree.tokens else []
            read = [iter(row) for row in following]
            for path in tree.paths:
                values.append([firsts[len(values)], *(next(read[node]) for node in path)])
        return [sum(row[skip:]) for row, skip in zip(values, skipped or [0] * len(values), strict=True)]


def _tree_logits(model: Any, prefix: Prefix, tree: _Tree) -> torch.Tensor:
    device, dtype = prefix.logits.device, model.dtype
    length, count = len(prefix.ids), len(tree.tokens)
    mask = torch.zeros(count, length + count, dtype=dtype)
    mask[:, length:].masked_fill_(tree.hidden(), torch.finfo(dtype).min)
    depths = torch.tensor(tree.depths, device=device)
    logits: torch.Tensor = model(
        input_ids=torch.tensor([tree.tokens], device=device),
        attention_mask=mask[None, None].to(device),
        position_ids=prefix.positions(length + depths),
        past_key_values=_rows(prefix.cache, 1),
        use_cache=True,
    ).logits[0]
    return logits


def cached(
    model: Any, prefix: Prefix, suffixes: Sequence[Tokens], budget: int = PASS_BYTES, nodes: int | None = None
) -> list[float]:
    """Sum log-probabilities by rows that continue copies of the prefix's cache.

    Arguments as of :func:`packed`; without ``nodes`` only the budget limits a pass.
    """
    with torch.inference_mode():
        sums = _log_probabilities(prefix.logits[None], [[suffix[0] for suffix in suffixes]])[0]
        longer = sorted((i for i, suffix in enumerate(suffixes) if len(suffix) > 1), key=lambda i: len(suffixes[i]))
        while longer:
            # The longest are last, and all rows of a pass are as long as its longest.
            width = len(suffixes[longer[-1]]) - 1
            rows = max(1, budget // (_cache_bytes(prefix.cache) + width * len(prefix.logits) * 4))
            if nodes is not None:
                rows = max(1, min(rows, nodes // width))
            part, longer = longer[-rows:], longer[:-rows]
            for candidate, values in zip(
                part, _continued(model, prefix, [suffixes[i] for i in part], width), strict=True
            ):
                sums[candidate] += sum(values)
        return sums


def _continued(model: Any, prefix: Prefix, suffixes: list[Tokens], width: int) -> list[list[float]]:
    device, rows, length = prefix.logits.device, len(suffixes), len(prefix.ids)
    # Padding is on the right, where no real token sees it.
    padded = [suffix[:-1] + [0] * (width + 1 - len(suffix)) for suffix in suffixes]
    real = [[1] * (length + len(suffix) - 1) + [0] * (width + 1 - len(suffix)) for suffix in suffixes]
    logits = model(
        input_ids=torch.tensor(padded, device=device),
        attention_mask=torch.tensor(real, device=device),
        position_ids=prefix.positions(torch.arange(length, length + width, device=device), rows),
        past_key_values=_rows(prefix.cache, rows),
        use_cache=True,
    ).logits
    targets = [[[token] for token in suffix[1:]] + [[]] * (width + 1 - len(suffix)) for suffix in suffixes]
    return [
        [value for values in _log_probabilities(row, tokens) for value in values]
        for row, tokens in zip(logits, targets, strict=True)
    ]


def plain(model: Any, inputs: Inputs, suffixes: Sequence[Tokens]) -> list[float]:
    """Sum log-probabilities by one pass over prompt and candidate for each; the model finds its own positions.

    Args:
        model: The model.
        inputs: The prompt, as the processor makes it.
        suffixes: The candidates' tokens.
    """
    with torch.inference_mode():
        sums = []
        for suffix in suffixes:
            whole = dict(inputs)
            for name, value in token_inputs(inputs).items():
                filling = value.new_full((1, len(suffix)), 1 if name == "attention_mask" else 0)
                whole[name] = torch.cat([value, filling], dim=1)
            whole["input_ids"][0, -len(suffix) :] = torch.tensor(suffix, device=whole["input_ids"].device)
            logits = model(**whole, use_cache=False, logits_to_keep=len(suffix) + 1).logits[0, :-1]
            sums.append(sum(values[0] for values in _log_probabilities(logits, [[token] for token in suffix])))
        return sums


def _rows(cache: Any, rows: int) -> Any:
    """Return a copy of a cache with one row, repeated; what continues it does not change the original."""
    if not is_full_attention(cache):
        # Other layers write into their tensors, and only this way of repeating exists for all of them.
        repeated = copy.deepcopy(cache)
        if rows > 1:
            repeated.reorder_cache(torch.zeros(rows, dtype=torch.long))
        return repeated
    repeated = copy.copy(cache)
    repeated.layers = [copy.copy(layer) for layer in cache.layers]
    for layer in repeated.layers:
        # Views: the layer's update concatenates into new tensors.
        layer.keys, layer.values = (part.expand(rows, -1, -1, -1) for part in (layer.keys, layer.values))
    return repeated


def _cache_bytes(cache: Any) -> int:
    tensors: list[Any] = [getattr(layer, name, None) for layer in cache.layers for name in ("keys", "values")]
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors if tensor is not None)


def nodes_of(suffixes: Sequence[Tokens]) -> int:
    """Return how many tokens the tree of some candidates has."""
    return len({tuple(suffix[:end]) for suffix in suffixes for end in range(1, len(suffix))})


def _parts(suffixes: Sequence[Tokens], most: int) -> Iterator[list[Tokens]]:
    """Parts of the candidates, in order, whose trees have at most so many tokens each, or which are one candidate."""
    part: list[Tokens] = []
    stems: set[tuple[int, ...]] = set()
    for suffix in suffixes:
        own = {tuple(suffix[:end]) for end in range(1, len(suffix))}
        if part and len(stems | own) > most:
            yield part
            part, stems = [], set()
        part.append(suffix)
        stems |= own
    if part:
        yield part


def _log_probabilities(logits: torch.Tensor, targets: Sequence[Tokens]) -> list[list[float]]:
    """Return the log-probability of each row's target tokens, computed in float32 whatever the model's number type.

    Args:
        logits: ``[rows, vocabulary]``.
        targets: For each row, the tokens asked for.
    """
    log_probabilities: list[list[float]] = []
    for start in range(0, len(targets), _LOGIT_ROWS):
        rows = torch.log_softmax(logits[start : start + _LOGIT_ROWS].float(), dim=-1)
        block = targets[start : start + _LOGIT_ROWS]
        flat = [(row, token) for row, tokens in enumerate(block) for token in tokens]
        index = torch.tensor(flat, dtype=torch.long, device=rows.device).reshape(-1, 2)
        values = iter(rows[index[:, 0], index[:, 1]].tolist())
        log_probabilities += [[next(values) for _ in tokens] for tokens in block]
    return log_probabilities
