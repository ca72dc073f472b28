"""COCO captions: ``{"images": [{"id", "file_name"}], "annotations": [{"image_id", "caption"}]}``.

The two arrays may come in either order and a picture's captions may be far apart, so the reader uses a small database
on disk. Memory does not grow with the file.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

from annotation.imports.rules.contents import content_of
from annotation.imports.rules.jsonl import picture_of
from annotation.imports.rules.rows import Fault, PictureReference, Row, slot_of, storable, team_reference
from annotation.kinds.tree import RecordNode
from curation.lib.json_rows import Scanner, Unreadable

_TABLES: Final = """
    create table image (line integer primary key, id text not null, record text not null);
    create table caption (place integer primary key, image_id text not null, caption text not null);
"""
_KEPT_KEYS: Final = (
    "file_name",
    "image",
    "label",
    "sha256",
    "image_sha256",
    "slot",
    "coco_url",
    "team",
    "pair",
    "country",
    "language",
)
_BATCH_SIZE: Final = 1_000  # rows of the temporary tables per statement, which bounds memory


class CocoCaptions:
    """The format; it has captions only."""

    kinds = ("captions",)

    def rows(self, file: TextIO, tree: RecordNode) -> Iterator[Row]:
        """Yield one row per picture, named by its place in ``images``; captions without a picture come last."""
        with tempfile.TemporaryDirectory() as folder:
            database = sqlite3.connect(f"{folder}/captions.sqlite", isolation_level=None)
            try:
                database.execute("pragma journal_mode = off")
                database.execute("pragma synchronous = off")
                database.executescript(_TABLES)
                _fill(database, file)
                yield from _rows(database, tree)
            finally:
                database.close()


def _fill(database: sqlite3.Connection, file: TextIO) -> None:
    scanner = Scanner(file)
    parsed_names = set()
    database.execute("begin")
    for name in scanner.member_names():
        if name in parsed_names:
            raise Unreadable(scanner.row, "not_json")
        if name == "images":
            for line, value in enumerate(scanner.elements(), 1):
                record = value if isinstance(value, Mapping) else {}
                fields = {key: record[key] for key in _KEPT_KEYS if isinstance(record.get(key), str | int)}
                values = (line, _text(record.get("id")), json.dumps(fields))
                database.execute("insert into image values (?, ?, ?)", values)
        elif name == "annotations":
            for place, value in enumerate(scanner.elements(), 1):
                record = value if isinstance(value, Mapping) else {}
                values = (place, _text(record.get("image_id")), _text(record.get("caption")))
                database.execute("insert into caption values (?, ?, ?)", values)
        else:
            scanner.skip()
            continue
        parsed_names.add(name)
    scanner.end()
    database.execute("create index image_by_id on image (id)")
    database.execute("create index caption_by_image on caption (image_id)")
    database.execute("commit")


def _text(value: Any) -> str:
    """Encode a value as ASCII JSON, which any column stores; null for anything but text and numbers."""
    return json.dumps(value if isinstance(value, str | int) else None)


def _rows(database: sqlite3.Connection, tree: RecordNode) -> Iterator[Row]:
    line = 0
    while batch := database.execute(
        "select line, id, record, (select min(line) from image o where o.id = image.id) from image "
        "where line > ? order by line limit ?",
        (line, _BATCH_SIZE),
    ).fetchall():
        for line, image_id, record, first in batch:
            yield _row(database, tree, line, image_id, json.loads(record), first)
    orphans = database.execute(
        "select image_id from caption where image_id not in (select id from image) "
        "group by image_id order by min(place)"
    )
    for place, (image_id,) in enumerate(orphans, line + 1):
        display = storable(str(json.loads(image_id)))
        yield Row(place, PictureReference(display=display), fault=Fault("image_unknown", {"image": display}))


def _row(
    database: sqlite3.Connection, tree: RecordNode, line: int, image_id: str, record: Mapping[str, Any], first: int
) -> Row:
    picture = picture_of(record)
    if image_id == "null":
        return Row(line, picture, fault=Fault("row_not_understood", {}))
    if first != line:
        return Row(line, picture, fault=Fault("image_id_twice", {"first": first}))
    slot = slot_of(record.get("slot"))
    if isinstance(slot, Fault):
        return Row(line, picture, fault=slot)
    captions = database.execute("select caption from caption where image_id = ? order by place limit 101", (image_id,))
    content = content_of(tree, {"captions": [json.loads(caption) for (caption,) in captions]})
    if isinstance(content, Fault):
        return Row(line, picture, slot, fault=content)
    return Row(line, picture, slot, content, team=team_reference(record))
