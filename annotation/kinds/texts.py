"""The texts of a content by group, for suites, statistics, lists and files of other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.kinds.content import MalformedContent, empty
from annotation.kinds.tree import ContentNode, KeyedNode, ListNode, RecordNode, TextNode, groups, join


class UnpairedTexts(MalformedContent):
    """The groups of one list have different numbers of texts; ``counts`` has the number of each."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        super().__init__("as many texts of each group")
        self.counts = dict(counts)


def text_groups(tree: RecordNode) -> dict[str, str]:
    """Return the groups of a tree's texts, the main one first, each with its name in files."""
    return {group: node.file_name or group for group, node in groups(tree) if isinstance(node, TextNode)}


def texts_at(content: Mapping[str, Any], group: str) -> list[str]:
    """Return the texts of a group in order."""
    values: list[Any] = [content]
    for name in group.split("."):
        parts = [value[name] for value in values]
        values = [v for part in parts for v in (part if isinstance(part, list) else [part])]
    return values


def first_text(tree: RecordNode, content: Mapping[str, Any]) -> str:
    """Return the first text of the main group; empty without one."""
    main = next(iter(text_groups(tree)), None)
    return next(iter(texts_at(content, main)), "") if main is not None else ""


def from_texts(tree: RecordNode, texts: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Build content from texts by group; :func:`annotation.kinds.content.clean` checks it.

    Lists get as many entries as there are texts, keyed ones with the keys ``k0``, ``k1`` …; what is no text is empty.

    Raises:
        UnpairedTexts.
        MalformedContent: The groups are not the tree's, or there is not exactly one text for a single field.
    """
    expected = text_groups(tree)
    if texts.keys() != expected.keys():
        raise MalformedContent(f"texts called {', '.join(expected)}")
    content: dict[str, Any] = _built(tree, "", texts)
    return content


def _built(node: ContentNode, group: str, texts: Mapping[str, Sequence[Any]]) -> Any:
    match node:
        case TextNode():
            if len(texts[group]) != 1:
                raise MalformedContent(f"{group}: one text")
            return texts[group][0]
        case RecordNode():
            return {name: _built(child, join(group, name), texts) for name, child in node.fields.items()}
        case ListNode() | KeyedNode():
            inside = {g: texts[g] for g, below in groups(node, group) if isinstance(below, TextNode)}
            counts = {g: len(values) for g, values in inside.items()}
            if len(set(counts.values())) > 1:
                raise UnpairedTexts(counts)
            entries = [
                _built(node.of, group, {g: [values[i]] for g, values in inside.items()})
                for i in range(next(iter(counts.values()), 0))
            ]
            if isinstance(node, ListNode):
                return entries
            return [{"key": f"k{i}", **entry} for i, entry in enumerate(entries)]
        case _:
            return empty(node)
