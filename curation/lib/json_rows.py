"""Reading JSON of any size in bounded memory: lines, and the elements of arrays, one at a time.

Python's own decoder reads each element from a buffer that grows only as far as one row may be long. It keeps lone
surrogates, which are then refused by name; streaming parsers on top of yajl were tried and put a question mark in their
place without a word.

No Django here: what brings work in and what scores files of predictions read alike.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, TextIO

BLOCK: Final = 1 << 16  # characters read at once
LONGEST_ROW: Final = 1 << 20  # characters of one row; five captions have a few hundred
_BLANK: Final = " \t\r\n"


class Unreadable(Exception):
    """The file is no JSON of its format from here on.

    Attributes:
        row: The row it broke at, counted from 1.
        reason: ``not_json``, ``row_too_long`` (or no JSON: it was read no further), ``breaks_off``, ``no_array``.
        line: The line of the file, counted from 1.
    """

    def __init__(self, row: int, reason: str, line: int = 0) -> None:
        super().__init__(f"row {row}: {reason}")
        self.row, self.reason, self.line = row, reason, line


@dataclass(frozen=True, slots=True)
class Broken:
    """A row that cannot be read, while those behind it can."""

    code: str


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


STRICT: Final = json.JSONDecoder(parse_constant=_no_constant)
# Takes NaN and Infinity, which Python and numpy write where a model's probability is 0.
LENIENT: Final = json.JSONDecoder()


def first_bad_byte(file: BinaryIO) -> int | None:
    """Where a file stops being UTF-8; None where all of it is."""
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


def opened(path: Path) -> TextIO:
    """Open a file that was found to be UTF-8, with or without a byte order mark."""
    return path.open(encoding="utf-8-sig", newline="\n")


def lines(file: TextIO, *, longest: int = LONGEST_ROW, decoder: json.JSONDecoder = STRICT) -> Iterator[tuple[int, Any]]:
    """The values of JSON lines with their line numbers, counted from 1; empty lines count and have no value.

    Args:
        file: Opened by :func:`opened`.
        longest: Characters that a line may have.
        decoder: :data:`STRICT` or :data:`LENIENT`.

    Yields:
        The line's number and its value, or :class:`Broken`.
    """
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        if len(line) > longest:
            while line and not line.endswith("\n"):
                line = file.readline(BLOCK)
            yield number, Broken("row_too_long")
        elif stripped := line.strip():
            yield number, _value(stripped, decoder)


def _value(line: str, decoder: json.JSONDecoder) -> Any:
    try:
        return decoder.decode(line)
    except (ValueError, RecursionError):
        return Broken("row_not_json")


@dataclass(slots=True)
class Scanner:
    """Walks through one JSON document without ever holding it.

    Attributes:
        file: Opened by :func:`opened`.
        longest: Characters that one element may have.
        decoder: :data:`STRICT` or :data:`LENIENT`.
        row: Elements of the array that were begun.
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
        # Twice as much each time, so that a long row is not decoded anew for every block of it.
        block = self.file.read(max(BLOCK, len(self.buffer) - self.at))
        self.ended = not block
        self._lines_behind += self.buffer.count("\n", 0, self.at)
        self.buffer = self.buffer[self.at :] + block
        self.at = 0
        return bool(block)

    def peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            while self.at < len(self.buffer):
                if self.buffer[self.at] not in _BLANK:
                    return self.buffer[self.at]
                self.at += 1
            if not self._more():
                return ""

    def take(self, *expected: str) -> str:
        """Step over the next character.

        Raises:
            Unreadable: It is none of those expected.
        """
        found = self.peek()
        if found not in expected or not found:
            raise self._broken("not_json" if found else "breaks_off")
        self.at += 1
        return found

    def value(self) -> Any:
        """The next value, whole.

        Raises:
            Unreadable: It is none, or longer than a row may be.
        """
        self.peek()
        while True:
            try:
                found, end = self.decoder.raw_decode(self.buffer, self.at)
            except RecursionError as error:
                raise self._broken("not_json") from error
            except ValueError as error:
                if self.ended:
                    raise self._broken("not_json", getattr(error, "pos", None)) from error
            else:
                if end < len(self.buffer) or self.ended:
                    self.at = end
                    return found
                # A number at the buffer's end may go on behind it.
            if len(self.buffer) - self.at > self.longest:
                raise self._broken("row_too_long")
            self._more()

    def elements(self) -> Iterator[Any]:
        """The elements of the array that comes next, one at a time.

        Raises:
            Unreadable: It is no array, or breaks off.
        """
        if self.peek() != "[":
            raise self._broken("no_array")
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return
        while True:
            self.row += 1
            yield self.value()
            if self.take(",", "]") == "]":
                return

    def names(self) -> Iterator[str]:
        """The names of the object that comes next; whoever asks reads each name's value before the next one.

        Raises:
            Unreadable: It is no object, or breaks off.
        """
        self.take("{")
        if self.peek() == "}":
            self.take("}")
            return
        while True:
            name = self.value()
            if not isinstance(name, str):
                raise self._broken("not_json")
            self.take(":")
            yield name
            if self.take(",", "}") == "}":
                return

    def skip(self) -> None:
        """Step over the next value; an array of any length element by element."""
        if self.peek() == "[":
            for _ in self.elements():
                pass
        else:
            self.value()

    def end(self) -> None:
        """Make sure that nothing follows.

        Raises:
            Unreadable: Something does.
        """
        if self.peek():
            raise self._broken("not_json")
