"""Content of a kind from the texts of a row: the inverse of ``Kind.texts``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from annotation.imports.rules.rows import Fault
from annotation.kinds.base import MalformedContent
from annotation.kinds.registry import KINDS

Texts = Mapping[str, Sequence[Any]]


@cache
def text_names(kind: str) -> tuple[str, ...]:
    """Return the kind's names of texts, the main one first."""
    return tuple(KINDS[kind].texts({name: [] for name in KINDS[kind].columns}))


def content_of(kind: str, texts: Texts) -> Mapping[str, Any] | Fault:
    """Build content from a row's texts; the protocol's counts are not checked yet."""
    content = {name: texts.get(name, []) for name in text_names(kind)}
    if not any(content.values()):
        return Fault("row_without_text", {})
    counts = {name: len(values) for name, values in content.items()}
    if len(set(counts.values())) > 1:
        return Fault("texts_do_not_pair", counts)
    try:
        return KINDS[kind].from_texts(content)
    except MalformedContent:
        return Fault("row_not_understood", {})


def content_in(kind: str, record: Mapping[str, Any]) -> Mapping[str, Any] | Fault:
    """Read the content of a flat record: by the content's own names, or as lists of texts, or as single texts."""
    columns = KINDS[kind].columns
    if columns.keys() <= record.keys():
        content = {name: record[name] for name in columns}
        # Records with withheld answers have empty columns.
        return content if any(content.values()) else Fault("row_without_text", {})
    texts = {}
    for name in text_names(kind):
        value = record.get(name, record.get(name.removesuffix("s")))
        texts[name] = value if isinstance(value, list) else [] if value is None else [value]
    return content_of(kind, texts)


def fitted(content: Mapping[str, Any], slots: int, *, pad: bool) -> Mapping[str, Any] | Fault:
    """Compare a content's number of texts with the protocol's; a draft may have fewer.

    Args:
        content: The content, one list.
        slots: The number that the protocol requires.
        pad: Whether to add empty texts for the annotator to fill.
    """
    fit: dict[str, Any] = {}
    for name, parts in content.items():
        if not isinstance(parts, list):
            return Fault("row_not_understood", {})
        lacking = slots - len(parts)
        if lacking < 0 or (lacking and not pad):
            return Fault("wrong_count", {"count": len(parts), "expected": slots})
        empty = dict.fromkeys(parts[0], "") if parts and isinstance(parts[0], dict) else ""
        fit[name] = [*parts, *([empty] * lacking)]
    return fit
