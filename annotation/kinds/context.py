"""What a kind may know of an item beside its content: plain values, without Django or people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from annotation.kinds.names import Names

Direction = Literal["ltr", "rtl"]
# Parts of the context that are read only for kinds that ask for them.
Need = Literal["categories", "concepts", "base", "siblings"]


@dataclass(frozen=True, slots=True)
class Language:
    """A language that people write in.

    Attributes:
        tag: A BCP 47 tag; empty if unknown.
        direction: The direction of its script.
    """

    tag: str = ""
    direction: Direction = "ltr"


class Choice(BaseModel):
    """An entry of a list that people choose from, such as a category.

    Attributes:
        definition: What belongs to it; None if its name says enough.
        search: What people may type a part of to find it, in lower case: its names, and the pinyin of the Chinese one.
        number: Its number in the list, by which published forms name it; browsers do not get it, nor ``field``.
        field: The semantic field that it belongs to.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)

    code: str
    name: Names
    definition: Names | None = None
    search: tuple[str, ...] = ()
    number: int = Field(default=0, exclude=True)
    field: str = Field(default="", exclude=True)


@dataclass(frozen=True, slots=True)
class Concept:
    """A cultural concept of the picture, which a text may not name where the protocol forbids it.

    Attributes:
        names: Its names and aliases in any language and script, the first in the language that people write in.
        local: A generic noun for it in the language that people write in, such as 神兽; may be empty.
        translated: The same in the language that texts are also translated to.
    """

    names: tuple[str, ...]
    local: str = ""
    translated: str = ""


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another item of the kind on the same picture: its label and its newest content."""

    label: str
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Context:
    """The item that a content belongs to.

    Attributes:
        language: The language that the item's texts are written in: its team's, or else the benchmark's.
        translation: The language that they are also translated to; None if they are not.
        width: Width of the picture in pixels; 0 where only the fields of a kind are asked for, as is ``height``.
        subset: The part of the collection that the picture belongs to; empty if there are no parts.
        main_category: Code of the picture's main category; empty if it has none.
        main_minimum: Fewest objects of the main category that the subset asks for; 0 if it does not.
        categories: The benchmark's categories, in order. This and the following are None for kinds that do not name
            them in ``needs``.
        concepts: The picture's concepts.
        base: The accepted content that the item rests on.
        siblings: The other items of the kind on the same picture, without excluded ones; None also in packages.
    """

    language: Language = Language()
    translation: Language | None = None
    width: int = 0
    height: int = 0
    subset: str = ""
    main_category: str = ""
    main_minimum: int = 0
    categories: tuple[Choice, ...] | None = None
    concepts: tuple[Concept, ...] | None = None
    base: Mapping[str, Any] | None = None
    siblings: tuple[Sibling, ...] | None = None
