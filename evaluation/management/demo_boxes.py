"""The demo's boxes: packages in every state, some of whose pictures two people boxed."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from annotation.items.models import Item
from annotation.kinds.boxes import KIND
from curation.benchmarks.models import Benchmark
from curation.people.models import Person
from evaluation.management.demo_packages import DemoPackages
from fixtures import scenes

# In the order of the packages, whose writers alternate; the last one is free. With this seed the two items of each
# double are with different writers, and both in packages that were submitted.
FATES: Final = ("passed", "passed", "passed", "passed", "passed", "reviewing")
BUILD_SEED: Final = 285


def fill(
    benchmark: Benchmark, people: Mapping[str, Person], seed_of: Mapping[int, int], key: Callable[..., uuid.UUID]
) -> None:
    """Box the pictures of subset A; the second annotator is hasty.

    Args:
        benchmark: The benchmark.
        people: Its people by log-in.
        seed_of: The scene of each picture.
        key: Makes the client key of a step.
    """
    categories = frozenset(benchmark.categories.values_list("slug", flat=True))

    def content_of(item: Item, is_second: bool) -> dict[str, Any]:
        scene = scenes.scene(seed_of[item.image_id])
        drawn = (scenes.hasty_boxes if is_second else scenes.boxes)(scene, categories)
        return {
            "boxes": [{"key": f"b{n}", "category": box.slug, "box": list(box.box)} for n, box in enumerate(drawn, 1)]
        }

    DemoPackages(benchmark, people, KIND.name, content_of, key).make(FATES, seed=BUILD_SEED)
