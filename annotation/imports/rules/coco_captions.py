"""COCO captions: ``{"images": [{"id", "file_name"}], "annotations": [{"image_id", "caption"}]}``.

The two arrays may come in either order and a picture's captions may lie far apart, so they go through a small database
on the disk: memory stays the same however large the file is.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

from annotation.imports.rules.contents import content_of
from annotation.imports.rules.jsonl import picture_of
from annotation.imports.rules.rows import Fault, Named, Row, slot_of, storable
from curation.lib.json_rows import Scanner, Unreadable

_TABLES: Final = """
    create table image (line integer primary key, id text not null, record text not null);
    create table caption (place integer primary key, image_id text not null, caption text not null);
"""
_KEPT: Final = ("file_name", "image", "label", "sha256", "image_sha256", "slot", "coco_url")
_AT_ONCE: Final = 1_000


class CocoCaptions:
    """The format; it holds captions only."""

    kinds = ("captions",)

    def rows(self, file: TextIO, kind: str) -> Iterator[Row]:
        """One row a picture; its place among ``images`` names it. Captions of no picture come last."""
        with tempfile.TemporaryDirectory() as folder:
            database = sqlite3.connect(f"{folder}/captions.sqlite", isolation_level=None)
            try:
                database.execute("pragma journal_mode = off")
                database.execute("pragma synchronous = off")
                database.executescript(_TABLES)
                _fill(database, file)
                yield from _rows(database, kind)
            finally:
                database.close()


def _fill(database: sqlite3.Connection, file: TextIO) -> None:
    scanner = Scanner(file)
    seen = set()
    database.execute("begin")
    for name in scanner.names():
        if name in seen:
            raise Unreadable(scanner.row, "not_json")
        if name == "images":
            for line, value in enumerate(scanner.elements(), 1):
                record = value if isinstance(value, Mapping) else {}
                kept = {key: record[key] for key in _KEPT if isinstance(record.get(key), str | int)}
                given = (line, _text(record.get("id")), json.dumps(kept))
                database.execute("insert into image values (?, ?, ?)", given)
        elif name == "annotations":
            for place, value in enumerate(scanner.elements(), 1):
                record = value if isinstance(value, Mapping) else {}
                given = (place, _text(record.get("image_id")), _text(record.get("caption")))
                database.execute("insert into caption values (?, ?, ?)", given)
        else:
            scanner.skip()
            continue
        seen.add(name)
    scanner.end()
    database.execute("create index image_by_id on image (id)")
    database.execute("create index caption_by_image on caption (image_id)")
    database.execute("commit")


def _text(value: Any) -> str:
    """A value as JSON in ASCII, which any column takes; what is neither text nor number is none."""
    return json.dumps(value if isinstance(value, str | int) else None)


def _rows(database: sqlite3.Connection, kind: str) -> Iterator[Row]:
    line = 0
    while some := database.execute(
        "select line, id, record, (select min(line) from image o where o.id = image.id) from image "
        "where line > ? order by line limit ?",
        (line, _AT_ONCE),
    ).fetchall():
        for line, image_id, record, first in some:
            yield _row(database, kind, line, image_id, json.loads(record), first)
    lost = database.execute(
        "select image_id from caption where image_id not in (select id from image) "
        "group by image_id order by min(place)"
    )
    for place, (image_id,) in enumerate(lost, line + 1):
        shown = storable(str(json.loads(image_id)))
        yield Row(place, Named(shown=shown), fault=Fault("image_unknown", {"image": shown}))


def _row(
    database: sqlite3.Connection, kind: str, line: int, image_id: str, record: Mapping[str, Any], first: int
) -> Row:
    picture = picture_of(record)
    if image_id == "null":
        return Row(line, picture, fault=Fault("row_not_understood", {}))
    if first != line:
        return Row(line, picture, fault=Fault("image_id_twice", {"first": first}))
    slot = slot_of(record.get("slot"))
    if isinstance(slot, Fault):
        return Row(line, picture, fault=slot)
    found = database.execute("select caption from caption where image_id = ? order by place limit 101", (image_id,))
    content = content_of(kind, {"captions": [json.loads(caption) for (caption,) in found]})
    if isinstance(content, Fault):
        return Row(line, picture, slot, fault=content)
    return Row(line, picture, slot, content)
