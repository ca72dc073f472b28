"""``python -m tests.bench.gpu``: the model workers' code on a GPU; one JSON out.

A Qwen2.5-VL with random weights, as large as asked (the default has some three billion parameters), is written to a
temporary folder and loaded as a worker loads it.

- *memory*: what was planned beside what was used, after loading and at the largest batch.
- *replies*: questions about pictures, 64 tokens each, one at a time and in batches.
- *batches*: how many replies are the same alone and together, in float32 and in bfloat16.
- *dialogue*, *circular*: ranking beside plain passes, as in :mod:`tests.bench.ranking`.
- *full*: how replies and ranking get along when the memory is taken: halved once, then refused; refused before loading.
- *families*: what each tiny model's route differs from plain passes, in float32, float16 and bfloat16.

Needs no database and no settings; the model is drawn and kept on the GPU while it is written.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import torch
import transformers

from curation.prompts.rules import Message, Picture
from evaluation.backends import routes
from evaluation.backends.asks import Ask, Decoding
from evaluation.backends.errors import ModelOutOfMemory, ModelTooLarge, RouteDiffers
from evaluation.backends.generate import LocalGenerator
from evaluation.backends.likelihood import LocalRanker
from evaluation.backends.vision_language import LanguageModel
from tests.bench.dialogues import LETTERS, SIDE, dialogue, letters, shifts
from tests.evaluation.backends.tiny_models import FAMILIES, picture, write_qwen2_5_vl

T = TypeVar("T")
GB = 1e9


def clocked(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds by the clock, with all that the GPU was asked for, and the result."""
    torch.cuda.synchronize()
    begun = time.perf_counter()
    result = work()
    torch.cuda.synchronize()
    return time.perf_counter() - begun, result


def used() -> tuple[float, float]:
    """Gigabytes in use now, and the most since the last question."""
    now, most = torch.cuda.memory_allocated() / GB, torch.cuda.max_memory_allocated() / GB
    torch.cuda.reset_peak_memory_stats()
    return round(now, 2), round(most, 2)


