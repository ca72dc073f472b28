"""The licences of pictures as pages show them: a name, and the address of the text where the code is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_CREATIVE_COMMONS: Final = re.compile(r"CC-(BY(?:-NC)?(?:-SA|-ND)?)-([1-4]\.[05])")
# SPDX code → address of the text.
_TEXTS: Final[Mapping[str, str]] = {
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "MIT": "https://spdx.org/licenses/MIT.html",
    "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
}


class Licence(NamedTuple):
    """A licence on a page; ``url`` is empty where no text of it is known."""

    name: str
    url: str


def licence_of(code: str, protocol: Mapping[str, Any], language: str) -> Licence:
    """Show the licence of this code by the name that a protocol gives it, otherwise by the code."""
    entries = (protocol.get("images") or {}).get("licences") or []
    name = next((entry["name"][language] for entry in entries if entry["code"] == code), code)
    return Licence(name, _address(code))


def _address(code: str) -> str:
    if match := _CREATIVE_COMMONS.fullmatch(code):
        return f"https://creativecommons.org/licenses/{match[1].lower()}/{match[2]}/"
    return _TEXTS.get(code, "")
