"""Answers about comments."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from annotation.comments.rules import Part
from curation.core.shapes import OneOf, PersonBrief


class ItemPerson(TypedDict):
    """A person involved in an item; where names are hidden, ``name`` is null and ``id`` is valid for this item only."""

    id: int
    name: str | None
    part: Annotated[str, OneOf(Part)]


class CommentRow(TypedDict):
    """A comment; ``author`` is null where names are hidden, ``part`` is the author's part in the item."""

    id: int
    author: PersonBrief | None
    part: Annotated[str, OneOf(Part)]
    text: str
    mentions: list[ItemPerson]
    created_at: datetime
    mine: bool
