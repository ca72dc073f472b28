"""Charts drawn by vl-convert, which contains Vega and a JavaScript engine; no network, no browser.

A separate process draws: the engine takes 150 MB and a second to start, and blocks all other threads of its process.
The process serves later charts too, and ends by itself when it is idle or its parent has exited.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import subprocess
import sys
import threading
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

VEGA_LITE = "6.4"
SCALE = 2  # pixels of a PNG per pixel of the drawing
LONGEST_S = 60.0  # a chart takes seconds; a longer one counts as hanging
IDLE_S = 120.0  # an unused process ends and frees its memory
_HEAD = 9  # bytes before an answer: one flag for success, eight for the length


class NotDrawn(RuntimeError):
    """The engine rejected a definition, or crashed while drawing it."""


def svg(definition: dict[str, Any]) -> bytes:
    """Draw a definition as SVG; text stays text, in whichever fonts the reader has."""
    return _drawn("svg", _canonical(definition), None)


def png(definition: dict[str, Any], *, fonts: Path | None = None) -> bytes:
    """Draw a definition as PNG, with this machine's fonts and those of a folder."""
    return _drawn("png", _canonical(definition), _existing(fonts))


@lru_cache(maxsize=4)
def writes_chinese(fonts: Path | None = None) -> bool:
    """Return whether a font for Chinese exists; without one every character would be the same empty box.

    Args:
        fonts: A folder with the installation's own fonts, besides the system's.
    """
    return _ARTIST.draw("probe", "", _existing(fonts)) == b"yes"


def _canonical(definition: dict[str, Any]) -> str:
    return json.dumps(definition, ensure_ascii=False, sort_keys=True)


def _existing(folder: Path | None) -> str | None:
    return str(folder) if folder is not None and folder.is_dir() else None


@lru_cache(maxsize=64)
def _drawn(ending: str, definition: str, fonts: str | None) -> bytes:
    return _ARTIST.draw(ending, definition, fonts)


class _Artist:
    """The drawing process; it draws one chart at a time for all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def draw(self, output: str, definition: str, fonts: str | None) -> bytes:
        """Send a request to the process and return its answer.

        Raises:
            NotDrawn.
        """
        request = json.dumps([output, definition, fonts]).encode() + b"\n"
        with self._lock:
            # The process may just have ended because it was idle; if a new one ends too, this definition is the cause.
            answer = self._request(request) or self._request(request)
        if answer is None:
            raise NotDrawn("the drawing process ended")
        if not answer[0]:
            raise NotDrawn(answer[1:].decode())
        return answer[1:]

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _request(self, request: bytes) -> bytes | None:
        process, to, of = self._running()
        too_long = threading.Timer(LONGEST_S, process.kill)
        too_long.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                to.write(request)
                to.flush()
                head = of.read(_HEAD)
                length = int.from_bytes(head[1:], "big")
                body = of.read(length)
                if len(head) == _HEAD and len(body) == length:
                    return head[:1] + body
        finally:
            in_time = too_long.is_alive()
            too_long.cancel()
        self.close()
        if not in_time:
            raise NotDrawn(f"no answer within {LONGEST_S:.0f} s")
        return None

    def _running(self) -> tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        if process is None or process.poll() is not None:
            self.close()
            words = [sys.executable, "-P", __file__]
            process = self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if process.stdin is None or process.stdout is None:
            raise NotDrawn("the drawing process has no pipes")
        return process, process.stdin, process.stdout


_ARTIST = _Artist()
atexit.register(_ARTIST.close)


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Draw requests from standard input until there are no more."""
    while select.select([requests], [], [], IDLE_S)[0]:
        line = requests.readline()
        if not line:
            return
        try:
            drawn, body = b"\x01", _draw(*json.loads(line))
        except Exception as error:  # noqa: BLE001 - the engine's message is part of the answer
            drawn, body = b"\x00", str(error).encode()
        answers.write(drawn + len(body).to_bytes(_HEAD - 1, "big") + body)
        answers.flush()


@lru_cache(maxsize=4)
def _register_fonts(folder: str) -> None:
    import vl_convert  # noqa: PLC0415 - as below

    vl_convert.register_font_directory(folder)


def _draw(output: str, definition: str, fonts: str | None) -> bytes:
    # Only the drawing process may load the engine.
    import vl_convert  # noqa: PLC0415

    if fonts is not None:
        _register_fonts(fonts)
    if output == "svg":
        return str(vl_convert.vegalite_to_svg(definition, vl_version=VEGA_LITE)).encode()
    if output == "png":
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
    # The engine's own output goes to the log, so that it does not mix with the answers.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        _serve(sys.stdin.buffer, answers)
