"""Parquet for Hugging Face's ``datasets``, with the pictures inside.

``load_dataset`` returns column ``image`` as pictures because the schema's metadata has the features. pyarrow writes the
stored file's bytes; ``Dataset.to_parquet`` would write paths of this disk for pictures given by path. A split is cut
into shards, named and numbered as on the hub. The pictures' sizes determine their number before the first is written.
An existing shard is never written again, so this format resumes at the next shard.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.kinds.published import Shape
from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out, Split
from annotation.releases.exporters.columns import columns_of

# Readers hold one row group in memory; it ends at whichever bound comes first.
ROWS: Final = 100
BYTES: Final = 32_000_000
# Bytes of pictures per shard: below the hub's 500 MB, so that an interruption costs seconds.
SHARD: Final = 256_000_000

Typed: TypeAlias = tuple[pa.DataType, dict[str, Any]]  # the Arrow type and the feature

IMAGE: Final[Typed] = (pa.struct([("bytes", pa.binary()), ("path", pa.string())]), {"_type": "Image"})


def typed(shape: Shape) -> Typed:
    """Return the Arrow type and the feature of a column."""
    if isinstance(shape, list):
        of, feature = typed(shape[0])
        return pa.list_(of), {"feature": feature, "_type": "List"}
    if isinstance(shape, dict):
        parts = {name: typed(part) for name, part in shape.items()}
        return pa.struct([(name, type_) for name, (type_, _) in parts.items()]), {n: f for n, (_, f) in parts.items()}
    return pa.type_for_alias(shape), {"dtype": shape, "_type": "Value"}


def schema_of(facts: Facts) -> pa.Schema:
    """Return the schema of a release's records."""
    return schema({name: typed(column.shape) for name, column in columns_of(facts).items()} | {"image": IMAGE})


def schema(columns: Mapping[str, Typed]) -> pa.Schema:
    """Return a schema with the features that ``datasets`` reads."""
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
        pictures = content.with_pictures(file.rows)
        rows = (record | {"image": embedded(record, picture)} for record, picture in pictures)
        write_shard(out, schema_of(content.facts), rows)


def embedded(record: Mapping[str, Any], picture: bytes) -> dict[str, Any]:
    """Return the value of a picture's column."""
    return {"bytes": picture, "path": record["image"]}


def write_shard(out: Out, schema: pa.Schema, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows with a picture in column ``image``, one row group at a time."""
    # Compression and statistics help for texts; pictures are compressed already, and their minimum means nothing.
    texts = [field.name for field in schema if field.type == pa.string()]
    zstd = dict.fromkeys(texts, "ZSTD")
    writer = pq.ParquetWriter(out.file, schema, compression=zstd, use_dictionary=texts, write_statistics=texts)
    try:
        group: list[dict[str, Any]] = []
        size = 0
        for row in rows:
            group.append(row)
            size += len(row["image"]["bytes"])
            if len(group) >= ROWS or size >= BYTES:
                writer.write_table(pa.Table.from_pylist(group, schema=schema))
                group, size = [], 0
        if group:
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
    except BaseException:
        with suppress(OSError):  # if the disk is full, report the first error
            writer.close()
        raise
    writer.close()


EXPORTER: Final[Exporter] = Parquet()
