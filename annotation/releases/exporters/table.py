"""Comma-separated values: one row for each text of an item, or for each group of texts that belong together.

Row n of an item has the n-th entries of its lists and the number in column ``no``; what is no list is in its first row.
An entry with named parts has a column for each, named by the part, or by both where two parts have the same name. An
item whose texts are withheld has one row without them. Lists that are no content, such as candidate answers, are left
out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from annotation.kinds.published import Column, Shape, columns
from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out
from annotation.releases.exporters.cells import line
from annotation.releases.exporters.columns import shared_columns


def _flat(name: str, shape: Shape) -> list[str]:
    """Return the columns of a shape: a list has those of its entries, parts have their own names."""
    if isinstance(shape, list):
        shape = shape[0]
    return [part for parts in shape for part in _flat(parts, shape[parts])] if isinstance(shape, dict) else [name]


def _cells(shape: Shape, value: Any) -> Iterator[Any]:
    """Return the values of a shape's columns; empty after the end of a shorter list."""
    if isinstance(shape, dict):
        for part, of in shape.items():
            yield from _cells(of, value[part] if value is not None else None)
    else:
        yield "" if value is None else value


def _shared(columns: Mapping[str, Column], record: Mapping[str, Any]) -> list[Any]:
    return [cell for name, column in columns.items() for cell in _cells(column.shape, record[name])]


def _shared_names(columns: Mapping[str, Column]) -> list[str]:
    return [
        f"{name}_{part}" if part else name
        for name, column in columns.items()
        for part in (column.shape if isinstance(column.shape, dict) else [""])
    ]


def _own_names(shapes: Mapping[str, Shape]) -> list[str]:
    plain = [(name, column) for name, shape in shapes.items() for column in _flat(name, shape)]
    times = Counter(column for _, column in plain)
    return [column if times[column] == 1 else f"{name}_{column}" for name, column in plain]


class Table:
    """The exporter of comma-separated values."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file per split."""
        return [File(f"{facts.kind}-{split.name}.csv", split.rows) for split in facts.splits]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a split's rows."""
        own = {name: column.shape for name, column in columns(content.facts.tree).items()}
        shared_ = shared_columns(content.facts).items()
        common = {name: column for name, column in shared_ if not isinstance(column.shape, list)}
        names = _own_names(own)
        entry = [shape[0] if isinstance(shape, list) else shape for shape in own.values()]
        if not out.done:
            out.file.write(line([*_shared_names(common), "no", *names]))
        for done, record in enumerate(content.records(file.rows[out.done :]), out.done + 1):
            shared = _shared(common, record)
            lists = [record[name] if isinstance(shape, list) else [record[name]] for name, shape in own.items()]
            for no, entries in enumerate(zip_longest(*lists), 1):
                cells = (cell for of, value in zip(entry, entries, strict=True) for cell in _cells(of, value))
                out.file.write(line([*shared, no, *cells]))
            if not any(lists):
                out.file.write(line([*shared, "", *("" for _ in names)]))
            out.mark(done)


EXPORTER: Final[Exporter] = Table()
