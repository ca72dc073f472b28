"""From the texts of a row to content of a kind: the way back from what ``Kind.texts`` gives out."""

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
    """What a kind calls its texts, the foremost first."""
    return tuple(KINDS[kind].texts({name: [] for name in KINDS[kind].columns}))


def content_of(kind: str, texts: Texts) -> Mapping[str, Any] | Fault:
    """Content made of a row's texts, of the kind's names and not yet of its numbers."""
    found = {name: texts.get(name, []) for name in text_names(kind)}
    if not any(found.values()):
        return Fault("row_without_text", {})
    counts = {name: len(values) for name, values in found.items()}
    if len(set(counts.values())) > 1:
        return Fault("texts_do_not_pair", counts)
    try:
        return KINDS[kind].from_texts(found)
    except MalformedContent:
        return Fault("row_not_understood", {})


def content_in(kind: str, record: Mapping[str, Any]) -> Mapping[str, Any] | Fault:
    """Content in a flat record: under the content's own names, or as lists of texts, or as single texts."""
    columns = KINDS[kind].columns
    if columns.keys() <= record.keys():
        content = {name: record[name] for name in columns}
        # Records whose answers are withheld come with empty columns.
        return content if any(content.values()) else Fault("row_without_text", {})
    texts = {}
    for name in text_names(kind):
        found = record.get(name, record.get(name.removesuffix("s")))
        texts[name] = found if isinstance(found, list) else [] if found is None else [found]
    return content_of(kind, texts)


def fitted(content: Mapping[str, Any], slots: int, *, pad: bool) -> Mapping[str, Any] | Fault:
    """Compare a content's number of texts with what the protocol asks for; a draft may have fewer.

    Args:
        content: Of one list, as all kinds of texts are.
        slots: How many the protocol asks for.
        pad: Whether what lacks is left empty for the annotator.
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
