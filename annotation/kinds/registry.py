"""The registry of kinds of annotation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from annotation.kinds import captions, multiple_choice, vqa
from annotation.kinds.base import Kind
from curation.core.registry import Registry

_ALL: Final[Sequence[Kind]] = (captions.KIND, vqa.KIND, multiple_choice.KIND)
KINDS: Final[Registry[Kind]] = Registry("annotation kind", {kind.name: kind for kind in _ALL})

# Of kinds that ask questions: by language, the same for questions that say the same.
QUESTION_KEYS: Final[Mapping[str, Callable[[Mapping[str, Any]], dict[str, tuple[str, ...]]]]] = {
    multiple_choice.KIND.name: multiple_choice.question_keys
}


def label(kind: str, number: int) -> str:
    """Return an item's label: ``cap-000123``."""
    return f"{KINDS[kind].prefix}-{number:06d}"


def package_label(kind: str, number: int) -> str:
    """Return a package's label: ``cap-pkg-0007``."""
    return f"{KINDS[kind].prefix}-pkg-{number:04d}"
