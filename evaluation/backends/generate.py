"""Replies of a loaded language model: prompts of similar length go through it together.

A reply does not depend on what else is in the batch, apart from rounding: prompts are padded on the left, and a draw
has a generator of its own, seeded with the prompt.
"""

from __future__ import annotations

import gc
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import torch
from transformers import LogitsProcessorList

from evaluation.backends.asks import Ask, Decoding, Generated
from evaluation.backends.errors import InputTooLong, ModelOutOfMemory
from evaluation.backends.pictures import processed_size
from evaluation.backends.vision_language import Inputs, LanguageModel, ran_out_of_memory

# Asks whose inputs are in memory at once; a large picture takes 25 MB of it.
_WINDOW = 64

#: Inputs with one value for each token; they are padded.
_OF_TOKENS: Final = ("input_ids", "attention_mask", "mm_token_type_ids", "token_type_ids")
#: Inputs of pictures; one after the other, as their tokens are.
_OF_PICTURES: Final = ("pixel_values", "image_grid_thw", "image_sizes", "pixel_attention_mask")


#: Special tokens that mark objects and boxes in replies of Qwen2-VL and InternVL. They are kept, as the only special
#: tokens, because they are content: they tell a box from other numbers.
_OF_BOXES: Final = (
    *("<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>"),
    *("<ref>", "</ref>", "<box>", "</box>", "<quad>", "</quad>"),
)


class _Prompt(NamedTuple):
    """The inputs of one ask; ``limit`` is the longest reply in tokens, ``picture_size`` that of :class:`Generated`."""

    place: int
    inputs: Inputs
    tokens: int
    limit: int
    seed: int
    picture_size: tuple[int, int] | None


