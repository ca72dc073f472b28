"""The registered kinds under the numbers of CVLUE, for tests without Django."""

from functools import cache
from pathlib import Path

import yaml

from annotation.kinds.base import KindSettings
from annotation.kinds.context import Context, Language
from annotation.kinds.registry import KINDS
from annotation.kinds.tree import RecordNode

CONTEXT = Context(Language("zh-Hans"), width=640, height=480)


_FILE = Path(__file__).resolve().parents[1] / "fixtures" / "protocols" / "cvlue.yaml"


@cache
def settings_of(kind: str) -> KindSettings:
    """CVLUE's numbers of a kind."""
    return KINDS[kind].settings.model_validate(yaml.safe_load(_FILE.read_text(encoding="utf-8"))["kinds"][kind])


@cache
def tree_of(kind: str) -> RecordNode:
    """The fields of a kind's content under these numbers."""
    return KINDS[kind].tree(settings_of(kind), CONTEXT)
