"""What is right and wrong in the texts of each kind, and what is planned to go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from fixtures import scenes
from tests.rehearsal.ledger import BOXES, QUESTIONS, Ledger, Size
from tests.sentences import three_pairs

Content = dict[str, Any]


@dataclass(frozen=True)
class Script:
    """The work on one kind.

    Attributes:
        truth: The right content for a picture, by its id.
        mistake: A content of which one text is wrong.
        is_false: Whether a content says something that is wrong of a picture.
        reason: For what a wrong content is returned.
        overrides: What the writer says to findings that can be overridden.
    """

    kind: str
    size: Size
    truth: Callable[[int], Content]
    mistake: Callable[[int], Content]
    is_false: Callable[[int, Content], bool]
    reason: str
    overrides: dict[str, str] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)


def captions(size: Size, scene_of: dict[int, int]) -> Script:
    """Sentences that follow from the scene; a wrong one says what the scene does not hold."""

    def right(image: int) -> list[str]:
        return scenes.captions(scenes.scene(scene_of[image]))

    def mistake(image: int) -> Content:
        return {"captions": [scenes.wrong_captions(scenes.scene(scene_of[image]))[0], *right(image)[1:]]}

    return Script(
        "captions",
        size,
        lambda image: {"captions": right(image)},
        mistake,
        lambda image, content: not set(content["captions"]) <= set(right(image)),
        "not_true",
        # A planted mistake may resemble a true sentence; whoever writes it says why, as people do.
        {"caption_overlap": "同一物体只能这样称呼"},
    )


def questions(size: Size) -> Script:
    """Three questions with answers, different for each picture; a wrong content has one wrong answer."""

    def answers(content: Content) -> list[tuple[str, str]]:
        return [(pair["question"], pair["answer"]) for pair in content["pairs"]]

    def mistake(image: int) -> Content:
        first, *others = three_pairs(image)["pairs"]
        return {"pairs": [first | {"answer": "石狮"}, *others]}

    return Script(
        "vqa",
        QUESTIONS[size],
        three_pairs,
        mistake,
        lambda image, content: answers(content) != answers(three_pairs(image)),
        "wrong_answer",
    )


def boxes(size: Size, scene_of: dict[int, int], category: Callable[[], str]) -> Script:
    """A box around everything in the scene, of the category that all pictures have; a wrong content lacks one."""

    def truth(image: int) -> Content:
        scene = scenes.scene(scene_of[image])
        drawn = scenes.boxes(scene, {thing.slug for thing in scene.objects})
        return {
            "boxes": [{"key": f"k{n}", "category": category(), "box": list(each.box)} for n, each in enumerate(drawn)]
        }

    def places(content: Content) -> list[list[float]]:
        return sorted(box["box"] for box in content["boxes"])

    return Script(
        "boxes",
        BOXES[size],
        truth,
        lambda image: {"boxes": truth(image)["boxes"][1:]},
        lambda image, content: places(content) != places(truth(image)),
        "object_missed",
        # Without its first box a picture may have too few.
        {"too_few_of_main": "其余的数不清", "duplicate": "两件叠在一起"},
    )


def subsets(seeds: Iterable[int], dialogues: int) -> dict[int, dict[str, Any]]:
    """What a curator says of each scene: subset A where it fits, B of as many others as there are dialogues."""
    said: dict[int, dict[str, Any]] = {}
    for seed in seeds:
        scene = scenes.scene(seed)
        things, categories = len(scene.objects), len({thing.slug for thing in scene.objects})
        of_main = sum(thing.slug == scene.main_category for thing in scene.objects)
        said[seed] = {}
        if of_main >= 2 and things >= 3:
            said[seed] = {"subset": "A", "objects": {"all": things, "listed": things, "main": of_main}}
        elif 3 <= things <= 5 and categories >= 3 and dialogues > 0:
            said[seed] = {"subset": "B", "objects": {"all": things, "listed": things, "categories": categories}}
            dialogues -= 1
    return said
