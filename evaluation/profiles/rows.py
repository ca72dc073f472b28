"""Readers of gold and prediction files, row by row, with errors that name file, line and field.

A file has JSON lines, one JSON array or object, or CSV; its first bytes decide, not its name. A row is an object.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from curation.lib.json_rows import LENIENT, Broken, Scanner, Unreadable, first_bad_byte, lines, open_text

# The longest JSON row or CSV field. It has room for a model's long chain of thought or for ten thousand ranked texts,
# and stops at a file with a missing quotation mark.
_LONGEST: Final = 4_000_000
_LINE: Final = "one JSON object in UTF-8 on each line"
_TYPE_NAMES: Final = {str: "text", int: "a whole number", float: "a number", list: "a list", dict: "an object"}
# Sentences for the errors of the JSON reader.
_BROKEN: Final = {
    "not_json": "JSON",
    "breaks_off": "JSON that does not break off",
    "row_too_long": f"rows of at most {_LONGEST} characters",
    "no_array": "a JSON array",
}


class WrongInput(Exception):
    """A file does not have the expected form.

    Attributes:
        file: The file's name.
        line: The line of a file of lines, or the row of an array; 0 for the file as a whole.
        field: The wrong field; empty for the row as a whole.
        expected: What the reader expected.
        hint: More about it for people; empty: nothing.
    """

    def __init__(self, file: str, line: int, field: str, expected: str, hint: str = "") -> None:
        self.file, self.line, self.field, self.expected = file, line, field, expected
        place = f", line {line}" if line else ""
        more = f". {hint}" if hint else ""
        super().__init__(f"{file}{place}{f', field {field}' if field else ''}: expected {expected}{more}")


def unreadable(path: Path, error: OSError) -> WrongInput:
    """Return the error of a file that is missing or cannot be opened, with its whole path."""
    return WrongInput(str(path), 0, "", f"a file that can be read ({error.strerror})")


class Row(NamedTuple):
    """A row with its file and line."""

    file: str
    line: int
    fields: dict[str, Any]

    def need(self, name: str, *types: type) -> Any:
        """Return a required field.

        Raises:
        WrongInput: The field is missing or has another type.
        """
        value = self.fields.get(name)
        if value is None or (types and not isinstance(value, types)) or (isinstance(value, bool) and bool not in types):
            names = " or ".join(_TYPE_NAMES.get(t, t.__name__) for t in types)
            raise WrongInput(self.file, self.line, name, names or "a value")
        return value

    def id(self, *names: str) -> str:
        """Return the row's id as text, from the first of ``names`` that it has.

        Raises:
        WrongInput: It has none, or one that is neither text nor a whole number.
        """
        for name in names:
            value = self.fields.get(name)
            if isinstance(value, str):
                if value:
                    return value
            elif isinstance(value, int) and not isinstance(value, bool):
                return str(value)
        raise WrongInput(self.file, self.line, names[0], "an id, text or a whole number")


def rows(path: Path) -> Iterator[Row]:
    """Yield every row of a file, in constant memory for lines and CSV.

    Raises:
    WrongInput: The file is missing, is not UTF-8, or has none of the known forms.
    """
    name = path.name
    try:
        with path.open("rb") as file:
            head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise unreadable(path, error) from error
    if head == b"":
        return
    read = {b"[": _array, b"{": _object}.get(head[:1], _table)
    try:
        yield from read(path)
    except Unreadable as error:
        raise WrongInput(name, error.line, "", _BROKEN[error.reason]) from error
    except UnicodeDecodeError as error:
        raise WrongInput(name, _line_of_bad_byte(path), "", "UTF-8") from error


def _shape(path: Path) -> str:
    """Find out the form of a file that begins with an object.

    Returns:
    ``lines`` for JSON lines; for one object ``data`` if it has the rows in a list of that name, ``lists`` if it has a
    list for each query, or ``row``.
    """
    holds_data, any_list, only_lists = False, False, True
    with open_text(path) as file:
        scanner = Scanner(file, longest=_LONGEST, decoder=LENIENT)
        try:
            for name in scanner.member_names():
                is_list = scanner.peek() == "["
                any_list, only_lists = any_list or is_list, only_lists and is_list
                holds_data = holds_data or (is_list and name == "data")
                scanner.skip()
            more = scanner.peek()
        except Unreadable:
            if holds_data:
                raise
            # Invalid as one object; a second line that begins like an object means JSON lines.
            file.seek(0)
            filled = (line for line in file if line.strip())
            next(filled)
            if not next(filled, "").lstrip().startswith("{"):
                raise
            return "lines"
    if more:
        return "lines"
    if holds_data:
        return "data"
    return "lists" if any_list and only_lists else "row"


def _object(path: Path) -> Iterator[Row]:
    shape = _shape(path)
    with open_text(path) as file:
        if shape == "lines":
            yield from _lines(path.name, file)
            return
        scanner = Scanner(file, longest=_LONGEST, decoder=LENIENT)
        if shape == "row":
            yield _row(path.name, 1, scanner.value())
            return
        for number, name in enumerate(scanner.member_names(), 1):
            if shape == "lists":
                # CVLUE's retrieval files: query → ranked entries.
                yield Row(path.name, number, {"id": name, "response": scanner.value()})
            elif name == "data" and scanner.peek() == "[":
                yield from _elements(path.name, scanner)
            else:
                scanner.skip()


def _array(path: Path) -> Iterator[Row]:
    with open_text(path) as file:
        scanner = Scanner(file, longest=_LONGEST, decoder=LENIENT)
        yield from _elements(path.name, scanner)
        scanner.end()


def _elements(name: str, scanner: Scanner) -> Iterator[Row]:
    for number, fields in enumerate(scanner.elements(), 1):
        yield _row(name, number, fields)


def _lines(name: str, file: TextIO) -> Iterator[Row]:
    for number, fields in lines(file, longest=_LONGEST, decoder=LENIENT):
        if isinstance(fields, dict):
            yield Row(name, number, fields)
        elif isinstance(fields, Broken):
            raise WrongInput(name, number, "", _LINE if fields.code == "row_not_json" else _BROKEN["row_too_long"])
        else:
            raise WrongInput(name, number, "", "an object")


def _row(name: str, number: int, fields: Any) -> Row:
    if not isinstance(fields, dict):
        raise WrongInput(name, number, "", "an object")
    return Row(name, number, fields)


def _line_of_bad_byte(path: Path) -> int:
    with path.open("rb") as file:
        at = first_bad_byte(file) or 0
        file.seek(0)
        return file.read(at).count(b"\n") + 1


def _table(path: Path) -> Iterator[Row]:
    csv.field_size_limit(_LONGEST)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            if not reader.fieldnames or len(reader.fieldnames) < 2:
                raise WrongInput(path.name, 1, "", "JSON lines, a JSON array, or CSV with a line of names")
            for fields in reader:
                if None in fields or None in fields.values():
                    raise WrongInput(path.name, reader.line_num, "", f"{len(reader.fieldnames)} fields")
                yield Row(path.name, reader.line_num, dict(fields))
    except csv.Error as error:
        raise WrongInput(path.name, 0, "", f"CSV ({error})") from error
