"""Names in the Chinese script that is missing, converted from the other one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from opencc import OpenCC


@lru_cache(maxsize=2)
def _converter(configuration: str) -> OpenCC:
    return OpenCC(configuration)


def missing_script(names: Mapping[str, str]) -> dict[str, str]:
    """The name in simplified or traditional characters, if only the other one is given; Taiwan's wording is kept."""
    match names.get("zh-Hans"), names.get("zh-Hant"):
        case str(simplified), None:
            return {"zh-Hant": _converter("s2twp").convert(simplified)}
        case None, str(given):
            return {"zh-Hans": _converter("tw2sp").convert(given)}
    return {}
