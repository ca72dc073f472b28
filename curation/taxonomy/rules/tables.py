"""Lists of categories as tables: CSV files and the table in the browser, a category a line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from curation.benchmarks.rules import Localised
from curation.benchmarks.rules.marked_yaml import FileInvalid
from curation.core.errors import TextRefused
from curation.core.folding import fold
from curation.core.text import clean, shows_nothing
from curation.taxonomy.rules.groups import computed_group
from curation.taxonomy.rules.lists import CategoryList, Entry, SemanticField, parse_with_lines
from curation.taxonomy.rules.scripts import missing_script
from curation.taxonomy.rules.search import search_strings

FORMATS: Final = ("csv", "yaml")
LONGEST_LIST: Final = 2_000  # categories
_LONGEST: Final[Mapping[str, int]] = MappingProxyType({"name": 120, "short": 40, "definition": 2_000, "field": 120})
_LONGEST_REASON: Final = 500
LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")
_TEXTS: Final = ("name", "field", "short", "definition")
#: The columns, in the order in which a list is written as a table.
COLUMNS: Final = (
    *(f"{text}_{language}" for text in ("name", "field") for language in LANGUAGES),
    "group",
    "reason",
    *(f"{text}_{language}" for text in ("definition", "short") for language in LANGUAGES),
    "slug",
    "field_slug",
)
_LABELS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "name": ("name", "category", "名称", "类别", "类别名称"),
        "field": ("field", "语义领域", "领域", "字段"),
        "short": ("short", "short name", "简称"),
        "definition": ("definition", "定义", "说明"),
    }
)
_LANGUAGE_LABELS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "zh-Hans": ("zh-hans", "zh", "简体", "简体中文", "中文"),
        "zh-Hant": ("zh-hant", "繁体", "繁体中文"),
        "en": ("en", "english", "英文", "英语"),
    }
)
_PLAIN_LABELS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "group": ("group", "文化距离", "分组"),
        "reason": ("reason", "理由", "原因"),
        "slug": ("slug", "code", "代码"),
        "field_slug": ("field_slug", "field slug", "领域代码"),
    }
)
_GROUPS: Final = ("coco", "moderate", "closest", "")
_SLUG: Final = re.compile(r"^[a-z][a-z0-9_]{0,63}$")
_LONGEST_BASE: Final = 58  # what makes a slug unique comes behind it: up to ``_2001``
_PUNCTUATION: Final = re.compile(r"[\s_()（）:：·./-]+")


class TableFault(NamedTuple):
    """A fault of a list: line from 1, column of the table or key of the file, and code and values of its sentence.

    ``message`` is the English sentence of faults in YAML files, which have no code of the table's.
    """

    line: int
    column: str
    code: str
    params: Mapping[str, Any] = MappingProxyType({})
    message: str = ""


@dataclass
class CheckedTable:
    """A list as it was read; None with faults. ``rows`` are the cells by column, for the table in the browser."""

    categories: CategoryList | None = None
    rows: list[dict[str, str]] = field(default_factory=list)
    faults: list[TableFault] = field(default_factory=list)


def _normal(label: str) -> str:
    return _PUNCTUATION.sub(" ", fold(label)).strip()


@lru_cache(maxsize=1)
def _columns_by_label() -> dict[str, str]:
    labels = {_normal(label): column for column, names in _PLAIN_LABELS.items() for label in names}
    for text, names in _LABELS.items():
        for language, tags in _LANGUAGE_LABELS.items():
            column = f"{text}_{language}"
            labels[_normal(column)] = column
            for tag in tags:
                for name in names:
                    labels[_normal(f"{name} {tag}")] = labels[_normal(f"{name}{tag}")] = column
                if text == "name":
                    labels[_normal(tag)] = column
    return labels


def read_text(text: str, *, form: str, name: str) -> CheckedTable:
    """Read a list from the text of a file.

    Args:
        text: The file's text.
        form: One of :data:`FORMATS`.
        name: What the list is called here; a name in a YAML file counts for nothing.
    """
    if form == "csv":
        return _read_csv(text, name)
    try:
        read, lines = parse_with_lines(text, file=f"{name}.yaml", converts=True)
    except FileInvalid as invalid:
        faults = [TableFault(p.line, p.key, p.code, p.params, f"expected {p.expected}") for p in invalid.reported]
        return CheckedTable(faults=faults)
    cells = [{column: row[column] for column in COLUMNS} for row in rows_of(read)]
    in_lines = sorted(((lines[row["slug"]], row) for row in cells), key=lambda row: row[0])
    checked = read_table(in_lines, name=name)
    if checked.categories:
        checked.categories = checked.categories.with_facts_of(read)
        checked.rows = rows_of(checked.categories)
    return checked


def _read_csv(text: str, name: str) -> CheckedTable:
    first = text.lstrip("\ufeff\r\n").partition("\n")[0]
    reader = csv.reader(
        io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter="\t" if "\t" in first else ",", strict=True
    )
    lines: list[tuple[int, list[str]]] = []
    try:
        while True:
            number = reader.line_num + 1
            cells = next(reader, None)
            if cells is None:
                break
            if any(cell.strip() for cell in cells):
                lines.append((number, cells))
    except csv.Error:
        return CheckedTable(faults=[TableFault(number, "", "line_unreadable")])
    if not lines:
        return CheckedTable(faults=[TableFault(1, "", "list_empty")])
    labels = _columns_by_label()
    line, header = lines[0]
    columns = [labels.get(_normal(cell), "") for cell in header]
    faults = [
        TableFault(line, cell[:80], "column_unknown", {"column": cell[:80]})
        for cell, column in zip(header, columns, strict=True)
        if cell.strip() and (not column or columns.count(column) > 1)
    ]
    if not any(column.startswith("name_") for column in columns):
        faults.append(TableFault(line, "name_zh-Hans", "column_missing"))
    if faults:
        return CheckedTable(faults=faults)
    wide = [
        TableFault(n, "", "line_too_wide") for n, cells in lines[1:] if any(c.strip() for c in cells[len(columns) :])
    ]
    if wide:
        return CheckedTable(faults=wide)
    rows = [
        (n, {column: cell for column, cell in zip(columns, cells, strict=False) if column}) for n, cells in lines[1:]
    ]
    return read_table(rows, name=name)


def _searchable(cells: Mapping[str, str]) -> dict[str, str]:
    """The cells of a row with what finds it: a row is looked for just when the table has a fault."""
    names = {language: cells[f"name_{language}"] for language in LANGUAGES if cells.get(f"name_{language}")}
    return {**cells, "search": "\n".join(search_strings(cells.get("slug", ""), names))}


def read_table(rows: Sequence[tuple[int, Mapping[str, str]]], *, name: str) -> CheckedTable:
    """Read a list from cells by column, each row with its line.

    A text that is missing in one Chinese script is converted from the other, with Taiwan's wording in the traditional
    one. A missing slug is made from the English name; a list without fields has one.
    """
    if not rows:
        return CheckedTable(faults=[TableFault(1, "", "list_empty")])
    if len(rows) > LONGEST_LIST:
        return CheckedTable(faults=[TableFault(1, "", "list_too_long", {"maximum": LONGEST_LIST})])
    table = _Table()
    for line, cells in rows:
        table.add(line, cells)
    checked = CheckedTable(None, [_searchable(table.cleaned[line]) for line, _ in rows], table.faults)
    if not table.faults:
        checked.categories = table.build(name)
        checked.rows = rows_of(checked.categories)
    return checked


class _Table:
    """Collects the rows of a table and their faults."""

    def __init__(self) -> None:
        self.faults: list[TableFault] = []
        self.cleaned: dict[int, dict[str, str]] = {}
        self.fields: dict[str, tuple[str, dict[str, str]]] = {}  # by key: slug and names
        self.entries: list[tuple[str, dict[str, Any]]] = []
        self.names: dict[tuple[str, str], int] = {}
        self.slugs: dict[str, int] = {}

    def add(self, line: int, cells: Mapping[str, str]) -> None:
        """Check a row and note its category."""
        row = self.cleaned[line] = self._clean(line, cells)
        names = self._texts(line, row, "name", required=True)
        for language, text in names.items():
            key = (language, fold(text))
            if key in self.names:
                self._fault(line, f"name_{language}", "name_twice", first=self.names[key])
            self.names.setdefault(key, line)
        if row.get("group", "") not in _GROUPS:
            self._fault(line, "group", "group_unknown", got=row["group"][:40])
        elif (group := row.get("group", "")) and not row.get("reason") and group != computed_group(names.get("en", "")):
            self._fault(line, "reason", "reason_missing", computed=computed_group(names.get("en", "")))
        if len(row.get("reason", "")) > _LONGEST_REASON:
            self._fault(line, "reason", "too_long", maximum=_LONGEST_REASON)
        slug = row.get("slug") or self._free_slug(names.get("en", ""))
        if not _SLUG.match(slug):
            self._fault(line, "slug", "slug_form", got=slug[:40])
        elif slug in self.slugs:
            self._fault(line, "slug", "slug_twice", first=self.slugs[slug])
        self.slugs.setdefault(slug, line)
        entry = {"slug": slug, "name": names, "group": row.get("group", ""), "reason": row.get("reason", "")}
        for text in ("short", "definition"):
            entry[text] = self._texts(line, row, text, required=False)
        self.entries.append((self._field(line, row), entry))

    def build(self, name: str) -> CategoryList:
        """The list, in the order of the rows; only without faults."""
        categories: dict[str, list[Entry]] = {key: [] for key in self.fields}
        for number, (key, entry) in enumerate(self.entries, start=1):
            facts = {column: value for column, value in entry.items() if value}
            categories[key].append(Entry.model_validate({"number": number, **facts}))
        fields = [
            SemanticField(slug=slug, name=Localised.model_validate(names), categories=categories[key])
            for key, (slug, names) in self.fields.items()
        ]
        return CategoryList(name=name, source="", fields=fields)

    def _fault(self, line: int, column: str, code: str, **params: Any) -> None:
        self.faults.append(TableFault(line, column, code, params))

    def _clean(self, line: int, cells: Mapping[str, str]) -> dict[str, str]:
        row = {}
        for column, cell in cells.items():
            try:
                row[column] = clean(cell)
            except TextRefused as refused:
                self._fault(line, column, "text_refused", **refused.params)
        return row

    def _texts(self, line: int, row: Mapping[str, str], text: str, *, required: bool) -> dict[str, str]:
        """A text in the three languages; empty if the row has none."""
        texts = {language: row.get(f"{text}_{language}", "") for language in LANGUAGES}
        texts = {language: "" if shows_nothing(value) else value for language, value in texts.items()}
        if not any(texts.values()) and not required:
            return {}
        texts |= missing_script({language: value for language, value in texts.items() if value})
        for language, value in texts.items():
            if not value:
                self._fault(line, f"{text}_{language}", "cell_missing")
            elif len(value) > _LONGEST[text]:
                self._fault(line, f"{text}_{language}", "too_long", maximum=_LONGEST[text])
        return {language: value for language, value in texts.items() if value}

    def _free_slug(self, english: str) -> str:
        return free_slug(english, self.slugs)

    def _field(self, line: int, row: Mapping[str, str]) -> str:
        """The key of the row's semantic field; a new one is noted."""
        names = {language: row.get(f"field_{language}", "") for language in LANGUAGES}
        slug = row.get("field_slug", "")
        if not slug and not any(names.values()):
            self.fields.setdefault("", ("categories", {"zh-Hans": "类别", "zh-Hant": "類別", "en": "Categories"}))
            return ""
        spelt = [fold(name) for name in names.values() if name]
        key = next((k for k, (s, n) in self.fields.items() if (slug and s == slug) or _shares(n, names)), None)
        if key is not None:
            for language, name in names.items():
                known = self.fields[key][1].get(language, "")
                if name and fold(name) != fold(known):
                    self._fault(line, f"field_{language}", "field_differs", known=known)
            return key
        texts = self._texts(line, row, "field", required=True)
        taken = {s for s, _ in self.fields.values()}
        slug = slug or free_slug(texts.get("en", ""), taken)
        if not _SLUG.match(slug):
            self._fault(line, "field_slug", "slug_form", got=slug[:40])
        key = slug or spelt[0]
        self.fields[key] = (slug, texts)
        return key


