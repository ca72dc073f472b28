"""Contents of a tree's shape: accepting and cleaning what clients send, comparing two of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, Final, assert_never

from annotation.kinds.tree import (
    CodeNode,
    ContentNode,
    FlagNode,
    KeyedNode,
    ListNode,
    NumbersNode,
    RecordNode,
    TextNode,
    join,
)
from curation.core import text
from curation.core.errors import TextRefused

LONGEST_TEXT: Final = 1_000  # code points of one text; far above any real one, so that comparisons stay cheap
MOST_ENTRIES: Final = 1_000  # of one keyed list, whatever the kind's rules allow
LARGEST_NUMBER: Final = 10**9
KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_CODE: Final = re.compile(r"[A-Za-z0-9_.:-]{0,64}")


class MalformedContent(ValueError):
    """The content does not have the kind's shape; ``args[0]`` describes the expected shape."""


class WrongCount(MalformedContent):
    """A list has another number of entries than the tree says."""

    def __init__(self, *, count: int, expected: int) -> None:
        super().__init__(f"{expected} entries")
        self.count = count
        self.expected = expected


def empty(node: ContentNode) -> Any:
    """Return the value of a node in which nothing is written yet."""
    match node:
        case TextNode() | CodeNode():
            return ""
        case FlagNode():
            return False
        case NumbersNode() | KeyedNode():
            return []
        case ListNode():
            return [empty(node.of) for _ in range(node.count)]
        case RecordNode():
            return {name: empty(child) for name, child in node.fields.items()}
        case _:
            assert_never(node)


def accept(tree: RecordNode, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return content of the tree's shape with unchanged texts, for a draft.

    Raises:
        MalformedContent: A key, type, count or length is not the tree's.
        TextRefused: A text has NUL or lone surrogates, which no JSON column stores.
    """
    accepted: dict[str, Any] = _accepted(tree, content, "")
    return accepted


def clean(tree: RecordNode, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return content as a revision stores it: texts in NFC, stripped; numbers rounded to their decimals.

    Raises:
        MalformedContent: As :func:`accept`.
        TextRefused: A text has characters that are never stored.
    """
    cleaned: dict[str, Any] = _cleaned(tree, accept(tree, content))
    return cleaned


def looks_equal(one: Any, other: Any) -> bool:
    """Return whether contents differ in nothing but characters that show nothing."""
    match one, other:
        case str(), str():
            return text.looks_equal(one, other)
        case Mapping(), Mapping():
            return one.keys() == other.keys() and all(looks_equal(one[name], other[name]) for name in one)
        case list(), list():
            return len(one) == len(other) and all(map(looks_equal, one, other))
        case _:
            return bool(one == other)


def _accepted(node: ContentNode, value: Any, path: str) -> Any:
    if not _fits(node, value):
        expected = _in_words(node)
        raise MalformedContent(f"{path}: {expected}" if path else expected)
    match node:
        case TextNode():
            return _storable(value)
        case RecordNode():
            return {name: _accepted(child, value[name], join(path, name)) for name, child in node.fields.items()}
        case ListNode():
            return [_accepted(node.of, entry, join(path, i)) for i, entry in enumerate(value)]
        case KeyedNode():
            return [{"key": e["key"], **_accepted(node.of, _fields_of(e), join(path, e["key"]))} for e in value]
        case CodeNode() | FlagNode() | NumbersNode():
            return value
        case _:
            assert_never(node)


def _fits(node: ContentNode, value: Any) -> bool:
    """Return whether a value has the form of its node; its parts are not looked at."""
    match node:
        case TextNode():
            return isinstance(value, str) and len(value) <= LONGEST_TEXT
        case CodeNode():
            return isinstance(value, str) and _CODE.fullmatch(value) is not None
        case FlagNode():
            return isinstance(value, bool)
        case NumbersNode():
            return isinstance(value, list) and len(value) in (0, node.count) and all(map(_is_number, value))
        case RecordNode():
            return isinstance(value, Mapping) and value.keys() == node.fields.keys()
        case ListNode():
            return isinstance(value, list) and len(value) == node.count
        case KeyedNode():
            return isinstance(value, list) and len(value) <= MOST_ENTRIES and _has_keys(value)
        case _:
            assert_never(node)


def _storable(value: str) -> str:
    if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise TextRefused(reason="control_character" if "\0" in value else "lone_surrogate")
    return value


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -LARGEST_NUMBER <= value <= LARGEST_NUMBER  # false for NaN


def _has_keys(entries: list[Any]) -> bool:
    """Return whether each entry has a key of its own."""
    keys = [entry.get("key") if isinstance(entry, Mapping) else None for entry in entries]
    return all(isinstance(key, str) and KEY.fullmatch(key) for key in keys) and len(set(keys)) == len(keys)


def _fields_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "key"}


