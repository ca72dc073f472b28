"""Answers about concepts."""

from __future__ import annotations

from datetime import datetime

from typing_extensions import TypedDict


class ConceptRow(TypedDict):
    """A concept of a picture; ``mine`` if the reader wrote it.

    ``local`` is in the language that people write in, ``translated`` in the one that the benchmark translates to;
    ``noun_local`` and ``noun_translated`` are generic nouns. All but ``local`` may be empty.
    """

    id: int
    local: str
    translated: str
    aliases: list[str]
    noun_local: str
    noun_translated: str
    explanation: str
    mine: bool
    created_at: datetime
    available_actions: list[str]


class PictureConcepts(TypedDict):
    """The concepts of a picture, oldest first, and what the reader may do with all of them."""

    concepts: list[ConceptRow]
    available_actions: list[str]
