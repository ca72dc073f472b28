"""Base of all parts of a protocol: strict models, codes, texts in the three languages."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


class Part(BaseModel):
    """A part of a protocol: it rejects unknown keys, converts nothing and is immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Code = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,47}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Percent = Annotated[int, Field(ge=0, le=100)]


class Localised(Part):
    """A text in the three interface languages."""

    zh_hans: Annotated[str, Field(alias="zh-Hans", min_length=1)]
    zh_hant: Annotated[str, Field(alias="zh-Hant", min_length=1)]
    en: Annotated[str, Field(min_length=1)]


class LabelledCode(Part):
    """A stored code with its localised name."""

    code: Code
    name: Localised


def each_code_once(entries: list[Any]) -> list[Any]:
    """Reject a list with a repeated code."""
    codes = [entry.code for entry in entries]
    twice = sorted({code for code in codes if codes.count(code) > 1})
    if twice:
        raise ValueError(f"each code once; twice: {', '.join(twice)}")
    return entries


Choices = Annotated[list[LabelledCode], Field(min_length=1), AfterValidator(each_code_once)]
