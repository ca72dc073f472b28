"""The registry of kinds of annotation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from annotation.kinds import boxes, captions, dialogue, grounding, multiple_choice, vqa
from annotation.kinds.base import DoubledSettings, Finding, Kind
from annotation.kinds.context import Context
from curation.core.registry import Registry

_ALL: Final[Sequence[Kind]] = (captions.KIND, vqa.KIND, multiple_choice.KIND, boxes.KIND, grounding.KIND, dialogue.KIND)
KINDS: Final[Registry[Kind]] = Registry("annotation kind", {kind.name: kind for kind in _ALL})

# Of kinds that ask questions: by language, the same for questions that say the same.
QUESTION_KEYS: Final[Mapping[str, Callable[[Mapping[str, Any]], dict[str, tuple[str, ...]]]]] = {
    multiple_choice.KIND.name: multiple_choice.question_keys
}

# Of kinds that write about concepts of pictures: the findings about concepts that a content names.
CONCEPT_LEAKS: Final[Mapping[str, Callable[[Mapping[str, Any], Context], Iterator[Finding]]]] = {
    multiple_choice.KIND.name: multiple_choice.concept_leaks
}


# Of kinds whose texts a second person finds on the picture: the texts of a content by key, and the objects of its base.
TEXTS_TO_FIND: Final[Mapping[str, Callable[[Mapping[str, Any]], dict[str, str]]]] = {
    grounding.KIND.name: grounding.texts_by_key
}
OBJECTS_OF_BASE: Final[Mapping[str, Callable[[Mapping[str, Any]], list[Mapping[str, Any]]]]] = {
    grounding.KIND.name: grounding.objects_on
}

# Kinds that two people write live: items come of their dialogues, and no one creates one alone.
LIVE: Final = frozenset({dialogue.KIND.name})

# What rests on the picture is written and then judged; what rests on accepted work is tried by a second person.
_ON_PICTURES: Final = ("package", "peer", "panel")
_ON_WORK: Final = ("pair",)


def tracks_of(kind: str) -> tuple[str, ...]:
    """Return the tracks in which a kind can be worked on."""
    return _ON_WORK if KINDS[kind].base else _ON_PICTURES


def is_doubled(kind: str) -> bool:
    """Return whether a protocol may have items of a kind done by two people."""
    return issubclass(KINDS[kind].settings, DoubledSettings)


def label(kind: str, number: int) -> str:
    """Return an item's label: ``cap-000123``."""
    return f"{KINDS[kind].prefix}-{number:06d}"


def package_label(kind: str, number: int) -> str:
    """Return a package's label: ``cap-pkg-0007``."""
    return f"{KINDS[kind].prefix}-pkg-{number:04d}"


_ITEM: Final = re.compile(r"\s*(?:([a-z]+)[-_ ])?0*(\d{1,9})\s*", re.IGNORECASE)
_PACKAGE: Final = re.compile(r"\s*(?:([a-z]+)[-_ ]pkg[-_ ])?0*(\d{1,9})\s*", re.IGNORECASE)


def item_of_label(typed: str) -> tuple[str | None, int] | None:
    """Return the kind and number of a typed item label; the kind is None for a number alone.

    None for everything else.
    """
    return _parsed(_ITEM, typed)


def package_of_label(typed: str) -> tuple[str | None, int] | None:
    """Return the kind and number of a typed package label, as :func:`item_of_label`."""
    return _parsed(_PACKAGE, typed)


def _parsed(pattern: re.Pattern[str], typed: str) -> tuple[str | None, int] | None:
    match = pattern.fullmatch(typed)
    if match is None:
        return None
    if match[1] is None:
        return None, int(match[2])
    kinds = [name for name in KINDS if KINDS[name].prefix == match[1].lower()]
    return (kinds[0], int(match[2])) if kinds else None
