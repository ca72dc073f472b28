"""The demo's dialogues: two annotators write them live, one of whom may not see the picture meanwhile."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Final

from annotation.dialogues import services as dialogues
from annotation.dialogues.models import Dialogue
from annotation.dialogues.rules import PARTS, QUESTION, part_of_turn
from annotation.items.models import Item
from annotation.kinds.dialogue import KIND
from annotation.pair import services as pair
from curation.benchmarks.models import Benchmark
from curation.people.models import Person
from fixtures import scenes

# What is written last waits for the visitor who reviews. Two of the six pictures with accepted captions that dialogues
# can be about are left for visitors.
ACCEPTED: Final = 3
WAITING: Final = 1


def fill(
    benchmark: Benchmark, people: Mapping[str, Person], seed_of: Mapping[int, int], key: Callable[..., uuid.UUID]
) -> None:
    """Write dialogues and let the senior accept all but the last.

    Args:
        benchmark: The benchmark.
        people: Its people by log-in.
        seed_of: The scene of each picture.
        key: Makes the client key of a step.
    """
    both = [people[name] for name in ("annotator", "annotator2")]
    finished = Dialogue.objects.filter(item__benchmark=benchmark, state=Dialogue.State.DONE)
    while finished.count() < ACCEPTED + WAITING:
        _write(_begun(benchmark, both), both, seed_of, key)
    made = Item.objects.filter(benchmark=benchmark, kind=KIND.name, state=Item.State.MADE).order_by("number")
    for item in made[: max(0, made.count() - WAITING)]:
        pair.decide_item(
            actor=people["senior"],
            item_id=item.pk,
            revision_no=item.revision_no,
            outcome="right",
            client_key=key("decide", KIND.name, item.number),
        )


def _begun(benchmark: Benchmark, both: list[Person]) -> Dialogue:
    """Return the dialogue of the two, which an earlier run left unfinished or which begins now."""
    unfinished = Dialogue.objects.filter(item__benchmark=benchmark, state=Dialogue.State.OPEN)
    if not unfinished.exists():
        for person in both:
            dialogues.join_lobby(actor=person, benchmark_slug=benchmark.slug, parts=PARTS)
    return unfinished.get()


def _write(dialogue: Dialogue, both: list[Person], seed_of: Mapping[int, int], key: Callable[..., uuid.UUID]) -> None:
    people = {person.pk: person for person in both}
    texts = [text for one in scenes.dialogue(scenes.scene(seed_of[dialogue.image_id])) for text in one]
    for no, text in enumerate(texts[dialogue.turn_no :], dialogue.turn_no + 1):
        author = dialogue.questioner_id if part_of_turn(no) == QUESTION else dialogue.answerer_id
        dialogues.say(
            actor=people[author],
            dialogue_id=dialogue.pk,
            no=no,
            text=text,
            client_key=key("turn", dialogue.image_id, no),
        )
