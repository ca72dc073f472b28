"""The registered kinds under the numbers of their papers, and a content of each, for tests without Django."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from annotation.kinds.base import KindSettings
from annotation.kinds.context import Choice, Context, Language
from annotation.kinds.registry import KINDS
from annotation.kinds.tree import RecordNode, resolve
from curation.benchmarks.rules import split_settings
from tests.sentences import five_captions

SLUGS = ("panda", "tea", "kite")
CONTEXT = Context(
    Language("zh-Hans"),
    Language("en"),
    width=640,
    height=480,
    categories=tuple(
        Choice(code=slug, name=dict.fromkeys(("zh-Hans", "zh-Hant", "en"), name), number=number, field="things")
        for number, (slug, name) in enumerate(zip(SLUGS, ("熊猫", "茶", "风筝"), strict=True), 1)
    ),
)
# The protocol with each kind's numbers.
PROTOCOLS = {
    "captions": "cvlue",
    "vqa": "cvlue",
    "multiple_choice": "cvqa",
    "boxes": "cvlue",
    "grounding": "cvlue",
    "dialogue": "cvlue",
}
_THINGS = ("大鼓", "铜锣", "灯笼", "茶碗", "毛笔", "风筝")
_FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "protocols"


@cache
def numbers_of(kind: str) -> dict[str, Any]:
    """A kind's own part of its paper's protocol, whatever its track."""
    source = (_FOLDER / f"{PROTOCOLS[kind]}.yaml").read_text(encoding="utf-8")
    return split_settings(yaml.safe_load(source)["kinds"][kind])[1]


@cache
def settings_of(kind: str) -> KindSettings:
    """The settings of a kind with these numbers."""
    return KINDS[kind].settings.model_validate(numbers_of(kind))


@cache
def tree_of(kind: str) -> RecordNode:
    """The fields of a kind's content with these numbers."""
    return resolve(KINDS[kind].tree(settings_of(kind), CONTEXT), CONTEXT)


def _pairs(n: int) -> dict[str, Any]:
    return {
        "pairs": [
            {"question": f"第{n}幅画里左边摆着哪样东西？", "answer": _THINGS[n % len(_THINGS)]},
            {"question": "门口一共站着几个人？", "answer": str(n)},
            {"question": "远处那座楼有多少层？", "answer": "三层"},
        ]
    }


def _choice(n: int) -> dict[str, Any]:
    thing = _THINGS[n % len(_THINGS)]
    options = [(thing, f"Thing {n}"), ("铁锅", "Iron pot"), ("竹篮", "Bamboo basket"), ("木桶", "Wooden bucket")]
    return {
        "category": "tea",
        "question": {"local": f"第{n}幅画里左边摆着什么？", "translated": f"What stands on the left of picture {n}?"},
        "options": [{"local": local, "translated": translated} for local, translated in options],
    }


def _boxes(n: int) -> dict[str, Any]:
    # The smallest picture that tests use has 24 x 16 pixels.
    place = n % 7
    return {
        "boxes": [
            {"key": "a", "category": "tea", "box": [place, 0.25, 8.5, 9]},
            {"key": "b", "category": "panda", "box": [15.5, place, 8.25, 8]},
        ]
    }


def _expressions(n: int) -> dict[str, Any]:
    # About the only tea of ``_boxes``; each content is about the boxes of its own number.
    tea, _ = _boxes(n)["boxes"]
    return {"expressions": [{"key": tea["key"], "text": f"第{n}幅画里左边的那杯", "box": tea["box"]}]}


def _rounds(n: int) -> dict[str, Any]:
    rounds = (
        {"question": f"第{n}幅画里第{no}张桌子上有什么？", "answer": f"桌子上有{_THINGS[no % len(_THINGS)]}。"}
        for no in range(10)
    )
    return {"rounds": list(rounds)}


# Contents that keep the rules of their kind, different for each number.
CONTENTS: dict[str, Callable[[int], dict[str, Any]]] = {
    "captions": five_captions,
    "vqa": _pairs,
    "multiple_choice": _choice,
    "boxes": _boxes,
    "grounding": _expressions,
    "dialogue": _rounds,
}
