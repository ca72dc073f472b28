"""MS-COCO: ``{"images": [{"id", "file_name"}], "annotations": [{"image_id", …}]}``, for captions and for boxes.

A caption is ``{"caption"}``; a box is ``{"bbox": [x, y, width, height], "category_id"}``, whose category has a name in
``categories``. In a file without ``categories``, the numbers are those of the benchmark's list.

The arrays may come in any order and a picture's annotations may be far apart, so the reader uses a small database on
disk. Memory does not grow with the file.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TextIO

from annotation.imports.rules.boxes import Categories, ForeignBox, content_of_boxes, corners
from annotation.imports.rules.contents import content_of
from annotation.imports.rules.jsonl import picture_of
from annotation.imports.rules.rows import Fault, PictureReference, Row, slot_of, storable, team_reference
from annotation.kinds.boxes import MOST_BOXES
from annotation.kinds.tree import RecordNode
from curation.lib.json_rows import Scanner, Unreadable

_TABLES: Final = """
    create table image (line integer primary key, id text not null, record text not null);
    create table annotation (place integer primary key, image_id text not null, value text not null);
    create table category (place integer primary key, id text not null, name text not null);
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
    "width",
    "height",
)
_BATCH_SIZE: Final = 1_000  # rows of the temporary tables per statement, which bounds memory
_MOST_CATEGORIES: Final = 10_000


class _Coco:
    """What both formats have in common."""

    most: int  # annotations of one picture that are read; one more than any kind allows

    def value(self, annotation: Mapping[str, Any]) -> Any:
        """Return what is kept of an annotation, as JSON."""
        raise NotImplementedError

    def content(self, tree: RecordNode, values: Sequence[Any], names: Mapping[str, str]) -> Mapping[str, Any] | Fault:
        """Build the content of a picture from what was kept; ``names`` are those of categories, by number."""
        raise NotImplementedError

    def rows(self, file: TextIO, tree: RecordNode) -> Iterator[Row]:
        """Yield one row per picture, named by its place in ``images``; annotations without a picture come last."""
        with tempfile.TemporaryDirectory() as folder:
            database = sqlite3.connect(f"{folder}/coco.sqlite", isolation_level=None)
            try:
                database.execute("pragma journal_mode = off")
                database.execute("pragma synchronous = off")
                database.executescript(_TABLES)
                self._fill(database, file)
                yield from self._rows(database, tree)
            finally:
                database.close()

    def _fill(self, database: sqlite3.Connection, file: TextIO) -> None:
        scanner = Scanner(file)
        parsed_names = set()
        database.execute("begin")
        for name in scanner.member_names():
            if name in parsed_names:
                raise Unreadable(scanner.row, "not_json")
            if name not in ("images", "annotations", "categories"):
                scanner.skip()
                continue
            for place, value in enumerate(scanner.elements(), 1):
                record = value if isinstance(value, Mapping) else {}
                if name == "images":
                    fields = {key: record[key] for key in _KEPT_KEYS if isinstance(record.get(key), str | int)}
                    values = (place, _text(record.get("id")), json.dumps(fields))
                    database.execute("insert into image values (?, ?, ?)", values)
                elif name == "annotations":
                    values = (place, _text(record.get("image_id")), json.dumps(self.value(record)))
                    database.execute("insert into annotation values (?, ?, ?)", values)
                elif place <= _MOST_CATEGORIES:
                    values = (place, _text(record.get("id")), _text(record.get("name")))
                    database.execute("insert into category values (?, ?, ?)", values)
            parsed_names.add(name)
        scanner.end()
        database.execute("create index image_by_id on image (id)")
        database.execute("create index annotation_by_image on annotation (image_id)")
        database.execute("commit")

    def _rows(self, database: sqlite3.Connection, tree: RecordNode) -> Iterator[Row]:
        called: dict[str, list[str]] = {}
        for key, name in database.execute("select distinct id, name from category"):
            called.setdefault(key, []).append(json.loads(name))
        # An id with two names is of no category: all of them stand in the fault of its annotations.
        names = {key: " / ".join(map(str, each)) if len(each) > 1 else each[0] for key, each in called.items()}
        line = 0
        while batch := database.execute(
            "select line, id, record, (select min(line) from image o where o.id = image.id) from image "
            "where line > ? order by line limit ?",
            (line, _BATCH_SIZE),
        ).fetchall():
            for line, image_id, record, first in batch:
                yield self._row(database, tree, names, line, image_id, json.loads(record), first)
        orphans = database.execute(
            "select image_id from annotation where image_id not in (select id from image) "
            "group by image_id order by min(place)"
        )
        for place, (image_id,) in enumerate(orphans, line + 1):
            display = storable(str(json.loads(image_id)))
            yield Row(place, PictureReference(display=display), fault=Fault("image_unknown", {"image": display}))

    def _row(
        self,
        database: sqlite3.Connection,
        tree: RecordNode,
        names: Mapping[str, Any],
        line: int,
        image_id: str,
        record: Mapping[str, Any],
        first: int,
    ) -> Row:
        picture = picture_of(record)
        if image_id == "null":
            return Row(line, picture, fault=Fault("row_not_understood", {}))
        if first != line:
            return Row(line, picture, fault=Fault("image_id_twice", {"first": first}))
        slot = slot_of(record.get("slot"))
        if isinstance(slot, Fault):
            return Row(line, picture, fault=slot)
        values = database.execute(
            "select value from annotation where image_id = ? order by place limit ?", (image_id, self.most)
        )
        content = self.content(tree, [json.loads(value) for (value,) in values], names)
        if isinstance(content, Fault):
            return Row(line, picture, slot, fault=content)
        return Row(line, picture, slot, content, team=team_reference(record), size=_size(record))


def _size(record: Mapping[str, Any]) -> tuple[int, int] | None:
    width, height = record.get("width"), record.get("height")
    return (width, height) if isinstance(width, int) and isinstance(height, int) else None


def _text(value: Any) -> str:
    """Encode a value as ASCII JSON, which any column stores; null for anything but text and numbers."""
    return json.dumps(value if isinstance(value, str | int) else None)


class CocoCaptions(_Coco):
    """The format for captions."""

    kinds = ("captions",)
    most = 101

    def value(self, annotation: Mapping[str, Any]) -> Any:
        caption = annotation.get("caption")
        return caption if isinstance(caption, str | int) else None

    def content(self, tree: RecordNode, values: Sequence[Any], names: Mapping[str, str]) -> Mapping[str, Any] | Fault:
        return content_of(tree, {"captions": values})


class CocoBoxes(_Coco):
    """The format for boxes."""

    kinds = ("boxes",)
    most = MOST_BOXES + 1

    def value(self, annotation: Mapping[str, Any]) -> Any:
        category = annotation.get("category_id")
        return {
            "category": category if isinstance(category, str | int) else None,
            "corners": corners(annotation.get("bbox")),
            "is_crowd": annotation.get("iscrowd") not in (None, 0, False),
        }

    def content(self, tree: RecordNode, values: Sequence[Any], names: Mapping[str, str]) -> Mapping[str, Any] | Fault:
        if any(value["corners"] is None for value in values):
            return Fault("row_not_understood", {})
        if crowds := sum(value["is_crowd"] for value in values):
            return Fault("boxes_of_crowds", {"count": crowds})
        boxes = []
        for value in values:
            category = value["category"]
            name = names.get(_text(category)) if names else category
            if names and not name:
                return Fault("category_unknown", {"category": storable(str(category))})
            boxes.append(ForeignBox(name, value["corners"]))
        return content_of_boxes(boxes, Categories(tree))
