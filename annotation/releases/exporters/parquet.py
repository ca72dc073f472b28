"""Parquet as Hugging Face's ``datasets`` reads it, with the pictures inside.

``load_dataset`` gives column ``image`` as a picture because the schema carries the features in its metadata. The bytes
are written by pyarrow, so they are the stored file's, never a path into somebody's disk, which is what
``Dataset.to_parquet`` writes of pictures given by path. A split is cut into shards, named and numbered as on the hub;
how many is known from the pictures' sizes before the first is written, and a shard that is there is never written
again, which is how this format goes on after a cut.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.kinds.base import Shape
from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out, Split
from annotation.releases.exporters.columns import columns_of

# A row group is what a reader holds at once; it ends at whichever bound comes first.
ROWS: Final = 100
BYTES: Final = 32_000_000
# Pictures of one shard: below the 500 MB of the hub's own, so that a cut costs seconds.
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


def schema_of(kind: str) -> pa.Schema:
    """The columns of a kind's records with the features that ``datasets`` reads."""
    columns = {name: _typed(column.shape) for name, column in columns_of(kind).items()} | {"image": _IMAGE}
    features = {name: feature for name, (_, feature) in columns.items()}
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    return pa.schema([(name, type_) for name, (type_, _) in columns.items()], metadata=metadata)


def shards_of(kind: str, split: Split) -> list[File]:
    """A split's shards: as many items each, however large their pictures are; an empty split is one of no rows."""
    count = max(1, min(split.items, -(-split.bytes // SHARD)))
    bounds = [split.items * i // count for i in range(count + 1)]
    rows = [split.rows[low:high] for low, high in pairwise(bounds)]
    return [
        File(
            f"{kind}-{split.name}-{i:05d}-of-{count:05d}.parquet",
            some,
            pictures=split.bytes * len(some) // max(1, split.items),
        )
        for i, some in enumerate(rows)
    ]


class Parquet:
    """The format."""

    def files(self, facts: Facts) -> Sequence[File]:
        """A split's shards, split after split."""
        return [file for split in facts.splits for file in shards_of(facts.kind, split)]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a shard, row group by row group."""
        schema = schema_of(content.facts.kind)
        # Text gains from both; pictures are compressed already, and nobody asks for the smallest of them.
        texts = [field.name for field in schema if field.type == pa.string()]
        zstd = dict.fromkeys(texts, "ZSTD")
        writer = pq.ParquetWriter(out.file, schema, compression=zstd, use_dictionary=texts, write_statistics=texts)
        try:
            rows: list[dict[str, Any]] = []
            held = 0
            for record, picture in content.with_pictures(file.rows):
                rows.append(record | {"image": {"bytes": picture, "path": record["image"]}})
                held += len(picture)
                if len(rows) >= ROWS or held >= BYTES:
                    writer.write_table(pa.Table.from_pylist(rows, schema=schema))
                    rows, held = [], 0
            if rows:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))
        except BaseException:
            with suppress(OSError):  # the disk is full: what was wrong first is what counts
                writer.close()
            raise
        writer.close()


EXPORTER: Final[Exporter] = Parquet()
