"""``python -m tests.bench.retrieval``: both directions of retrieval at the size of CVLUE's test split; one JSON out.

8,973 drawn picture vectors and five texts each, searched exactly with the ten nearest kept; then what scoring does with
the ranks: R@1, R@5 and R@10 with intervals over everything, over 92 categories and three groups of cultural distance.
``memory_mb`` is what each step took at its worst beyond what was there before it.
"""

import argparse
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import psutil

from evaluation.metrics.comparison import paired
from evaluation.metrics.retrieval import BLOCK_BYTES, recall_at, search_both_ways
from tests.bench.alone import load, machine, tell

PICTURES, EACH, WIDTH = 8_973, 5, 512
CATEGORIES, DISTANCES = 92, 3
Made = TypeVar("Made")


@contextmanager
def watched() -> Iterator[dict[str, float]]:
    """Seconds, those of the processor, and the most memory beyond what was held before, looked at every 5 ms."""
    told: dict[str, float] = {}
    process, over = psutil.Process(), threading.Event()
    before = most = process.memory_info().rss

    def look() -> None:
        nonlocal most
        while not over.wait(0.005):
            most = max(most, process.memory_info().rss)

    looking = threading.Thread(target=look)
    looking.start()
    begun, used = time.perf_counter(), time.process_time()
    try:
        yield told
    finally:
        told["seconds"] = round(time.perf_counter() - begun, 2)
        told["cpu_seconds"] = round(time.process_time() - used, 2)
        over.set()
        looking.join()
        told["memory_mb"] = round((most - before) / 1e6)


def timed(work: Callable[[], Made]) -> tuple[Made, dict[str, float]]:
    """Do it and tell what it took."""
    with watched() as told:
        made = work()
    return made, told


def drawn(pictures: int, width: int, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors of pictures, and of texts that lie about them."""
    rng = np.random.default_rng(seed)
    seen = rng.normal(size=(pictures, width)).astype(np.float32)
    seen /= np.linalg.norm(seen, axis=1, keepdims=True)
    read = np.repeat(seen, EACH, axis=0)
    read += noise * rng.normal(size=read.shape).astype(np.float32) / np.sqrt(width, dtype=np.float32)
    read /= np.linalg.norm(read, axis=1, keepdims=True)
    return seen, read


def main() -> None:
    """Measure and write the figures down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=PICTURES, help=f"default {PICTURES}")
    parser.add_argument("--width", type=int, default=WIDTH, help=f"numbers a vector (default {WIDTH})")
    parser.add_argument("--out", type=Path, help="where the figures go besides the screen")
    given = parser.parse_args()
    seen, read = drawn(given.pictures, given.width, 4.0, 0)
    own, owner = np.arange(given.pictures), np.repeat(np.arange(given.pictures), EACH)
    figures: dict[str, Any] = {
        "machine": machine(),
        "numpy": np.__version__,
        "load_before": load(),
        "pictures": given.pictures,
        "texts": len(read),
        "width": given.width,
        "vectors_mb": round((seen.nbytes + read.nbytes) / 1e6),
        "block_mb": BLOCK_BYTES / 1e6,
    }
    (t2i, i2t), figures["search"] = timed(lambda: search_both_ways(read, seen, text_owner=owner, picture_owner=own))
    whole = [recall_at(t2i.rank, k, cluster=owner, seed=1) for k in (1, 5, 10)]
    figures["recall"] = {f"t2i R@{r.k}": [round(r.value, 4), *(round(v, 4) for v in r.interval[:2])] for r in whole}
    figures["recall"] |= {f"i2t R@{k}": round(recall_at(i2t.rank, k).value, 4) for k in (1, 5, 10)}

    def groups() -> int:
        lines = 0
        for among in [own % CATEGORIES, own % DISTANCES, own * 0]:
            for group in range(int(among.max()) + 1):
                texts, pictures = among[owner] == group, among == group
                for k in (1, 5, 10):
                    recall_at(t2i.rank[texts], k, cluster=owner[texts], seed=1)
                    recall_at(i2t.rank[pictures], k)
                    lines += 2
        return lines

    figures["scores"], figures["intervals"] = timed(groups)
    hits = np.bincount(owner, weights=t2i.rank <= 1).astype(np.int64)
    others = np.roll(hits, 1)
    compared, figures["comparison"] = timed(
        lambda: paired(np.maximum(hits - others, 0), np.maximum(others - hits, 0), np.full(len(own), EACH), seed=1)
    )
    figures["comparison"]["p"] = compared.p or 0.0
    tell(figures, given.out)


if __name__ == "__main__":
    main()
