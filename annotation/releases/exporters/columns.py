"""The columns of published records, for typed formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotation.kinds.published import Column, columns
from annotation.kinds.tree import RecordNode

# The columns of every kind's records, as ``annotation.releases.rules.record`` builds them.
SHARED: Final[Mapping[str, Column]] = {
    "image": Column("string", "the picture's name in the release; Parquet holds its bytes beside it"),
    "id": Column("int64", "number of the picture in the benchmark"),
    "label": Column("string", "the picture's name there"),
    "item": Column("string", "name of the annotated item"),
    "revision": Column("int64", "which version of the item's content this is, counted from 1"),
    "image_sha256": Column("string", "sha256 of the picture's bytes"),
    "width": Column("int64", "width of the picture in pixels; it is stored upright"),
    "height": Column("int64", "height of the picture in pixels"),
    "category": Column("string", "the picture's category, empty where it has none"),
    "subset": Column("string", "the part of the collection it belongs to, empty where there are no parts"),
    "licence": Column("string", "the picture's own licence"),
    "source": Column({"kind": "string", "url": "string", "author": "string"}, "where the picture comes from"),
    "split": Column("string", "the split; all items of a picture are in the same one"),
    "protocol_version": Column("int64", "version of the protocol"),
}


def columns_of(tree: RecordNode) -> dict[str, Column]:
    """Return the columns of records: the common ones, then those of their content."""
    return {**SHARED, **columns(tree)}
