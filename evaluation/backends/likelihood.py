"""Ranking by likelihood with a model in this process: how probable it finds complete candidates as its reply.

The prompt is computed once for all candidates, and what it shares with the prompt before is not computed again, so
questions about one picture should follow each other: rounds of a dialogue, circular shifts. Option letters are
candidates of one token and need no pass beyond the prompt's.

When a model is loaded, three candidates are compared with plain passes (:mod:`evaluation.backends.routes`). In float32
the route must agree within a thousandth of a nat. In half precision routes differ by a tenth of a nat and more, which
moves ranks, so the route and the number type belong to a run's record and never change within a run.
"""

from __future__ import annotations

import gc
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import torch
from PIL import Image

from curation.prompts.rules import Message, Picture
from evaluation.backends import routes
from evaluation.backends.asks import Ask, Ranked, Ranker
from evaluation.backends.candidates import Tokens, common_prefix, reply_frame, split
from evaluation.backends.errors import ModelOutOfMemory, RouteDiffers
from evaluation.backends.pictures import remember_newest
from evaluation.backends.prefixes import (
    Inputs,
    PrefixMemory,
    is_full_attention,
    last_picture_token,
    same_pictures,
    with_tokens,
)
from evaluation.backends.routes import Route
from evaluation.backends.vision_language import LanguageModel, ran_out_of_memory

#: The largest difference to plain passes, in nats, that a route may have in float32.
TOLERANCE: Final = 1e-3

# Kinds of attention that take a mask with a number for each pair of tokens.
_MASKED_ATTENTION: Final = ("sdpa", "eager")
_CHECK_QUESTIONS: Final = ("图中有什么？", "图中的灯笼是什么颜色的？ What colour is the lantern?")
_CHECK_CANDIDATES: Final = ("红色", "红色的灯笼挂在门前", "a red lantern in front of a door")


