"""The demo's visual questions: accepted ones, answered by the scripted system, and one reply that a person read."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from annotation.items.models import Item
from annotation.kinds.vqa import KIND
from curation.benchmarks.models import Benchmark
from curation.core import jobs
from curation.people.models import Person
from evaluation.management.demo_packages import DemoPackages
from evaluation.runs import services as runs
from evaluation.runs.models import Reply, Run
from evaluation.samples.services import override_reply
from evaluation.scoring import services as scoring
from evaluation.scoring.services import sets
from fixtures import scenes

PASSED: Final = 2  # packages; the other pictures wait for the visitor who builds some
BUILD_SEED: Final = 3
REASON: Final = "“两个”与答案的数目相同，只是量词不同。"


def fill(
    benchmark: Benchmark, people: Mapping[str, Person], seed_of: Mapping[int, int], key: Callable[..., uuid.UUID]
) -> None:
    """Ask about some pictures of subset A.

    Args:
        benchmark: The benchmark.
        people: Its people by log-in.
        seed_of: The scene of each picture.
        key: Makes the client key of a step.
    """

    def content_of(item: Item, _: bool) -> dict[str, Any]:
        pairs = scenes.questions(scenes.scene(seed_of[item.image_id]))
        return {"pairs": [{"question": question, "answer": answer} for question, answer in pairs]}

    packages = DemoPackages(benchmark, people, KIND.name, content_of, key)
    packages.make(("passed",) * PASSED, seed=BUILD_SEED, maximum=PASSED)


def answer(benchmark: Benchmark, admin: Person, key: Callable[..., uuid.UUID]) -> None:
    """Let the scripted system answer the accepted questions, and read a reply whose measure word alone is another.

    It needs no model, so no worker has to run for it.
    """
    runs.sweep_predictions()
    run = Run.objects.get(benchmark=benchmark, suite=KIND.name, set__origin="rolling")
    runs.embed_accepted(run.pk)
    _score(run)
    replies = Reply.objects.filter(run=run, raw="两个").select_related("entry").order_by("entry__no")
    misread = (reply.entry for reply in replies if reply.entry.gold[0] == "两" and reply.entry.gold != reply.raw)
    for entry in islice(misread, 1):
        override_reply(
            actor=admin, run_id=run.pk, ordinal=entry.no, answer=entry.gold, reason=REASON, client_key=key("override")
        )
    _score(run)


def _score(run: Run) -> None:
    jobs.run(sets.enqueue(run.pk).pk, scoring.score_set_run)
