"""Shapes shared by the answers about verdicts and judgings."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from curation.core.shapes import LocalisedText, PersonBrief


class VerdictBrief(TypedDict):
    """A verdict."""

    outcome: str
    reasons: list[str]
    comment: str
    round: int
    judge: PersonBrief | None


class FormOption(TypedDict):
    """An option of a field."""

    code: str
    name: LocalisedText


class FormFieldRow(TypedDict):
    """A field of a judge's form.

    The field of type ``pass`` has nothing else; the others have a code, a name, and what limits their values.
    """

    type: Literal["pass", "scale", "level", "labels", "text"]
    code: NotRequired[str]
    name: NotRequired[LocalisedText]
    required: NotRequired[bool]
    minimum: NotRequired[int]
    maximum: NotRequired[int]
    longest: NotRequired[int]
    options: NotRequired[list[FormOption]]


class JudgingBrief(TypedDict):
    """The open judging of an item: the how many-th, how many people's verdicts it needs, and how many are in."""

    no: int
    people: int
    done: int
    form: list[FormFieldRow]
