"""Replacing the part about categories in a protocol's text, so that nobody has to write YAML for another list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import yaml

_PART: Final = re.compile(r"^taxonomy:", re.MULTILINE)
_NEXT_KEY: Final = re.compile(r"^[^\s#]", re.MULTILINE)
_TRAILING: Final = re.compile(r"(?:^[ \t]*(?:#[^\n]*)?\n)+\Z", re.MULTILINE)


class TaxonomyNotReplaced(Exception):
    """The text has no part ``taxonomy`` that begins a line."""


def with_taxonomy(source: str, taxonomy: Mapping[str, Any]) -> str:
    """Return a protocol's text with another part ``taxonomy``; everything else stays, comments included.

    Raises:
        TaxonomyNotReplaced.
    """
    begin = _PART.search(source)
    if begin is None:
        raise TaxonomyNotReplaced
    end = _NEXT_KEY.search(source, begin.end())
    part = source[begin.start() : end.start() if end else len(source)]
    # Blank lines and comments above the next part belong to that part.
    trailing = _TRAILING.search(part)
    kept = trailing.group() if trailing and end else "\n"
    written = yaml.safe_dump({"taxonomy": dict(taxonomy)}, allow_unicode=True, sort_keys=False, width=1_000)
    return source[: begin.start()] + written + kept + source[end.start() if end else len(source) :]
