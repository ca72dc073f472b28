"""Readers of large JSON files in bounded memory: lines, and the elements of arrays, one at a time.

Python's own decoder reads each element from a buffer that grows only to the longest allowed row. It keeps lone
surrogates, so that callers can refuse them by name. Streaming parsers based on yajl silently replace them with question
marks.

No Django here; imports and the scoring of predictions both use it.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, TextIO

BLOCK: Final = 1 << 16  # characters per read
LONGEST_ROW: Final = 1 << 20  # characters of one row; five captions have a few hundred
_BLANK: Final = " \t\r\n"


class Unreadable(Exception):
    """The file is not valid JSON of its format from here on.

    Attributes:
        row: The row of the error, counted from 1.
        reason: ``not_json``, ``row_too_long`` (or invalid beyond what was read), ``breaks_off``, ``no_array``.
        line: The line of the error, counted from 1.
    """

    def __init__(self, row: int, reason: str, line: int = 0) -> None:
        super().__init__(f"row {row}: {reason}")
        self.row, self.reason, self.line = row, reason, line


@dataclass(frozen=True, slots=True)
class Broken:
    """An unreadable row; the rows after it are readable."""

    code: str


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


STRICT: Final = json.JSONDecoder(parse_constant=_no_constant)
# Accepts NaN and Infinity, which Python and numpy write for a model's probability of 0.
LENIENT: Final = json.JSONDecoder()


def first_bad_byte(file: BinaryIO) -> int | None:
    """Return the offset at which a file stops being UTF-8; None if all of it is."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    at = 0
    while True:
        block = file.read(BLOCK)
        waiting = len(decoder.getstate()[0])
        try:
            decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            return at - waiting + error.start
        if not block:
            return None
        at += len(block)


def open_text(path: Path) -> TextIO:
    """Open a UTF-8 file, with or without a byte order mark."""
    return path.open(encoding="utf-8-sig", newline="\n")


def lines(file: TextIO, *, longest: int = LONGEST_ROW, decoder: json.JSONDecoder = STRICT) -> Iterator[tuple[int, Any]]:
    """Yield the values of JSON lines with their line numbers, counted from 1; empty lines count and give no value.

    Args:
        file: Opened by :func:`open_text`.
        longest: Most characters of a line.
        decoder: :data:`STRICT` or :data:`LENIENT`.

    Yields:
        The line's number and its value, or :class:`Broken`.
    """
    number = 0
    # raw_decode, because decode looks for blanks at both ends, where a stripped line has none.
    decode = decoder.raw_decode
    while line := file.readline(longest + 1):
        number += 1
        if len(line) > longest:
            while line and not line.endswith("\n"):
                line = file.readline(BLOCK)
            yield number, Broken("row_too_long")
        elif stripped := line.strip():
            try:
                value, end = decode(stripped)
            except (ValueError, RecursionError):
                end = -1
            yield number, value if end == len(stripped) else Broken("row_not_json")


@dataclass(slots=True)
class Scanner:
    """A parser of one JSON document that never holds the whole of it.

    Attributes:
        file: Opened by :func:`open_text`.
        longest: Most characters of one element.
        decoder: :data:`STRICT` or :data:`LENIENT`.
        row: Number of elements of the array so far.
    """

    file: TextIO
    longest: int = LONGEST_ROW
    decoder: json.JSONDecoder = STRICT
    buffer: str = ""
    at: int = 0
    row: int = 0
    ended: bool = field(default=False)
    _lines_behind: int = 0

    def _broken(self, reason: str, at: int | None = None) -> Unreadable:
        line = self._lines_behind + self.buffer.count("\n", 0, self.at if at is None else at) + 1
        return Unreadable(self.row, reason, line)

    def _more(self) -> bool:
        # Doubling avoids decoding a long row again for every block of it.
        block = self.file.read(max(BLOCK, len(self.buffer) - self.at))
        self.ended = not block
        self._lines_behind += self.buffer.count("\n", 0, self.at)
        self.buffer = self.buffer[self.at :] + block
        self.at = 0
        return bool(block)

    def peek(self) -> str:
        """Return the next character that is not white space; empty at the end."""
        while True:
            while self.at < len(self.buffer):
                if self.buffer[self.at] not in _BLANK:
                    return self.buffer[self.at]
                self.at += 1
            if not self._more():
                return ""

    def expect(self, *expected: str) -> str:
        """Consume the next character.

        Raises:
            Unreadable: It is not one of the expected ones.
        """
        character = self.peek()
        if character not in expected or not character:
            raise self._broken("not_json" if character else "breaks_off")
        self.at += 1
        return character

    def value(self) -> Any:
        """Return the next value as a whole.

        Raises:
            Unreadable: It is invalid, or longer than a row may be.
        """
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.buffer, self.at)
            except RecursionError as error:
                raise self._broken("not_json") from error
            except ValueError as error:
                if self.ended:
                    raise self._broken("not_json", getattr(error, "pos", None)) from error
            else:
                if end < len(self.buffer) or self.ended:
                    self.at = end
                    return value
                # A number at the end of the buffer may continue in the next block.
            if len(self.buffer) - self.at > self.longest:
                raise self._broken("row_too_long")
            self._more()

    def elements(self) -> Iterator[Any]:
        """Yield the elements of the next array, one at a time.

        Raises:
            Unreadable: It is not an array, or the file ends inside it.
        """
        if self.peek() != "[":
            raise self._broken("no_array")
        self.expect("[")
        if self.peek() == "]":
            self.expect("]")
            return
        while True:
            self.row += 1
            yield self.value()
            if self.expect(",", "]") == "]":
                return

    def member_names(self) -> Iterator[str]:
        """Yield the member names of the next object; the caller reads each member's value before the next name.

        Raises:
            Unreadable: It is not an object, or the file ends inside it.
        """
        self.expect("{")
        if self.peek() == "}":
            self.expect("}")
            return
        while True:
            name = self.value()
            if not isinstance(name, str):
                raise self._broken("not_json")
            self.expect(":")
            yield name
            if self.expect(",", "}") == "}":
                return

    def skip(self) -> None:
        """Skip the next value; an array of any length element by element."""
        if self.peek() == "[":
            for _ in self.elements():
                pass
        else:
            self.value()

    def end(self) -> None:
        """Check that nothing follows.

        Raises:
            Unreadable: Something follows.
        """
        if self.peek():
            raise self._broken("not_json")
