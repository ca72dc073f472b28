"""Answers about prompts."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from curation.core.shapes import LocalisedText, OneOf, PersonBrief
from curation.prompts.rules import LANGUAGES, READINGS


class PromptRow(TypedDict):
    """A version of a prompt in one language; ``source`` is that of one that ships.

    ``base_no``, ``by`` and ``created_at`` are those of an own version.
    """

    name: str
    no: int
    language: Annotated[str, OneOf(LANGUAGES)]
    reading: Annotated[str, OneOf(READINGS)]
    source: LocalisedText | None
    variables: list[str]
    sha256: str
    is_own: bool
    base_no: int | None
    by: PersonBrief | None
    created_at: datetime | None


class PromptAnswer(PromptRow):
    """A version with its text, as an editor shows it.

    ``kinds``: the benchmark's kinds of items with values for it, the best first.
    """

    text: str
    kinds: list[str]


class PromptPart(TypedDict):
    """A part of a message: a text, or the place of the picture, where ``text`` is null."""

    text: str | None


class PromptMessage(TypedDict):
    """A message as it is sent."""

    role: Annotated[str, OneOf(("system", "user", "assistant"))]
    parts: list[PromptPart]


class PromptItem(TypedDict):
    """The item whose values a rendering has: how many questions it has, and the languages they are in, by name."""

    label: str
    parts: int
    sides: list[str]


class PromptPreview(TypedDict):
    """A rendering; ``missing`` are the variables without a value, which it prints as they are in the template."""

    messages: list[PromptMessage]
    sha256: str
    missing: list[str]
    item: PromptItem | None
