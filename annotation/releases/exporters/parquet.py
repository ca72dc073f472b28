"""Parquet as Hugging Face's ``datasets`` reads it, with the pictures inside.

``load_dataset("parquet", data_files=…)`` gives column ``image`` as a picture because the schema carries the features
in its metadata. The bytes are written by pyarrow, so they are the stored file's, never a path into somebody's disk,
which is what ``Dataset.to_parquet`` writes of pictures given by path.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, Final, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.kinds.base import Shape
from annotation.kinds.registry import KINDS
from annotation.releases.exporters.base import Content, Exporter, Facts

# A row group is what a reader holds at once; it ends at whichever bound comes first.
ROWS: Final = 100
BYTES: Final = 32_000_000

_TEXT: Final = {"dtype": "string", "_type": "Value"}
_NUMBER: Final = {"dtype": "int64", "_type": "Value"}

# Column → (Arrow type, feature).
_Columns: TypeAlias = dict[str, tuple[pa.DataType, dict[str, Any]]]

# What every kind's records hold.
_SHARED: Final[_Columns] = {
    "image": (pa.struct([("bytes", pa.binary()), ("path", pa.string())]), {"_type": "Image"}),
    "id": (pa.int64(), _NUMBER),
    "label": (pa.string(), _TEXT),
    "item": (pa.string(), _TEXT),
    "revision": (pa.int64(), _NUMBER),
    "image_sha256": (pa.string(), _TEXT),
    "width": (pa.int64(), _NUMBER),
    "height": (pa.int64(), _NUMBER),
    "category": (pa.string(), _TEXT),
    "subset": (pa.string(), _TEXT),
    "licence": (pa.string(), _TEXT),
    "source": (
        pa.struct([("kind", pa.string()), ("url", pa.string()), ("author", pa.string())]),
        {"kind": _TEXT, "url": _TEXT, "author": _TEXT},
    ),
    "split": (pa.string(), _TEXT),
    "protocol_version": (pa.int64(), _NUMBER),
}


def _typed(shape: Shape) -> tuple[pa.DataType, dict[str, Any]]:
    """The Arrow type and the feature of a shape that a kind gives."""
    if isinstance(shape, list):
        of, feature = _typed(shape[0])
        return pa.list_(of), {"feature": feature, "_type": "List"}
    if isinstance(shape, dict):
        parts = {name: _typed(part) for name, part in shape.items()}
        return pa.struct([(name, type_) for name, (type_, _) in parts.items()]), {n: f for n, (_, f) in parts.items()}
    return pa.type_for_alias(shape), {"dtype": shape, "_type": "Value"}


def schema_of(kind: str) -> pa.Schema:
    """The columns of a kind's records, its content's after those of all, with the features that ``datasets`` reads."""
    columns = _SHARED | {name: _typed(column.shape) for name, column in KINDS[kind].columns.items()}
    features = {name: feature for name, (_, feature) in columns.items()}
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    return pa.schema([(name, type_) for name, (type_, _) in columns.items()], metadata=metadata)


class Parquet:
    """The format."""

    def files(self, facts: Facts) -> Mapping[str, Sequence[str]]:
        """One file a split."""
        return {f"{facts.kind}-{split}.parquet": (split,) for split in facts.split_names}

    def write(self, name: str, content: Content, out: BinaryIO) -> None:
        """Write a split, row group by row group."""
        schema = schema_of(content.facts.kind)
        # Text gains from both; pictures are compressed already, and nobody asks for the smallest of them.
        texts = [field.name for field in schema if field.type == pa.string()]
        zstd = dict.fromkeys(texts, "ZSTD")
        with pq.ParquetWriter(out, schema, compression=zstd, use_dictionary=texts, write_statistics=texts) as writer:
            rows: list[dict[str, Any]] = []
            held = 0
            for record, picture in content.with_pictures(self.files(content.facts)[name]):
                rows.append(record | {"image": {"bytes": picture, "path": record["image"]}})
                held += len(picture)
                if len(rows) >= ROWS or held >= BYTES:
                    writer.write_table(pa.Table.from_pylist(rows, schema=schema))
                    rows, held = [], 0
            if rows:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))


EXPORTER: Final[Exporter] = Parquet()
