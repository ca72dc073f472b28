"""The protocol's part about categories: which list, further axes, and the board on which a list is decided."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from curation.benchmarks.rules.parts import Code, LabelledCode, Localised, Name, Part, each_code_once


class OwnList(Part):
    """A version of a list that the benchmark's own people stored."""

    own: Name
    version: Annotated[int, Field(ge=1)]


class BoardList(Part):
    """The list that is decided on the benchmark's board, in its newest frozen version."""

    board: Literal[True]


def _form(value: Any) -> str:
    if isinstance(value, BoardList) or (isinstance(value, dict) and "board" in value):
        return "[board]"
    if isinstance(value, OwnList | dict):
        return "[own]"
    return "[name]"


# The tags are in brackets, so that messages about faults leave them out of the path.
ListReference = Annotated[
    Annotated[Name, Tag("[name]")] | Annotated[OwnList, Tag("[own]")] | Annotated[BoardList, Tag("[board]")],
    Discriminator(_form),
]
FixedList = Annotated[Annotated[Name, Tag("[name]")] | Annotated[OwnList, Tag("[own]")], Discriminator(_form)]


class Axis(Part):
    """A further dimension of the items beside their category, for example the school grade of a question (CMMU).

    Attributes:
        list: A list of categories whose entries are the dimension's values.
    """

    code: Code
    name: Localised
    list: FixedList


class PerField(Part):
    """How many categories each person proposes for a semantic field."""

    minimum: Annotated[int, Field(ge=1, le=100)]
    maximum: Annotated[int, Field(ge=1, le=100)]


def _in_order(span: PerField) -> PerField:
    if span.minimum > span.maximum:
        raise ValueError(f"a maximum of at least the minimum {span.minimum}, got {span.maximum}")
    return span


class BoardSettings(Part):
    """The board on which native speakers propose categories and curators decide.

    Attributes:
        proposers: People who are expected to propose; a number for comparison, not a limit.
        per_field: How many categories each of them proposes for a semantic field.
        fields: The semantic fields.
    """

    proposers: Annotated[int, Field(ge=1, le=1_000)]
    per_field: Annotated[PerField, AfterValidator(_in_order)]
    fields: Annotated[list[LabelledCode], Field(min_length=1, max_length=100), AfterValidator(each_code_once)]


_Axes = Annotated[list[Axis], AfterValidator(each_code_once)]


class Taxonomy(Part):
    """The categories.

    Attributes:
        list: A file under ``fixtures/taxonomies``, a list of one's own, or the benchmark's board.
        pairs: A file of the same folder with pairs of country and language, one for each team.
        axes: Further dimensions.
        board: Settings of the board, which ``list: {board: true}`` needs.
    """

    list: ListReference
    pairs: Name | None = None
    axes: _Axes = []
    board: BoardSettings | None = None
