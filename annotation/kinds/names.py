"""Names in the interface's languages."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, WithJsonSchema

LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")


def _all_languages(names: dict[str, str]) -> dict[str, str]:
    if set(names) != set(LANGUAGES):
        raise ValueError(f"a text for each of {', '.join(LANGUAGES)}")
    return names


Names = Annotated[
    dict[str, str],
    AfterValidator(_all_languages),
    WithJsonSchema(
        {
            "type": "object",
            "properties": {language: {"type": "string"} for language in LANGUAGES},
            "required": list(LANGUAGES),
        }
    ),
]
