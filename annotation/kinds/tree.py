"""The tree of typed fields that describes a kind's content.

A kind declares one tree. What depends only on the shape of a content follows from it: what is stored
(:mod:`annotation.kinds.content`), its texts (:mod:`annotation.kinds.texts`), its published form
(:mod:`annotation.kinds.published`).

A *path* names a value of a content by fields, positions in lists and keys in keyed lists: ``pairs.0.question``,
``boxes.k7f3.category``. A *group* is a path without positions and keys: ``pairs.question``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypeAliasType

from annotation.kinds.context import Choice, Context, Direction, Language


class _Node(BaseModel):
    """What every node has.

    Attributes:
        answer: Whether the value is (part of) the answer, which releases may withhold.
        meaning: Its description in English, for the data set's card.
        file_name: What files of releases and of other tools call its values; empty if they use its group.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)

    answer: bool = False
    meaning: str = Field(default="", exclude=True)
    file_name: str = Field(default="", exclude=True)


class TextNode(_Node):
    """A text that people write, in the benchmark's content language, in the one it is translated to, or in none.

    ``lang`` is that language's BCP 47 tag, empty if unknown; ``dir`` is the direction of its script. A text of more
    than one of ``lines`` keeps its line breaks. ``latex``: it may contain formulas in LaTeX. ``optional``: it may stay
    empty.
    """

    type: Literal["text"] = "text"
    language: Literal["content", "translation", "none"] = "content"
    lang: str = ""
    dir: Direction = "ltr"
    lines: int = Field(default=1, ge=1)
    latex: bool = False
    optional: bool = False


class CodeNode(_Node):
    """A code chosen from a list; ``list`` names it, for example ``categories``. Empty: nothing is chosen yet.

    ``choices`` are the entries of the list, if the context has it. ``optional``: none need be chosen.
    """

    type: Literal["code"] = "code"
    list: str
    choices: tuple[Choice, ...] = ()
    optional: bool = False


class FlagNode(_Node):
    """True or false."""

    type: Literal["flag"] = "flag"


class NumbersNode(_Node):
    """A fixed number of numbers, such as the four of a box in pixels, or none of them yet.

    They are stored with at most as many ``decimals``.
    """

    type: Literal["numbers"] = "numbers"
    count: int = Field(ge=1)
    decimals: int = Field(default=2, ge=0, le=6)


class RecordNode(_Node):
    """Named fields, in the order in which they are written."""

    type: Literal["record"] = "record"
    fields: dict[str, ContentNode]


class ListNode(_Node):
    """A fixed number of entries, named by their position from 0."""

    type: Literal["list"] = "list"
    count: int = Field(ge=1)
    of: ContentNode


class KeyedNode(_Node):
    """Any number of entries; each has the record's fields and a ``key`` that the client makes, unique in the list.

    Entries are named by key, not by position, so that two people's changes to one list can be merged.
    """

    type: Literal["keyed"] = "keyed"
    of: RecordNode

    @model_validator(mode="after")
    def _key_is_free(self) -> KeyedNode:
        if "key" in self.of.fields:
            raise ValueError("an entry's own fields cannot include key")
        return self


ContentNode = TypeAliasType(
    "ContentNode",
    Annotated[
        TextNode | CodeNode | FlagNode | NumbersNode | RecordNode | ListNode | KeyedNode, Field(discriminator="type")
    ],
)
LeafNode: TypeAlias = TextNode | CodeNode | FlagNode | NumbersNode
for _node in (RecordNode, ListNode, KeyedNode):
    _node.model_rebuild()


def resolve(tree: RecordNode, context: Context) -> RecordNode:
    """Return the tree with the tag and direction of each text's language, and with the choices of its codes."""
    return _resolved_record(tree, context)


def _resolved_record(node: RecordNode, context: Context) -> RecordNode:
    return node.model_copy(update={"fields": {name: _resolved(child, context) for name, child in node.fields.items()}})


def _resolved(node: ContentNode, context: Context) -> ContentNode:
    match node:
        case TextNode():
            language = _language_of(node, context)
            return node.model_copy(update={"lang": language.tag, "dir": language.direction})
        case CodeNode():
            choices = context.categories if node.list == "categories" else None
            return node.model_copy(update={"choices": choices or ()})
        case RecordNode():
            return _resolved_record(node, context)
        case ListNode():
            return node.model_copy(update={"of": _resolved(node.of, context)})
        case KeyedNode():
            return node.model_copy(update={"of": _resolved_record(node.of, context)})
        case FlagNode() | NumbersNode():
            return node


def _language_of(node: TextNode, context: Context) -> Language:
    match node.language:
        case "content":
            return context.language
        case "translation":
            return context.translation or Language()
        case "none":
            return Language()


class Leaf(NamedTuple):
    """A value of a content that has no parts."""

    path: str
    node: LeafNode
    value: Any


def leaves(node: ContentNode, value: Any, path: str = "") -> Iterator[Leaf]:
    """Yield the leaves of an accepted content in the order of the tree; other keys, as records have, are left out."""
    match node:
        case RecordNode():
            for name, child in node.fields.items():
                yield from leaves(child, value[name], join(path, name))
        case ListNode():
            for i, entry in enumerate(value):
                yield from leaves(node.of, entry, join(path, i))
        case KeyedNode():
            for entry in value:
                yield from leaves(node.of, entry, join(path, entry["key"]))
        case TextNode() | CodeNode() | FlagNode() | NumbersNode():
            yield Leaf(path, node, value)


def without_keys(node: ContentNode, value: Any) -> Any:
    """Return a content without the keys of entries, which files of other tools do not have; None for missing values."""
    match node:
        case RecordNode():
            return {name: without_keys(child, (value or {}).get(name)) for name, child in node.fields.items()}
        case ListNode() | KeyedNode():
            return [without_keys(node.of, entry) for entry in value or []]
    return value


def groups(node: ContentNode, group: str = "") -> Iterator[tuple[str, ContentNode]]:
    """Yield a node and all below it, each with its group, in the order of the tree; entries have their list's."""
    yield group, node
    match node:
        case RecordNode():
            for name, child in node.fields.items():
                yield from groups(child, join(group, name))
        case ListNode() | KeyedNode():
            yield from groups(node.of, group)


def join(path: str, name: str | int) -> str:
    """Return the path of a part."""
    return f"{path}.{name}" if path else str(name)