def free_slug(english: str, taken: Collection[str]) -> str:
    """A slug made from an English name that is not taken yet."""
    return next(slug for slug in _numbered(_slug_from(english)) if slug not in taken)


def _shares(known: Mapping[str, str], names: Mapping[str, str]) -> bool:
    return any(name and fold(name) == fold(known.get(language, "")) for language, name in names.items())


def _slug_from(english: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "_", fold(english)).strip("_")
    slug = slug if slug and slug[0].isalpha() else f"c_{slug}".strip("_")
    return slug[:_LONGEST_BASE].strip("_")


def _numbered(base: str) -> Iterator[str]:
    yield base
    for n in range(2, LONGEST_LIST + 2):
        yield f"{base}_{n}"


def rows_of(categories: CategoryList) -> list[dict[str, str]]:
    """The cells of a list by column, a category a row; columns without a value are empty.

    ``computed_group`` is what the programs find for the English name, beside ``group``; ``search`` has a line for each
    string that finds the category.
    """
    rows = []
    for group, entry in categories.entries():
        texts = {"name": entry.name, "field": group.name, "short": entry.short, "definition": entry.definition}
        cells = {"group": entry.group, "reason": entry.reason, "slug": entry.slug, "field_slug": group.slug}
        for text in _TEXTS:
            value = texts[text]
            in_languages = value.model_dump(by_alias=True) if value else {}
            cells |= {f"{text}_{language}": in_languages.get(language, "") for language in LANGUAGES}
        computed = {
            "computed_group": computed_group(entry.name.en),
            "search": "\n".join(search_strings(entry.slug, entry.name.model_dump(by_alias=True))),
        }
        rows.append({column: cells[column] for column in COLUMNS} | computed)
    return rows