class LocalRanker(Ranker):
    """Ranks candidates with a loaded model. Not for several threads."""

    def __init__(self, loaded: LanguageModel, *, route: Route | None = None, budget: int = routes.PASS_BYTES) -> None:
        """Choose the route and check it.

        Args:
            loaded: The model.
            route: How candidates are computed; None: the fastest that the model's layers allow.
            budget: Bytes of one pass' logits, keys and values at most.

        Raises:
            BackendFilesUnfit: The model has no token that ends a reply.
            RouteDiffers: In float32 the route gives other results than plain passes.
        """
        self.loaded = loaded
        if loaded.processor is not None:
            remember_newest(loaded.processor.image_processor)
        self.frame = reply_frame(loaded.tokenizer, self._rendered)
        self.memory = PrefixMemory(loaded.model)
        self.budget = budget
        self.nodes: int | None = None  # tokens of one pass at most, once the memory ran out
        self.route: Route = route or self._fastest_route()
        self.difference = self._difference_to_plain()

    @property
    def halved(self) -> bool:
        """Whether the memory ran out once."""
        return self.nodes is not None

    def rank(self, ask: Ask, candidates: Sequence[str], *, count_end: bool = True) -> Ranked:
        """Return the log-probabilities of complete candidates as the reply.

        Args:
            ask: The prompt.
            candidates: Complete replies, as the model would write them.
            count_end: Whether the token that ends the reply is summed as well.

        Raises:
            SystemRefusedInput: A candidate is empty.
            ModelOutOfMemory: The memory ran out, also with smaller passes.
        """
        inputs, suffixes = self._split(ask, candidates, count_end=count_end)
        sums = self._halving(lambda: self._sums(inputs, suffixes), inputs["input_ids"].shape[1], suffixes)
        return _ranked(candidates, suffixes, sums)

    def rank_all(self, asks: Sequence[Ask], candidates: Sequence[str], *, count_end: bool = True) -> list[Ranked]:
        """Rank the same candidates for several prompts, as for the shifts of a question.

        Where the route allows it, the prompts' different ends are computed together, which is faster than one after the
        other. Arguments and errors are those of :meth:`rank`.
        """
        split = [self._split(ask, candidates, count_end=count_end) for ask in asks]
        shared = self._shared_beginning([inputs for inputs, _ in split])
        if not shared:
            return [self.rank(ask, candidates, count_end=count_end) for ask in asks]
        prompts = [inputs["input_ids"][0].tolist() for inputs, _ in split]
        beginning = with_tokens(split[0][0], prompts[0][:shared], shared)
        whole = [prompt[shared:] + suffix for prompt, (_, own) in zip(prompts, split, strict=True) for suffix in own]
        skipped = [len(prompt) - shared for prompt in prompts for _ in candidates]
        sums = self._halving(
            lambda: routes.packed(
                self.loaded.model,
                self.memory.after(beginning),
                whole,
                self.budget,
                skipped,
                self.nodes or routes.MAX_NODES,
            ),
            shared,
            whole,
        )
        size = len(candidates)
        return [_ranked(candidates, own, sums[i * size : (i + 1) * size]) for i, (_, own) in enumerate(split)]

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record."""
        model = self.loaded.model
        return {
            "device": torch.cuda.get_device_name() if model.device.type == "cuda" else model.device.type,
            "dtype": _dtype(model),
            "model_type": model.config.model_type,
            "route": self.route,
            "route_difference": self.difference,
            "reply_lead": self.frame.lead,
            "reply_end": self.loaded.tokenizer.convert_ids_to_tokens(self.frame.end),
            "halved": self.halved,
        }

    def _inputs(self, ask: Ask) -> Inputs:
        return self.loaded.on_device(self.loaded.encode(ask))

    def _rendered(self, messages: list[tuple[str, str]], reply_follows: bool) -> str:
        """What the chat template makes of texts by role."""
        writer = self.loaded.processor or self.loaded.tokenizer
        chat = [
            {"role": role, "content": [{"type": "text", "text": text}] if self.loaded.processor else text}
            for role, text in messages
        ]
        options = {"add_generation_prompt": reply_follows, "tokenize": False, **self.loaded.template}
        return str(writer.apply_chat_template(chat, **options))

    def _split(self, ask: Ask, candidates: Sequence[str], *, count_end: bool) -> tuple[Inputs, list[Tokens]]:
        inputs = self._inputs(ask)
        prompt = [int(token) for token in inputs["input_ids"][0]]
        parts = split(self.loaded.tokenizer, prompt, candidates, self.frame, count_end=count_end)
        return with_tokens(inputs, parts.prefix, parts.kept), parts.suffixes

    def _sums(self, inputs: Inputs, suffixes: list[Tokens]) -> list[float]:
        if self.route == "plain":
            return routes.plain(self.loaded.model, inputs, suffixes)
        prefix = self.memory.after(inputs)
        if self.route == "packed":
            return routes.packed(self.loaded.model, prefix, suffixes, self.budget, nodes=self.nodes or routes.MAX_NODES)
        return routes.cached(self.loaded.model, prefix, suffixes, self.budget, self.nodes)

    def _shared_beginning(self, prompts: Sequence[Inputs]) -> int:
        """How many tokens prompts share, with all their pictures; 0 if they are not to be computed together."""
        if self.route != "packed" or len(prompts) < 2:
            return 0
        first, *others = prompts
        ids = first["input_ids"][0].tolist()
        shared = min(common_prefix(ids, other["input_ids"][0].tolist()) for other in others)
        same = all(same_pictures(first, other) for other in others)
        return shared if same and shared > max(0, last_picture_token(self.loaded.model, first)) else 0

    def _halving(self, compute: Callable[[], list[float]], prompt: int, suffixes: Sequence[Tokens]) -> list[float]:
        """Compute sums; in passes of half the size from then on if the memory runs out, once.

        Args:
            compute: Computes the sums within ``nodes`` and ``budget``.
            prompt: Tokens of the prompt.
            suffixes: The candidates' tokens.

        Raises:
            ModelOutOfMemory: It runs out again.
        """
        try:
            return compute()
        except (RuntimeError, MemoryError) as error:
            if not ran_out_of_memory(error):
                raise
            if self.halved:
                longest = prompt + max(map(len, suffixes))
                raise ModelOutOfMemory(model=self.loaded.name, batch=len(suffixes), tokens=longest) from error
        # Not inside the handler: the error holds on to what was computed so far.
        self.nodes = max(1, min(routes.MAX_NODES, routes.nodes_of(suffixes)) // 2)
        self.budget //= 2
        self.memory.clear()
        gc.collect()
        if self.loaded.model.device.type == "cuda":
            torch.cuda.empty_cache()
        return self._halving(compute, prompt, suffixes)

    def _fastest_route(self) -> Route:
        model = self.loaded.model
        if not {"past_key_values", "position_ids"} <= inspect.signature(model.forward).parameters.keys():
            return "plain"
        prefix = self.memory.after(self._inputs(self._check_asks()[0]))
        masked = model.config.get_text_config()._attn_implementation in _MASKED_ATTENTION  # noqa: SLF001  (no other way)
        return "packed" if masked and is_full_attention(prefix.cache) else "cached"

    def _difference_to_plain(self) -> float:
        """Compare with plain passes, also for a prompt that continues another one's cache.

        Raises:
            RouteDiffers: In float32 they differ by more than the tolerance, or a result is no number.
        """
        difference = 0.0
        for ask in self._check_asks():
            inputs, suffixes = self._split(ask, _CHECK_CANDIDATES, count_end=True)
            ours, theirs = self._sums(inputs, suffixes), routes.plain(self.loaded.model, inputs, suffixes)
            difference = max([difference, *(_distance(one, other) for one, other in zip(ours, theirs, strict=True))])
        self.memory.clear()
        exact = _dtype(self.loaded.model) == "float32"
        if math.isinf(difference) or (exact and difference > TOLERANCE):
            raise RouteDiffers(model=self.loaded.name, route=self.route, difference=f"{difference:.2g}")
        return difference

    def _check_asks(self) -> list[Ask]:
        if self.loaded.processor is None:
            return [Ask((Message("user", (question,)),)) for question in _CHECK_QUESTIONS]
        # A gradient: every part of it looks different.
        picture = Image.merge("RGB", [Image.linear_gradient("L").rotate(90 * turn) for turn in range(3)])
        picture = picture.resize((224, 168))
        return [
            Ask((Message("user", (Picture(), question)),), picture=picture, picture_key="check")
            for question in _CHECK_QUESTIONS
        ]


def _ranked(candidates: Sequence[str], suffixes: Sequence[Tokens], sums: Sequence[float]) -> Ranked:
    lengths = (len(candidate.encode()) for candidate in candidates)
    return Ranked(tuple(sums), tuple(map(len, suffixes)), tuple(lengths))


def _distance(one: float, other: float) -> float:
    """How far apart two sums are; infinite if one is no number."""
    return abs(one - other) if math.isfinite(one) and math.isfinite(other) else math.inf


def _dtype(model: Any) -> str:
    return str(model.dtype).removeprefix("torch.")
