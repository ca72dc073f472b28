"""The published form of a content: its columns in typed formats, and the separation of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, assert_never

from annotation.kinds.content import empty
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

# A column's type: a simple type (string, int64, float64, bool), a list of one shape, or a mapping of parts.
Shape: TypeAlias = "str | list[Shape] | dict[str, Shape]"


@dataclass(frozen=True, slots=True)
class Column:
    """A part of the content in published releases.

    Attributes:
        shape: Its type, for typed formats.
        meaning: Its description in English, for the data set's card.
    """

    shape: Shape
    meaning: str


def columns(tree: RecordNode) -> dict[str, Column]:
    """Return all keys that a content adds to a published record, by name."""
    return {name: Column(_shape(node), node.meaning) for name, node in tree.fields.items()}


def _shape(node: ContentNode) -> Shape:
    match node:
        case TextNode() | CodeNode():
            return "string"
        case FlagNode():
            return "bool"
        case NumbersNode():
            return ["float64"]
        case RecordNode():
            return {name: _shape(child) for name, child in node.fields.items()}
        case ListNode():
            return [_shape(node.of)]
        case KeyedNode():
            return [{"key": "string", **{name: _shape(child) for name, child in node.of.fields.items()}}]
        case _:
            assert_never(node)


def completed(node: ContentNode, value: Any) -> Any:
    """Return a content with an empty value for each field that it does not have.

    The tree of a content has no field for a translation into its own language; the records of a release all have the
    same fields.
    """
    match node:
        case RecordNode():
            own = {n: completed(c, value[n]) if n in value else empty(c) for n, c in node.fields.items()}
            return {**value, **own}
        case ListNode():
            return [completed(node.of, entry) for entry in value]
        case KeyedNode():
            return [{"key": entry["key"], **completed(node.of, entry)} for entry in value]
        case _:
            return value


def withhold(tree: RecordNode, record: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Remove the answers from a published record.

    Returns:
        The public record with the same columns, and the answers alone: each by its name in files, in a list for each
        list that it is in, in the order of the public record.
    """
    public = dict(record) | {name: _public(node, record[name]) for name, node in tree.fields.items()}
    return public, {name: _values(record, group.split(".")) for name, group in _answers(tree, "")}


def _public(node: ContentNode, value: Any, *, withheld: bool = False) -> Any:
    withheld = withheld or node.answer
    match node:
        case RecordNode():
            return {name: _public(child, value[name], withheld=withheld) for name, child in node.fields.items()}
        case ListNode() | KeyedNode() if withheld:
            return []
        case ListNode():
            return [_public(node.of, entry) for entry in value]
        case KeyedNode():
            return [{"key": entry["key"], **_public(node.of, entry)} for entry in value]
        case _:
            return empty(node) if withheld else value


def _answers(node: ContentNode, group: str) -> Iterator[tuple[str, str]]:
    """Yield the name in files and the group of each answer; its parts are not answers of their own."""
    match node:
        case _ if node.answer:
            yield node.file_name or group, group
        case RecordNode():
            for name, child in node.fields.items():
                yield from _answers(child, join(group, name))
        case ListNode() | KeyedNode():
            yield from _answers(node.of, group)


def _values(value: Any, names: Sequence[str]) -> Any:
    if not names:
        return value
    if isinstance(value, list):
        return [_values(entry, names) for entry in value]
    return _values(value[names[0]], names[1:])
