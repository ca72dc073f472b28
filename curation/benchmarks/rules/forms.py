"""Forms that judges fill in: lists of fields, as data that protocols contain and judgings keep."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from curation.benchmarks.rules.parts import Choices, Code, Localised, Part, each_code_once


class _Labelled(Part):
    """What all fields have except ``pass``.

    Attributes:
        code: The field's key in the values of a verdict.
        name: The label that people see.
        required: Whether a verdict needs a value.
    """

    code: Code
    name: Localised
    required: bool = True


class PassField(Part):
    """Whether the item passes; a failure needs one of the kind's review reasons, or a comment."""

    type: Literal["pass"]

    @property
    def code(self) -> str:
        """The key of the field, which no other has."""
        return "pass"


class ScaleField(_Labelled):
    """A whole number, with both bounds included."""

    type: Literal["scale"]
    minimum: Annotated[int, Field(ge=-100, le=100)] = 1
    maximum: Annotated[int, Field(ge=-100, le=100)] = 5

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.minimum < self.maximum <= self.minimum + 20:
            raise ValueError(f"minimum below maximum, at most 20 apart ({self.minimum}, {self.maximum})")
        return self


class LevelField(_Labelled):
    """One of several levels, the lowest first."""

    type: Literal["level"]
    options: Annotated[Choices, Field(min_length=2, max_length=9)]


class LabelsField(_Labelled):
    """Any number of labels; a required field needs at least one."""

    type: Literal["labels"]
    options: Annotated[Choices, Field(max_length=40)]


class TextField(_Labelled):
    """A text."""

    type: Literal["text"]
    longest: Annotated[int, Field(ge=1, le=2_000)] = 500


FormField = Annotated[
    PassField | ScaleField | LevelField | LabelsField | TextField,
    Field(discriminator="type"),
]
PASS: Final = PassField(type="pass")


def _one_decides(fields: list[Any]) -> list[Any]:
    deciding = sum(field.type == "pass" for field in fields)
    if deciding != 1:
        raise ValueError(f"exactly one field of type pass, which decides; {deciding} here")
    return fields


# The form of a panel.
FormFields = Annotated[
    list[FormField], Field(min_length=1, max_length=9), AfterValidator(each_code_once), AfterValidator(_one_decides)
]