class LocalGenerator:
    """Replies with a loaded model. Not for several threads."""

    def __init__(self, loaded: LanguageModel) -> None:
        self.loaded = loaded
        self.plan = loaded.plan
        self.halved = False
        added = loaded.tokenizer.get_added_vocab()
        self.box_tokens = frozenset(added[token] for token in _OF_BOXES if token in added)

    def generate(self, asks: Sequence[Ask], decoding: Decoding) -> list[Generated]:
        """Return one reply per ask, in their order.

        ``tokens_out`` counts the token that ends a reply.

        Raises:
            SystemRefusedInput: The model cannot read one of the asks.
            ModelReadsNoPictures: An ask has a picture, and the model reads texts only.
            ModelOutOfMemory: The memory ran out, also with half of the batch.
        """
        replies: dict[int, Generated] = {}
        for first in range(0, len(asks), _WINDOW):
            window = enumerate(asks[first : first + _WINDOW], first)
            prompts = [self._prompt(place, ask, decoding) for place, ask in window]
            for batch in self._batches(prompts):
                replies |= self._replies(batch, decoding)
            # Near the model's longest position limits differ: what a shorter one of the batch cut begins again.
            cut = [prompt for prompt in prompts if prompt.place not in replies]
            for batch in self._batches(cut, equal_limits=True):
                replies |= self._replies(batch, decoding)
        return [replies[place] for place in range(len(asks))]

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record; ``halved`` says that the memory ran out once."""
        return {**self.loaded.describe(), "batch": self.plan.batch, "halved": self.halved}

    # --- Batches ------------------------------------------------------------------------------------------------------

    def _prompt(self, place: int, ask: Ask, decoding: Decoding) -> _Prompt:
        inputs = self.loaded.encode(ask)
        tokens = inputs["input_ids"].shape[1]
        limit = min(decoding.max_tokens, self.loaded.longest - tokens)
        if limit < 1:
            raise InputTooLong(reason=f"The prompt has {tokens} tokens and leaves {self.loaded.name} none for a reply.")
        what = f"{decoding.seed}:{ask.picture_key}:{inputs['input_ids'].tolist()}"
        seed = int.from_bytes(hashlib.sha256(what.encode()).digest()[:7])
        image_processor = getattr(self.loaded.processor, "image_processor", None)
        size = processed_size(ask, inputs, image_processor, self.loaded.max_pixels)
        return _Prompt(place, inputs, tokens, limit, seed, size)

    def _batches(self, prompts: list[_Prompt], *, equal_limits: bool = False) -> Iterator[list[_Prompt]]:
        """Yield batches of prompts that fit together, shortest first."""
        alike: dict[Any, list[_Prompt]] = defaultdict(list)
        for prompt in sorted(prompts, key=lambda prompt: prompt.tokens):
            alike[_form(prompt), prompt.limit if equal_limits else None].append(prompt)
        for group in alike.values():
            batch: list[_Prompt] = []
            for prompt in group:
                if batch and len(batch) >= self.plan.batch_of(prompt.tokens + prompt.limit):
                    yield batch
                    batch = []
                batch.append(prompt)
            yield batch

    def _replies(self, batch: list[_Prompt], decoding: Decoding) -> dict[int, Generated]:
        try:
            return self._run(batch, decoding)
        except (RuntimeError, MemoryError) as error:
            if not ran_out_of_memory(error):
                raise
            if self.halved or len(batch) == 1:
                tokens = max(prompt.tokens + prompt.limit for prompt in batch)
                raise ModelOutOfMemory(model=self.loaded.name, batch=len(batch), tokens=tokens) from error
        # Not inside the handler: the error holds on to what was computed so far.
        self.halved = True
        self.plan = self.plan.halved()
        gc.collect()
        if self.loaded.device.type == "cuda":
            torch.cuda.empty_cache()
        half = (len(batch) + 1) // 2
        return self._replies(batch[:half], decoding) | self._replies(batch[half:], decoding)

    # --- One batch ----------------------------------------------------------------------------------------------------

    def _run(self, batch: list[_Prompt], decoding: Decoding) -> dict[int, Generated]:
        """Return the replies that ended, or reached their own limit, within the shortest limit of the batch."""
        model, tokenizer = self.loaded.model, self.loaded.tokenizer
        inputs = self.loaded.on_device(joined([prompt.inputs for prompt in batch], tokenizer.pad_token_id))
        draws = LogitsProcessorList()
        if decoding.temperature > 0:
            draws.append(_Draw([prompt.seed for prompt in batch], decoding.temperature))
        limit = min(prompt.limit for prompt in batch)
        with torch.inference_mode():
            written = model.generate(
                **inputs, max_new_tokens=limit, do_sample=False, logits_processor=draws, use_cache=True
            )
        start = inputs["input_ids"].shape[1]
        rows = written[:, start:].tolist()
        return {
            prompt.place: self._reply(prompt, row)
            for prompt, row in zip(batch, rows, strict=True)
            if prompt.limit == limit or not self.loaded.ends.isdisjoint(row)
        }

    def _reply(self, prompt: _Prompt, row: list[int]) -> Generated:
        ends = self.loaded.ends
        end = next((i for i, token in enumerate(row) if token in ends), None)
        ids = row[:end]
        text = self._text(ids)
        if end is None:
            return Generated(text, "length", prompt.tokens, len(ids), prompt.picture_size)
        return Generated(text, "stop", prompt.tokens, len(ids) + 1, prompt.picture_size)

    def _text(self, ids: list[int]) -> str:
        decode = self.loaded.tokenizer.decode
        return "".join(
            decode(list(part), skip_special_tokens=not marks_boxes, clean_up_tokenization_spaces=False)
            for marks_boxes, part in groupby(ids, self.box_tokens.__contains__)
        )


class _Draw:
    """Draws each row's token with its own generator: the largest of logit / temperature + Gumbel noise.

    The noise comes from the processor, so that it is the same on every machine.
    """

    def __init__(self, seeds: Sequence[int], temperature: float) -> None:
        self.generators = [torch.Generator().manual_seed(seed) for seed in seeds]
        self.temperature = temperature

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        waits = [torch.empty(scores.shape[-1]).exponential_(generator=generator) for generator in self.generators]
        noise = -torch.stack(waits).clamp_min(torch.finfo(torch.float32).tiny).log()
        return scores.float() / self.temperature + noise.to(scores.device)


def joined(prompts: Sequence[Inputs], pad: int) -> Inputs:
    """Put the inputs of several prompts into one batch, padded on the left, where the model never writes."""
    longest = max(inputs["input_ids"].shape[1] for inputs in prompts)
    batch: Inputs = {}
    for name in prompts[0]:
        rows = [inputs[name] for inputs in prompts]
        if name in _OF_TOKENS:
            value = pad if name == "input_ids" else 0
            rows = [torch.nn.functional.pad(row, (longest - row.shape[1], 0), value=value) for row in rows]
        batch[name] = torch.cat(rows)
    return batch


def _form(prompt: _Prompt) -> Any:
    """What prompts of one batch have in common; inputs that are not known here are never put together."""
    if not prompt.inputs.keys() <= {*_OF_TOKENS, *_OF_PICTURES}:
        return prompt.place
    shapes = {name: tuple(prompt.inputs[name].shape[1:]) for name in _OF_PICTURES if name in prompt.inputs}
    return (tuple(sorted(prompt.inputs)), tuple(sorted(shapes.items())))