def write(folder: Path, hidden: int, layers: int) -> None:
    """Write the model, with heads of 128 numbers; its pictures may have 256 tokens."""
    heads = (hidden // 128, hidden // 128 // 7 or 1)
    encoder = {"depth": 8, "hidden_size": 1280, "intermediate_size": 3456, "num_heads": 16}
    with torch.device("cuda"):
        write_qwen2_5_vl(folder, hidden=hidden, layers=layers, heads=heads, spread=1.0, **encoder)
    torch.cuda.empty_cache()
    file = folder / "preprocessor_config.json"
    settings = json.loads(file.read_text())
    settings["size"] = {**settings["size"], "longest_edge": SIDE * SIDE}
    file.write_text(json.dumps(settings))


def questions(count: int) -> list[Ask]:
    """Questions of 60 to 120 tokens, each about a picture of its own."""
    draw = random.Random(3)
    return [
        Ask(
            (Message("user", (Picture(), letters(draw, 60, 120))),),
            picture=picture(SIDE, SIDE, seed=n),
            picture_key=str(n),
        )
        for n in range(count)
    ]


def measure_replies(loaded: LanguageModel, count: int) -> dict[str, Any]:
    """Reply to questions in batches, and to the first eight one at a time."""
    asks, decoding = questions(count), Decoding(max_tokens=64)
    generator = LocalGenerator(loaded)
    generator.generate(asks[:2], decoding)
    used()
    seconds, together = clocked(lambda: generator.generate(asks, decoding))
    memory = used()
    few = asks[:8]
    alone, _ = clocked(lambda: [generator.generate([ask], decoding)[0] for ask in few])
    return {
        "questions": count,
        "batch": generator.plan.batch,
        "seconds": round(seconds, 2),
        "seconds_one_by_one": round(alone * count / len(few), 1),
        "replies_a_second": round(count / seconds, 1),
        "tokens_a_second": round(sum(said.tokens_out for said in together) / seconds),
        "most_gigabytes": memory[1],
    }


def measure_batches(folder: Path, dtype: str, count: int) -> dict[str, Any]:
    """How many replies are the same alone and together."""
    generator = LocalGenerator(LanguageModel.load(folder, dtype=dtype, longest_prompt=512, most=64))
    asks, decoding = questions(count), Decoding(max_tokens=32)
    together = generator.generate(asks, decoding)
    alone = [generator.generate([ask], decoding)[0] for ask in asks]
    same = sum(a.text == b.text for a, b in zip(together, alone, strict=True))
    return {"dtype": dtype, "equal": same, "of": count}


def measure_ranking(loaded: LanguageModel, rounds: int, candidates: int, count: int) -> dict[str, Any]:
    """Rank dialogues and the letters of circular shifts, and both by plain passes."""
    ranker = LocalRanker(loaded)
    asks = dialogue(random.Random(1), picture(SIDE, SIDE), rounds, candidates)
    ranker.rank(*asks[0])
    ranker.memory.clear()
    seconds, ours = clocked(lambda: [ranker.rank(asked, some).sums for asked, some in asks])
    split = [ranker._split(asked, some, count_end=True) for asked, some in asks]
    slow, plain = clocked(lambda: [routes.plain(loaded.model, inputs, suffixes) for inputs, suffixes in split])
    apart = [abs(a - b) for mine, theirs in zip(ours, plain, strict=True) for a, b in zip(mine, theirs, strict=True)]
    best = sum(
        max(range(candidates), key=mine.__getitem__) == max(range(candidates), key=theirs.__getitem__)
        for mine, theirs in zip(ours, plain, strict=True)
    )
    turned = [shifts(random.Random(n), picture(SIDE, SIDE, seed=n)) for n in range(count)]
    together, _ = clocked(lambda: [ranker.rank_all(some, LETTERS, count_end=False) for some in turned])
    ranker.memory.clear()

    def by_itself(asked: Ask) -> None:
        ranker.memory.clear()
        ranker.rank(asked, LETTERS, count_end=False)

    in_turn, _ = clocked(lambda: [by_itself(asked) for some in turned for asked in some])
    return {
        "record": ranker.describe(),
        "dialogue": {
            "rounds": rounds,
            "candidates": candidates,
            "seconds": round(seconds, 2),
            "plain_seconds": round(slow, 2),
            "times": round(slow / seconds, 1),
            "largest_difference": round(max(apart), 4),
            "mean_difference": round(sum(apart) / len(apart), 4),
            "equal_first_ranks": best,
        },
        "circular": {
            "questions": count,
            "seconds": round(together, 2),
            "one_by_one_seconds": round(in_turn, 2),
            "times": round(in_turn / together, 1),
        },
    }


def leave(gigabytes: float) -> torch.Tensor:
    """Take all memory of the GPU but so much; free again when the result is."""
    torch.cuda.empty_cache()
    free = torch.cuda.mem_get_info()[0]
    return torch.empty(max(0, free - int(gigabytes * GB)), dtype=torch.uint8, device="cuda")


def measure_full(folder: Path, loaded: LanguageModel, rooms: list[float]) -> dict[str, Any]:
    """Reply and rank with less and less room."""
    asks, decoding = questions(32), Decoding(max_tokens=64)
    told: dict[str, Any] = {"replies": [], "ranking": []}
    [(asked, candidates)] = dialogue(random.Random(1), picture(SIDE, SIDE), 1, 100)
    for room in rooms:
        generator, taken = LocalGenerator(loaded), leave(room)
        try:
            generator.generate(asks, decoding)
            outcome = "halved" if generator.halved else "whole"
        except ModelOutOfMemory as error:
            outcome = f"refused: {error.params}"
        told["replies"].append({"room": room, "outcome": outcome, "batch": generator.plan.batch})
        del taken
        torch.cuda.empty_cache()
        ranker = LocalRanker(loaded)
        taken = leave(room)
        try:
            ranker.rank(asked, candidates)
            outcome = "halved" if ranker.halved else "whole"
        except ModelOutOfMemory as error:
            outcome = f"refused: {error.params}"
        told["ranking"].append({"room": room, "outcome": outcome})
        del taken, ranker
        torch.cuda.empty_cache()
    taken = leave(1.0)
    try:
        LanguageModel.load(folder)
        told["loading"] = "loaded"
    except ModelTooLarge as error:
        told["loading"] = error.params
    del taken
    torch.cuda.empty_cache()
    return told


def measure_families(root: Path) -> list[dict[str, Any]]:
    """What each family's route differs from plain passes, by number type."""
    rows = []
    for name, make in FAMILIES.items():
        folder = make(root / name)
        for dtype in ("float32", "float16", "bfloat16"):
            row: dict[str, Any] = {"family": name, "dtype": dtype}
            try:
                facts = LocalRanker(LanguageModel.load(folder, dtype=dtype)).describe()
                row |= {"route": facts["route"], "difference": facts["route_difference"]}
            except RouteDiffers as error:
                row |= {"refused": error.params}
            rows.append(row)
    return rows


def main() -> None:
    """Write the model, measure, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hidden", type=int, default=3584)
    parser.add_argument("--layers", type=int, default=28)
    parser.add_argument("--questions", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--rooms", type=float, nargs="*", default=[8, 2, 1, 0.5, 0.2, 0.05], help="gigabytes")
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    figures: dict[str, Any] = {
        "device": torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }

    def tell(**more: Any) -> None:
        figures.update(more)
        print(json.dumps(more), flush=True)
        if given.out:
            given.out.write_text(json.dumps(figures, indent=1))

    with tempfile.TemporaryDirectory() as root:
        tell(families=measure_families(Path(root)))
        folder = Path(root) / "large"
        seconds, _ = clocked(lambda: write(folder, given.hidden, given.layers))
        tell(written={"seconds": round(seconds, 1)})
        used()
        free = torch.cuda.mem_get_info()[0] / GB
        seconds, loaded = clocked(lambda: LanguageModel.load(folder, longest_prompt=512, most=64))
        weights = sum(one.numel() * one.element_size() for one in loaded.model.parameters()) / GB
        tell(
            loaded={
                "seconds": round(seconds, 1),
                "weights_gigabytes": round(weights, 2),
                "gigabytes_after": used()[0],
                "free_before": round(free, 1),
                "plan": loaded.plan._asdict(),
                "record": loaded.describe(),
            }
        )
        tell(replies=measure_replies(loaded, given.questions))
        tell(batches=[measure_batches(folder, dtype, 8) for dtype in ("float32", "bfloat16")])
        tell(ranking=measure_ranking(loaded, given.rounds, given.candidates, 10))
        tell(full=measure_full(folder, loaded, given.rooms))


if __name__ == "__main__":
    os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
    main()
