"""Charts drawn on the server by vl-convert, which brings Vega and the engine that runs it; no network, no browser."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

VEGA_LITE = "6.4"
SCALE = 2  # pixels of a PNG for each of the drawing


def svg(definition: dict[str, Any]) -> bytes:
    """A definition as SVG; its text stays text, for whatever fonts the reader has."""
    return _svg(_canonical(definition))


def png(definition: dict[str, Any]) -> bytes:
    """A definition as PNG, drawn with this machine's fonts."""
    return _png(_canonical(definition))


def writes_chinese(folder: Path | None = None) -> bool:
    """Whether this machine has a font for Chinese; without one every character would be the same empty box.

    Args:
        folder: Fonts of the installation's own, looked at besides the system's.
    """
    return _writes_chinese(str(folder) if folder and folder.is_dir() else None)


def _canonical(definition: dict[str, Any]) -> str:
    return json.dumps(definition, ensure_ascii=False, sort_keys=True)


@lru_cache(maxsize=64)  # a page asks for the same few again and again
def _svg(definition: str) -> bytes:
    # The engine takes 80 MB and half a second to start: only a process that draws pays for it.
    import vl_convert  # noqa: PLC0415

    return str(vl_convert.vegalite_to_svg(definition, vl_version=VEGA_LITE)).encode()


@lru_cache(maxsize=32)
def _png(definition: str) -> bytes:
    import vl_convert  # noqa: PLC0415 - as above

    drawn: bytes = vl_convert.vegalite_to_png(definition, vl_version=VEGA_LITE, scale=SCALE)
    return drawn


@lru_cache(maxsize=4)
def _writes_chinese(folder: str | None) -> bool:
    import vl_convert  # noqa: PLC0415 - as above

    if folder is not None:
        vl_convert.register_font_directory(folder)
    drawn = {
        vl_convert.svg_to_png(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
            f'<text x="4" y="30" font-size="28" font-family="sans-serif">{character}</text></svg>'
        )
        for character in "花灯燈"
    }
    return len(drawn) == 3
