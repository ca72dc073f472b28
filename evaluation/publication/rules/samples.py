"""Which items of a public release everybody may look at, and what is shown of one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from annotation.kinds.tree import (
    CodeNode,
    ContentNode,
    FlagNode,
    KeyedNode,
    Leaf,
    NumbersNode,
    RecordNode,
    TextNode,
    leaves,
)
from annotation.releases import rules
from curation.benchmarks.rules import LEAST_GROUP, Publication

_DEFAULTS: Final = Publication()
# The languages of one value, which bear its name.
_SIDES: Final = ("local", "translation")


class Settings(NamedTuple):
    """A protocol's settings of public pages."""

    splits: Sequence[str]
    answers: bool
    per_split: int
    least_group: int

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Settings:
        """Read them from a protocol's content; protocols from before this part show no samples."""
        part = content.get("publication") or {}
        samples = part.get("samples") or {}
        return cls(
            splits=samples.get("splits", _DEFAULTS.samples.splits),
            answers=samples.get("answers", _DEFAULTS.samples.answers),
            per_split=samples.get("per_split", _DEFAULTS.samples.per_split),
            least_group=part.get("least_group", LEAST_GROUP),
        )


def sample_ordinals(seed: int, split: str, rows: range, most: int) -> list[int]:
    """Choose the samples of a split by their places in the release; always the same, in any version of Python.

    Args:
        seed: The release's.
        split: The split's name.
        rows: The ordinals of its items.
        most: How many samples there may be.
    """
    if len(rows) <= most:
        return list(rows)
    chosen: set[int] = set()
    n = 0
    while len(chosen) < most:
        digest = hashlib.sha256(f"{seed}:{split}:{n}".encode()).digest()
        chosen.add(rows[int.from_bytes(digest[:8]) % len(rows)])
        n += 1
    return sorted(chosen)


class Part(NamedTuple):
    """A value of a sample as its page shows it.

    Attributes:
        name: What it is, a code: ``captions``, ``question``.
        number: Its place in the list that it is in, from 1; 0 in no list.
        text: The value.
        lang: The language of the text, empty if unknown.
        dir: The direction of its script.
        is_category: Whether ``text`` is a category's code.
        box: A place on the picture, in its pixels: x and y of the upper left corner, width, height; empty for others.
    """

    name: str
    number: int
    text: str
    lang: str = ""
    dir: str = "ltr"
    is_category: bool = False
    box: tuple[float, ...] = ()


def public_record(tree: RecordNode, record: Mapping[str, Any], *, answers: bool) -> Mapping[str, Any]:
    """Return the record that everybody may see."""
    return record if answers else rules.public_record(tree, record)


def parts_of(tree: RecordNode, record: Mapping[str, Any]) -> list[Part]:
    """List the values of a public record, in the order of its tree, without empty ones; a dialogue's caption first."""
    own = {name: node for name, node in tree.fields.items() if name in record}
    parts = (
        _part(_numbered(own, record, leaf.path), leaf)
        for leaf in leaves(tree.model_copy(update={"fields": own}), record)
    )
    caption = Part(rules.CAPTION, 0, record.get(rules.CAPTION, ""))
    return [part for part in (caption, *parts) if part.text or part.box]


def _numbered(fields: Mapping[str, ContentNode], record: Mapping[str, Any], path: str) -> list[str]:
    """The steps of a path, where the key of an entry is its place in the list."""
    name, *steps = path.split(".")
    if isinstance(fields[name], KeyedNode):
        steps[0] = str([entry["key"] for entry in record[name]].index(steps[0]))
    return [name, *steps]


def _part(steps: Sequence[str], leaf: Leaf) -> Part:
    names = [step for step in steps if not step.isdigit()]
    name = names[-2] if names[-1] in _SIDES and len(names) > 1 else names[-1]
    number = next((int(step) + 1 for step in steps if step.isdigit()), 0)
    match leaf.node:
        case TextNode(lang=lang, dir=direction):
            return Part(name, number, leaf.value or "", lang, direction)
        case CodeNode(list=of):
            return Part(name, number, leaf.value or "", is_category=of == "categories")
        case FlagNode():
            return Part(name, number, "✓" if leaf.value else "")
        case NumbersNode(count=4):
            return Part(name, number, "", box=tuple(leaf.value or ()))
        case NumbersNode():
            return Part(name, number, ", ".join(f"{value:g}" for value in leaf.value or ()))
