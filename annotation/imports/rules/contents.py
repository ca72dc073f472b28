"""Content from the texts of a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.imports.rules.rows import Fault
from annotation.kinds.content import MalformedContent
from annotation.kinds.texts import UnpairedTexts, from_texts, text_groups
from annotation.kinds.tree import CodeNode, RecordNode

Texts = Mapping[str, Sequence[Any]]


def content_of(tree: RecordNode, texts: Texts) -> Mapping[str, Any] | Fault:
    """Build content from a row's texts by their names in files; the protocol's counts are not checked yet."""
    names = text_groups(tree)
    by_group = {group: texts.get(name, []) for group, name in names.items()}
    if not any(by_group.values()):
        return Fault("row_without_text", {})
    try:
        return from_texts(tree, by_group)
    except UnpairedTexts as error:
        return Fault("texts_do_not_pair", {names[group]: count for group, count in error.counts.items()})
    except MalformedContent:
        return Fault("row_not_understood", {})


def content_in(tree: RecordNode, record: Mapping[str, Any]) -> Mapping[str, Any] | Fault:
    """Read the content of a flat record: by the content's own names, or as lists of texts, or as single texts."""
    if tree.fields.keys() <= record.keys():
        content = {name: record[name] for name in tree.fields}
        # Records with withheld answers have empty columns.
        return content if any(content.values()) else Fault("row_without_text", {})
    texts = {}
    for name in text_groups(tree).values():
        value = record.get(name, record.get(name.removesuffix("s")))
        texts[name] = value if isinstance(value, list) else [] if value is None else [value]
    return with_codes(tree, content_of(tree, texts), record)


def with_codes(
    tree: RecordNode, content: Mapping[str, Any] | Fault, codes: Mapping[str, Any]
) -> Mapping[str, Any] | Fault:
    """Add the codes of a row, such as its category, to content built from its texts."""
    if isinstance(content, Fault):
        return content
    return {**content, **{name: codes[name] for name in codes_of(tree) if isinstance(codes.get(name), str)}}


def codes_of(tree: RecordNode) -> list[str]:
    """Return the names of a tree's codes."""
    return [name for name, node in tree.fields.items() if isinstance(node, CodeNode)]
