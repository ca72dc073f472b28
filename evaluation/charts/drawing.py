"""Charts drawn by vl-convert, which brings Vega and the engine that runs it; no network, no browser.

A process of its own draws: the engine takes 80 MB and half a second to start, and while it works no other thread of its
process does. What it drew is remembered, so a page that asks for the same few again and again does not wait.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

VEGA_LITE = "6.4"
SCALE = 2  # pixels of a PNG for each of the drawing
LONGEST_S = 60.0
_ONE_AT_A_TIME = threading.Lock()


def svg(definition: dict[str, Any]) -> bytes:
    """A definition as SVG; its text stays text, for whatever fonts the reader has."""
    return _drawn("svg", _canonical(definition), None)


def png(definition: dict[str, Any], *, fonts: Path | None = None) -> bytes:
    """A definition as PNG, drawn with this machine's fonts and those of a folder."""
    return _drawn("png", _canonical(definition), _existing(fonts))


@lru_cache(maxsize=4)
def writes_chinese(fonts: Path | None = None) -> bool:
    """Whether there is a font for Chinese; without one every character would be the same empty box.

    Args:
        fonts: Fonts of the installation's own, looked at besides the system's.
    """
    return _in_another_process("probe", "", _existing(fonts)) == b"yes"


def _canonical(definition: dict[str, Any]) -> str:
    return json.dumps(definition, ensure_ascii=False, sort_keys=True)


def _existing(folder: Path | None) -> str | None:
    return str(folder) if folder is not None and folder.is_dir() else None


@lru_cache(maxsize=64)
def _drawn(ending: str, definition: str, fonts: str | None) -> bytes:
    return _in_another_process(ending, definition, fonts)


def _in_another_process(wanted: str, definition: str, fonts: str | None) -> bytes:
    words = [sys.executable, "-P", __file__, wanted, *([fonts] if fonts else [])]
    with _ONE_AT_A_TIME:
        return subprocess.run(
            words, input=definition.encode(), stdout=subprocess.PIPE, timeout=LONGEST_S, check=True
        ).stdout


def _draw(wanted: str, definition: str, fonts: str | None) -> bytes:
    # Only the process that draws may load the engine.
    import vl_convert  # noqa: PLC0415

    if fonts is not None:
        vl_convert.register_font_directory(fonts)
    if wanted == "svg":
        return str(vl_convert.vegalite_to_svg(definition, vl_version=VEGA_LITE)).encode()
    if wanted == "png":
        return bytes(vl_convert.vegalite_to_png(definition, vl_version=VEGA_LITE, scale=SCALE))
    drawn = {
        vl_convert.svg_to_png(
            '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
            f'<text x="4" y="30" font-size="28" font-family="sans-serif">{character}</text></svg>'
        )
        for character in "花灯燈"
    }
    return b"yes" if len(drawn) == 3 else b"no"


if __name__ == "__main__":
    sys.stdout.buffer.write(_draw(sys.argv[1], sys.stdin.read(), sys.argv[2] if len(sys.argv) > 2 else None))