def _in_words(node: ContentNode) -> str:
    """Describe a shape in English, with the entries of lists."""
    match node:
        case TextNode():
            return f"a string of at most {LONGEST_TEXT} characters"
        case CodeNode():
            return "a code of at most 64 ASCII letters, digits and _.:-"
        case FlagNode():
            return "true or false"
        case NumbersNode():
            return f"{node.count} numbers, or none"
        case RecordNode():
            return f"{{{', '.join(_field_in_words(name, child) for name, child in node.fields.items())}}}"
        case ListNode():
            return (
                f"[{node.count} strings]"
                if isinstance(node.of, TextNode)
                else f"[{node.count} of {_in_words(node.of)}]"
            )
        case KeyedNode():
            return f'[at most {MOST_ENTRIES} of {_in_words(node.of)}, each with a "key" of its own]'
        case _:
            assert_never(node)


def _field_in_words(name: str, node: ContentNode) -> str:
    return f'"{name}": {_in_words(node)}' if isinstance(node, ListNode | KeyedNode) else f'"{name}"'


def _cleaned(node: ContentNode, value: Any) -> Any:
    match node:
        case TextNode():
            return text.clean(value, lines=node.lines > 1)
        case RecordNode():
            return {name: _cleaned(child, value[name]) for name, child in node.fields.items()}
        case ListNode():
            return [_cleaned(node.of, entry) for entry in value]
        case KeyedNode():
            return [{"key": entry["key"], **_cleaned(node.of, entry)} for entry in value]
        case NumbersNode():
            return [_rounded(number, node.decimals) for number in value]
        case CodeNode() | FlagNode():
            return value
        case _:
            assert_never(node)


def _rounded(number: float, decimals: int) -> int | float:
    """Return a number with at most so many decimals, as an integer if it is one, as browsers write it."""
    rounded = round(number, decimals)
    return int(rounded) if rounded == int(rounded) else rounded


def fit(node: ContentNode, value: Any, *, pad: bool) -> Any:
    """Compare the numbers of entries with those of the tree; everything else may still be malformed.

    Args:
        node: The tree.
        value: The content, from a file.
        pad: Whether to add empty entries for the annotator to fill.

    Raises:
        WrongCount: There are too many entries, or too few and nothing is added.
        MalformedContent: There is something else where a list should be.
    """
    match node:
        case RecordNode() if isinstance(value, Mapping):
            fields = node.fields
            return {name: fit(fields[name], v, pad=pad) if name in fields else v for name, v in value.items()}
        case ListNode():
            if not isinstance(value, list):
                raise MalformedContent(_in_words(node))
            missing = node.count - len(value)
            if missing < 0 or (missing and not pad):
                raise WrongCount(count=len(value), expected=node.count)
            return [*(fit(node.of, entry, pad=pad) for entry in value), *(empty(node.of) for _ in range(missing))]
        case KeyedNode() if isinstance(value, list):
            return [fit(node.of, entry, pad=pad) for entry in value]
        case _:
            return value


def difference(node: ContentNode, before: Any, after: Any, path: str = "") -> dict[str, tuple[Any, Any]]:
    """Compare two accepted contents.

    Returns:
        Path → the two values, for each leaf that differs. An entry that only one of them has is one difference, with
        None on the other side. The order of keyed entries makes no difference.
    """
    if before is None or after is None:
        return {path: (before, after)}
    differences: dict[str, tuple[Any, Any]] = {}
    match node:
        case RecordNode():
            for name, child in node.fields.items():
                differences |= difference(child, before[name], after[name], join(path, name))
        case ListNode():
            for i, (old, new) in enumerate(zip_longest(before, after)):
                differences |= difference(node.of, old, new, join(path, i))
        case KeyedNode():
            olds, news = ({entry["key"]: entry for entry in entries} for entries in (before, after))
            for key in olds | news:
                differences |= difference(node.of, olds.get(key), news.get(key), join(path, key))
        case _:
            if before != after:
                differences[path] = (before, after)
    return differences
