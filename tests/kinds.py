"""The registered kinds under the numbers of their papers, for tests without Django."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from annotation.kinds.base import KindSettings
from annotation.kinds.context import Context, Language
from annotation.kinds.registry import KINDS
from annotation.kinds.tree import RecordNode
from curation.benchmarks.rules import split_settings

CONTEXT = Context(Language("zh-Hans"), Language("en"), width=640, height=480)
# The protocol with each kind's numbers.
PROTOCOLS = {"captions": "cvlue", "vqa": "cvlue", "multiple_choice": "cvqa"}
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
    return KINDS[kind].tree(settings_of(kind), CONTEXT)
