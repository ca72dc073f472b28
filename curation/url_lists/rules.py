"""Reading a list of addresses: a line for each picture, with licence, author and further details."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from curation.benchmarks.rules import Images
from curation.core.errors import TextRefused
from curation.core.text import clean
from curation.images.rules import InvalidDetail, InvalidFile, check_details, check_name
from curation.images.rules.names import has_picture_extension
from curation.wire.public_web import FetchFailed, check_url

MOST_LINES: Final = 500
MOST_CHARACTERS: Final = 500_000  # of the whole text
LONGEST_AUTHOR: Final = 200

#: The columns in their order without a first line of names; the first three are required.
COLUMNS: Final = ("url", "licence", "author", "category", "page")
_REQUIRED: Final = COLUMNS[:3]
_NAMES: Final[Mapping[str, str]] = {
    name: column
    for column, names in {
        "url": ("url", "address", "link", "网址", "網址", "链接", "連結", "地址", "位址"),
        "licence": ("licence", "license", "许可", "授权", "授權", "许可证"),
        "author": ("author", "creator", "作者", "创作者", "創作者"),
        "category": ("category", "类别", "類別", "分类", "分類"),
        "page": (
            "page",
            "source",
            "source page",
            "source_page",
            "来源",
            "來源",
            "来源页",
            "來源頁",
            "来源页面",
            "來源頁面",
        ),
    }.items()
    for name in names
}


class Fault(NamedTuple):
    """Why a line is left out, or a file was not fetched; code and values of the error that people see."""

    code: str
    params: dict[str, Any]


@dataclass(slots=True)
class Line:
    """A line of the list, counted from 1; ``url`` as written, ``details`` those of the picture so far."""

    number: int
    url: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    @property
    def host(self) -> str:
        """The host as it is asked for; empty if the address is faulty."""
        try:
            return check_url(self.url).raw_host.decode()
        except FetchFailed:
            return ""


class ListRefused(Exception):
    """The list as a whole is refused; ``code`` and ``params`` are those of the error."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code = code
        self.params = params
        super().__init__(code)


def read_lines(text: str, limits: Images, *, categories: Mapping[str, str]) -> list[Line]:
    """Read a table, separated by tabs or commas, with or without a first line of column names.

    Args:
        text: The table.
        limits: The protocol's rules for pictures.
        categories: The slug of each category by its slug and names, case-folded.

    Raises:
        ListRefused: It is empty or too long, or has an unknown column. Faults of single lines are part of the lines.
    """
    if len(text) > MOST_CHARACTERS:
        raise ListRefused("url_list_too_long", maximum=MOST_LINES)
    rows = list(_rows(text.removeprefix("\ufeff")))
    columns = _header(rows[0][1]) if rows else None
    if columns is None:
        columns = COLUMNS
    else:
        rows = rows[1:]
    if not rows:
        raise ListRefused("url_list_empty")
    if len(rows) > MOST_LINES:
        raise ListRefused("url_list_too_long", maximum=MOST_LINES)
    licences = {entry.code.casefold(): entry.code for entry in limits.licences}
    lines: list[Line] = []
    first_lines: dict[str, int] = {}
    for number, cells, fault in rows:
        line = Line(number, faults=[] if fault is None else [fault])
        if fault is None:
            _fill(line, columns, cells, limits, licences, categories)
            first = first_lines.setdefault(_comparable(line.url), number)
            if line.url and first != number:
                line.faults.append(Fault("url_repeated", {"line": first}))
        lines.append(line)
    return lines


def filename_of(url: str) -> str:
    """Return a name for the picture at an address: the last part of its path, without an extension of other things."""
    path = check_url(url).raw_path.decode().partition("?")[0]
    name = unquote(path.rpartition("/")[2])
    if not has_picture_extension(name):
        name = name.partition(".")[0]
    try:
        return check_name(name)
    except InvalidFile:
        return "picture"


def _rows(text: str) -> Iterator[tuple[int, list[str], Fault | None]]:
    """Yield the cells of each line that is not empty, with the number of the line where it begins."""
    begins = text.lstrip("\r\n").partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in begins else ",", strict=True)
    while True:
        number = reader.line_num + 1
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error:
            # What follows an open quotation mark belongs to it, so that no further line can be read.
            yield number, [], Fault("url_line_unreadable", {})
            return
        if any(cells):
            yield number, cells, None


def _header(cells: Sequence[str]) -> tuple[str, ...] | None:
    """Return the columns that a first line names; None if it is no line of names.

    Raises:
        ListRefused: One is unknown or repeated, or a required one is missing.
    """
    columns = [_NAMES.get(cell.casefold(), "") for cell in cells]
    if "url" not in columns:
        return None
    for cell, column in zip(cells, columns, strict=True):
        if cell and (not column or columns.count(column) > 1):
            raise ListRefused("url_column_unknown", column=cell[:80], columns=list(COLUMNS))
    if missing := [column for column in _REQUIRED if column not in columns]:
        raise ListRefused("url_column_missing", columns=missing)
    return tuple(columns)


def _fill(
    line: Line,
    columns: Sequence[str],
    cells: Sequence[str],
    limits: Images,
    licences: Mapping[str, str],
    categories: Mapping[str, str],
) -> None:
    """Set a line's address and details, and note everything that is wrong with them."""
    if any(cells[len(columns) :]):
        line.faults.append(Fault("url_line_too_wide", {"columns": len(cells), "maximum": len(columns)}))
        return
    try:
        values = {column: clean(cell) for column, cell in zip(columns, cells, strict=False) if column}
    except TextRefused as refused:
        line.faults.append(Fault(refused.code, refused.params))
        return
    line.url = values.get("url", "")
    if line.url:
        line.faults += _url_fault(line.url)
    if missing := [column for column in _REQUIRED if not values.get(column)]:
        line.faults.append(Fault("url_line_incomplete", {"columns": missing}))
    page = values.get("page", "")
    if page:
        line.faults += _url_fault(page)
    if len(values.get("author", "")) > LONGEST_AUTHOR:
        line.faults.append(Fault("url_author_too_long", {"maximum": LONGEST_AUTHOR}))
    licence, category = values.get("licence", ""), values.get("category", "")
    details = {
        "source": "external",
        "url": page or line.url,
        "author": values.get("author", ""),
        "licence": licences.get(licence.casefold(), licence),
        "category": categories.get(category.casefold(), category),
    }
    line.details = {name: value for name, value in details.items() if value}
    if not line.faults:
        _check_details(line, limits, categories)


def _url_fault(url: str) -> list[Fault]:
    try:
        check_url(url)
    except FetchFailed as failure:
        return [Fault(failure.code, failure.params)]
    return []


def _check_details(line: Line, limits: Images, categories: Mapping[str, str]) -> None:
    """Check the details against the protocol, and add the site that the address belongs to."""
    for code in [site.code for site in limits.sites] or [""]:
        details = line.details | ({"site": code} if code else {})
        try:
            check_details(details, limits, categories=list(categories.values()), teams=())
        except InvalidDetail as invalid:
            if invalid.code != "site_address_elsewhere":
                line.faults.append(Fault(invalid.code, invalid.params))
                return
        else:
            line.details = details
            return
    host = check_url(line.details["url"]).host
    line.faults.append(Fault("site_not_allowed", {"host": host, "sites": [site.code for site in limits.sites]}))


def _comparable(url: str) -> str:
    try:
        return str(check_url(url))
    except FetchFailed:
        return url
