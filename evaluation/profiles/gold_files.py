"""Readers of gold files: JSON lines, JSON, CSV, and Parquet, also with pictures inside, as model hubs have data sets.

Files of predictions are never Parquet: people upload them, and Parquet unpacks to any size.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from curation.lib.spreadsheets import from_text
from evaluation.profiles.forms import has_form
from evaluation.profiles.rows import Row, WrongInput, rows, unreadable

_MAGIC: Final = b"PAR1"
_BATCH: Final = 32  # rows in memory; each may have a picture of several megabytes


class _Embedded(NamedTuple):
    """A row of Parquet, and the contents of its pictures by the names that the row has for them."""

    row: Row
    pictures: Mapping[str, bytes]


def gold_rows(path: Path) -> Iterator[Row]:
    """Yield every row of a gold file. Its first bytes decide on its form, not its name.

    In TCC-Bench's form, an apostrophe before what spreadsheets would read as a formula is not part of the text, because
    releases in that form write it.

    A picture inside of Parquet is replaced by the SHA-256 of its content, under which :func:`embedded_pictures` has it.

    Raises:
        WrongInput: The file is missing or has none of the known forms.
    """
    if _is_parquet(path):
        yield from (embedded.row for embedded in _read(path))
    else:
        yield from map(_with_texts, rows(path))


def _with_texts(row: Row) -> Row:
    if not has_form("tcc-mcq", row.fields):
        return row
    texts = {name: from_text(cell) if isinstance(cell, str) else cell for name, cell in row.fields.items()}
    return row._replace(fields=texts)


def embeds_pictures(path: Path) -> bool:
    """Return whether a gold file has pictures inside, as opposed to names of files."""
    return _is_parquet(path) and any(embedded.pictures for embedded in _read(path))


def embedded_pictures(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures inside of a Parquet file, with their names in its rows; some come several times.

    Raises:
        WrongInput: The file cannot be read.
    """
    for embedded in _read(path):
        yield from embedded.pictures.items()


def _is_parquet(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise unreadable(path, error) from error


def _read(path: Path) -> Iterator[_Embedded]:
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed by these files alone)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        with pq.ParquetFile(path) as file:
            columns = [field.name for field in file.schema_arrow if _holds_pictures(field.type)]
            number = 0
            for batch in file.iter_batches(batch_size=_BATCH, use_threads=False):
                for fields in batch.to_pylist():
                    number += 1
                    pictures = {}
                    for column in columns:
                        fields[column], content = _picture(fields[column])
                        if content is not None:
                            pictures[fields[column]] = content
                    yield _Embedded(Row(path.name, number, fields), pictures)
    # A date of a far year is no date of Python's.
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise WrongInput(path.name, 0, "", f"Parquet that can be read ({type(error).__name__})") from error


def _holds_pictures(column: Any) -> bool:
    """Return whether a column has bytes, or pairs of ``bytes`` and ``path`` as the library ``datasets`` writes them."""
    import pyarrow.types as pt  # noqa: PLC0415

    if pt.is_struct(column):
        types = {column.field(i).name: column.field(i).type for i in range(column.num_fields)}
        return types.keys() == {"bytes", "path"} and _has_bytes(types["bytes"])
    return _has_bytes(column)


def _has_bytes(column: Any) -> bool:
    import pyarrow.types as pt  # noqa: PLC0415

    return bool(pt.is_binary(column) or pt.is_large_binary(column))


def _picture(value: Any) -> tuple[str | None, bytes | None]:
    """Return the name of a picture, and its content if it is inside; its path is the name otherwise."""
    content = value.get("bytes") if isinstance(value, dict) else value
    if content:
        return hashlib.sha256(content).hexdigest(), content
    return (value.get("path") or None) if isinstance(value, dict) else None, None
