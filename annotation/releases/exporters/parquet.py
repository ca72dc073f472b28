"""Parquet for Hugging Face's ``datasets``, with the pictures inside.

``load_dataset`` returns column ``image`` as pictures because the schema's metadata has the features. pyarrow writes the
stored file's bytes; ``Dataset.to_parquet`` would write paths of this disk for pictures given by path. A split is cut
into shards, named and numbered as on the hub. The pictures' sizes determine their number before the first is written.
An existing shard is never written again, so this format resumes at the next shard.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.kinds.published import Shape
from annotation.kinds.tree import RecordNode
from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out, Split
from annotation.releases.exporters.columns import columns_of

# Readers hold one row group in memory; it ends at whichever bound comes first.
ROWS: Final = 100
BYTES: Final = 32_000_000
# Bytes of pictures per shard: below the hub's 500 MB, so that an interruption costs seconds.
SHARD: Final = 256_000_000

_Typed: TypeAlias = tuple[pa.DataType, dict[str, Any]]  # the Arrow type and the feature

_IMAGE: Final[_Typed] = (pa.struct([("bytes", pa.binary()), ("path", pa.string())]), {"_type": "Image"})


def _typed(shape: Shape) -> _Typed:
    if isinstance(shape, list):
        of, feature = _typed(shape[0])
        return pa.list_(of), {"feature": feature, "_type": "List"}
    if isinstance(shape, dict):
        parts = {name: _typed(part) for name, part in shape.items()}
        return pa.struct([(name, type_) for name, (type_, _) in parts.items()]), {n: f for n, (_, f) in parts.items()}
    return pa.type_for_alias(shape), {"dtype": shape, "_type": "Value"}


def schema_of(tree: RecordNode) -> pa.Schema:
    """Return the schema of records with the features that ``datasets`` reads."""
    columns = {name: _typed(column.shape) for name, column in columns_of(tree).items()} | {"image": _IMAGE}
    features = {name: feature for name, (_, feature) in columns.items()}
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    return pa.schema([(name, type_) for name, (type_, _) in columns.items()], metadata=metadata)


def shards_of(kind: str, split: Split) -> list[File]:
    """Divide a split into shards with equal numbers of items; an empty split has one shard without rows."""
    count = max(1, min(split.items, -(-split.bytes // SHARD)))
    bounds = [split.items * i // count for i in range(count + 1)]
    rows = [split.rows[low:high] for low, high in pairwise(bounds)]
    return [
        File(
            f"{kind}-{split.name}-{i:05d}-of-{count:05d}.parquet",
            numbers,
            pictures=split.bytes * len(numbers) // max(1, split.items),
        )
        for i, numbers in enumerate(rows)
    ]


class Parquet:
    """The exporter of Parquet."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return the shards, split by split."""
        return [file for split in facts.splits for file in shards_of(facts.kind, split)]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a shard, one row group at a time."""
        schema = schema_of(content.facts.tree)
        # Compression and statistics help for texts; pictures are compressed already, and their minimum means nothing.
        texts = [field.name for field in schema if field.type == pa.string()]
        zstd = dict.fromkeys(texts, "ZSTD")
        writer = pq.ParquetWriter(out.file, schema, compression=zstd, use_dictionary=texts, write_statistics=texts)
        try:
            rows: list[dict[str, Any]] = []
            size = 0
            for record, picture in content.with_pictures(file.rows):
                rows.append(record | {"image": {"bytes": picture, "path": record["image"]}})
                size += len(picture)
                if len(rows) >= ROWS or size >= BYTES:
                    writer.write_table(pa.Table.from_pylist(rows, schema=schema))
                    rows, size = [], 0
            if rows:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))
        except BaseException:
            with suppress(OSError):  # if the disk is full, report the first error
                writer.close()
            raise
        writer.close()


EXPORTER: Final[Exporter] = Parquet()
