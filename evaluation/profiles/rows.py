"""Reading files of gold and of predictions, row by row, with errors that name file, line and field.

JSON lines, one JSON array or object, or CSV; by the file's beginning, not by its name. A row is an object.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

# The longest field of a CSV file: a model's long chain of thought, not a file that forgot a quotation mark.
_LONGEST_FIELD = 4_000_000


class WrongInput(Exception):
    """A file that is not what was expected.

    Attributes:
        file: Its name.
        line: Line of a file of lines, row of an array, 0 for the file as a whole.
        field: The field at fault, empty for the row as a whole.
        expected: What should have been there.
    """

    def __init__(self, file: str, line: int, field: str, expected: str) -> None:
        self.file, self.line, self.field, self.expected = file, line, field, expected
        place = f", line {line}" if line else ""
        super().__init__(f"{file}{place}{f', field {field}' if field else ''}: expected {expected}")


class Row(NamedTuple):
    """A row and where it stands."""

    file: str
    line: int
    fields: dict[str, Any]

    def need(self, name: str, *types: type) -> Any:
        """A field that has to be there.

        Raises:
            WrongInput: It is not, or is of another type.
        """
        value = self.fields.get(name)
        names = " or ".join(
            {str: "text", int: "a whole number", float: "a number", list: "a list", dict: "an object"}.get(
                t, t.__name__
            )
            for t in types
        )
        if value is None or (types and not isinstance(value, types)) or (isinstance(value, bool) and bool not in types):
            raise WrongInput(self.file, self.line, name, names or "a value")
        return value

    def id(self, *names: str) -> str:
        """The row's id as text, from the first of ``names`` that is there.

        Raises:
            WrongInput: None is, or it is neither text nor a whole number.
        """
        for name in names:
            value = self.fields.get(name)
            if isinstance(value, bool) or value is None:
                continue
            if isinstance(value, str | int) and str(value) != "":
                return str(value)
        raise WrongInput(self.file, self.line, names[0], "an id, text or a whole number")


def rows(path: Path) -> Iterator[Row]:
    """Every row of a file; of lines and of tables in constant memory.

    Raises:
        WrongInput: The file is missing, not UTF-8, or not of a form that is read here.
    """
    name = path.name
    try:
        with path.open("rb") as file:
            head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise WrongInput(name, 0, "", f"a file that can be read ({error.strerror})") from error
    if head[:1] == b"[":
        yield from _array(path)
    elif head[:1] == b"{":
        yield from _lines(path) if _is_lines(path) else _one(path)
    elif head == b"":
        return
    else:
        yield from _table(path)


def one(path: Path) -> Any:
    """A whole JSON document, for the few files that are one object.

    Raises:
        WrongInput: It is none.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise WrongInput(path.name, 0, "", f"a file that can be read ({error.strerror})") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise WrongInput(path.name, 0, "", "JSON in UTF-8") from error
    except json.JSONDecodeError as error:
        raise WrongInput(path.name, error.lineno, "", f"JSON ({error.msg})") from error


def _is_lines(path: Path) -> bool:
    """Whether the first line is an object by itself and no container of rows that happens to stand on one line."""
    with path.open("rb") as file:
        filled = (line for line in file if line.strip())
        first, second = next(filled, b""), next(filled, None)
    try:
        found = json.loads(first.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        # Broken or not: with more lines that begin like objects it was meant to be lines.
        return second is not None and second.lstrip()[:1] == b"{"
    return isinstance(found, dict) and (second is not None or not _is_container(found))


def _is_container(whole: dict[str, Any]) -> bool:
    """Whether an object holds the rows: in a list named ``data``, or one list for each query."""
    return isinstance(whole.get("data"), list) or (bool(whole) and all(isinstance(v, list) for v in whole.values()))


def _lines(path: Path) -> Iterator[Row]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                fields = json.loads(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
            except (ValueError, RecursionError) as error:
                raise WrongInput(path.name, number, "", "one JSON object in UTF-8 on each line") from error
            if not isinstance(fields, dict):
                raise WrongInput(path.name, number, "", "an object")
            yield Row(path.name, number, fields)


def _array(path: Path) -> Iterator[Row]:
    # Published files in this form have some ten thousand rows; more come as lines.
    for number, fields in enumerate(one(path), 1):
        if not isinstance(fields, dict):
            raise WrongInput(path.name, number, "", "an object")
        yield Row(path.name, number, fields)


def _one(path: Path) -> Iterator[Row]:
    whole = one(path)
    if isinstance(whole.get("data"), list):
        for number, fields in enumerate(whole["data"], 1):
            if not isinstance(fields, dict):
                raise WrongInput(path.name, number, "", "an object")
            yield Row(path.name, number, fields)
        return
    if _is_container(whole):
        # CVLUE's retrieval files: query → ranked entries.
        for number, (name, value) in enumerate(whole.items(), 1):
            yield Row(path.name, number, {"id": name, "response": value})
        return
    yield Row(path.name, 1, whole)


def _table(path: Path) -> Iterator[Row]:
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            if not reader.fieldnames or len(reader.fieldnames) < 2:
                raise WrongInput(path.name, 1, "", "JSON lines, a JSON array, or CSV with a line of names")
            for fields in reader:
                if None in fields or None in fields.values():
                    raise WrongInput(path.name, reader.line_num, "", f"{len(reader.fieldnames)} fields")
                yield Row(path.name, reader.line_num, dict(fields))
    except UnicodeDecodeError as error:
        raise WrongInput(path.name, 0, "", "UTF-8") from error
    except csv.Error as error:
        raise WrongInput(path.name, 0, "", f"CSV ({error})") from error
