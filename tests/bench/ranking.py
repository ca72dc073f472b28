"""``python -m tests.bench.ranking``: ranking by likelihood beside plain passes; one JSON out.

A Qwen2.5-VL with random weights and 25 million parameters, in float32 on one core; texts of random letters, of which
the tokenizer makes about as many tokens as a published one makes of the papers' Chinese.

- *dialogue*: ten rounds about one picture of 256 tokens, 100 candidates each, as CVLUE has them: picture, caption and
  history first, the instruction after them, a third of the candidates with a stem in common. Beside it: one pass over
  prompt and candidate for each.
- *circular*: questions with four options in all four shifts, letters as candidates; the shifts computed together, and
  one after the other (``times_in_turn``). Beside it: a pass over the prompt for each shift, whose last logits have the
  four letters.

``--every 10`` computes only each tenth candidate by a plain pass and multiplies the time: the passes are independent.
Seconds are processor time of this process, because the machine may have other work; ``tokens`` are those that the
decoder computes, which needs no clock.
"""

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import torch

from evaluation.backends import routes
from evaluation.backends.asks import Ask
from evaluation.backends.likelihood import LocalRanker
from evaluation.backends.vision_language import LanguageModel
from tests.bench.alone import load, machine, tell
from tests.bench.dialogues import LETTERS, SIDE, dialogue, shifts
from tests.evaluation.backends.tiny_models import picture, write_qwen2_5_vl


def model(folder: Path) -> LanguageModel:
    """The model, whose pictures may have 256 tokens; a tenth of it encodes them, as in the published one."""
    encoder = {"depth": 3, "hidden_size": 192, "intermediate_size": 768, "num_heads": 6}
    write_qwen2_5_vl(folder, hidden=512, layers=10, spread=1.5, **encoder)
    file = folder / "preprocessor_config.json"
    settings = json.loads(file.read_text())
    settings["size"] = {**settings["size"], "longest_edge": SIDE * SIDE}
    file.write_text(json.dumps(settings))
    return LanguageModel.load(folder)


def timed(work: Callable[[], list[Sequence[float]]]) -> tuple[float, list[Sequence[float]]]:
    """Processor time and result."""
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result


def compared(ours: Any, plain: Any, tokens: tuple[int, int], share: float = 1.0) -> dict[str, Any]:
    """The figures of two ways to the same sums."""
    (seconds, sums), (longer, reference) = ours, plain
    pairs = [
        (one, other)
        for mine, theirs in zip(sums, reference, strict=True)
        for one, other in zip(mine, theirs, strict=True)
    ]
    return {
        "seconds": round(seconds, 2),
        "plain_seconds": round(longer / share, 2),
        "times": round(longer / share / seconds, 1),
        "tokens": tokens[0],
        "plain_tokens": tokens[1],
        "times_by_tokens": round(tokens[1] / tokens[0], 1),
        "compared": len(pairs),
        "largest_difference": max(abs(one - other) for one, other in pairs),
    }


def measure_dialogue(loaded: LanguageModel, rounds: int, count: int, every: int) -> dict[str, Any]:
    """Rank every round both ways."""
    asks = dialogue(random.Random(1), picture(SIDE, SIDE), rounds, count)
    ranker = LocalRanker(loaded)
    split = [ranker._split(asked, candidates, count_end=True) for asked, candidates in asks]
    nodes = sum(_read(suffixes) for _, suffixes in split)
    plain_tokens = sum(len(s) + inputs["input_ids"].shape[1] for inputs, suffixes in split for s in suffixes)
    before = ranker.memory.computed
    seconds, sums = timed(lambda: [ranker.rank(asked, candidates).sums for asked, candidates in asks])
    tokens = ranker.memory.computed - before + nodes
    plain = timed(lambda: [routes.plain(loaded.model, inputs, suffixes[::every]) for inputs, suffixes in split])
    ours = seconds, [some[::every] for some in sums]
    return compared(ours, plain, (tokens, plain_tokens), len(range(0, count, every)) / count) | {
        "prompt_tokens": [inputs["input_ids"].shape[1] for inputs, _ in split],
        "tokens_a_candidate": round(sum(len(s) for _, some in split for s in some) / (rounds * count), 1),
    }


def measure_circular(loaded: LanguageModel, questions: int) -> dict[str, Any]:
    """Rank the letters of every shift: the shifts together, one after the other, and each by itself."""
    draw = random.Random(2)
    asks = [shifts(draw, picture(SIDE, SIDE, seed=n)) for n in range(questions)]
    every = [asked for some in asks for asked in some]
    ranker = LocalRanker(loaded)

    def by_itself(asked: Ask) -> Sequence[float]:
        ranker.memory.clear()
        return ranker.rank(asked, LETTERS, count_end=False).sums

    together = timed(lambda: [one.sums for some in asks for one in ranker.rank_all(some, LETTERS, count_end=False)])
    before = ranker.memory.computed
    in_turn, _ = timed(lambda: [ranker.rank(asked, LETTERS, count_end=False).sums for asked in every])
    tokens = ranker.memory.computed - before
    plain = timed(lambda: [by_itself(asked) for asked in every])
    figures = compared(together, plain, (tokens, ranker.memory.computed - before - tokens))
    return figures | {"questions": questions, "times_in_turn": round(plain[0] / in_turn, 1)}


def _read(suffixes: list[list[int]]) -> int:
    """How many tokens the candidates' tree has."""
    return len({tuple(suffix[:end]) for suffix in suffixes for end in range(1, len(suffix))})


def main() -> None:
    """Build the model, measure, write the figures down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument(
        "--every", type=int, default=1, help="which candidates are computed by plain passes (default 1)"
    )
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    torch.set_num_threads(1)
    before = load()
    with tempfile.TemporaryDirectory() as folder:
        loaded = model(Path(folder))
        figures = {
            "machine": machine(),
            "load_before": before,
            "parameters": sum(weights.numel() for weights in loaded.model.parameters()),
            "record": LocalRanker(loaded).describe(),
            "circular": measure_circular(loaded, given.questions),
            "dialogue": measure_dialogue(loaded, given.rounds, given.candidates, given.every),
            "load_after": load(),
        }
    tell(figures, given.out)


if __name__ == "__main__":
    main()
