"""Content of any size, made while it is read, and the loop that writes it: what exporters are tried on alone."""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from annotation.kinds.published import withhold
from annotation.kinds.registry import KINDS, label
from annotation.releases.exporters import registry
from annotation.releases.exporters.base import DrawnOptions, Facts, Split, StoredPicture, Whole, WholeContent, Written
from annotation.releases.exporters.parts import Part
from annotation.releases.rules import (
    CANDIDATES,
    CAPTION,
    SCORED_ROUND,
    Dialogue,
    dialogue_fields,
    drawn_options,
    public_record,
    scored_splits,
)
from tests.kinds import SLUGS, tree_of


def facts(kind: str = "captions", items: int = 100, withheld: Sequence[str] = (), picture: int = 400) -> Facts:
    """A release of a kind with a picture an item: 60, 10 and 30 percent; ``picture``: each one's said size."""
    train, valid = items * 6 // 10, items // 10
    sizes = {"train": train, "valid": valid, "test": items - train - valid}
    splits, first = [], 1
    for (name, size), percent in zip(sizes.items(), (60, 10, 30), strict=True):
        splits.append(Split(name, percent, size, size, first, size * picture, name in withheld))
        first += size
    return Facts(
        label=f"{kind}-v3",
        kind=kind,
        tree=tree_of(kind),
        slug="cvlue",
        title={"zh-Hans": "花灯", "zh-Hant": "花燈", "en": "Lantern"},
        language="zh-Hans",
        licence="CC-BY-NC-ND-4.0",
        protocol_name="cvlue",
        protocol_version=2,
        protocol_sha256="cd" * 32,
        seed=42,
        digest="ef" * 32,
        event_id=99,
        frozen_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        splits=splits,
        licences={"CC-BY-4.0": items},
        consent={"version": 1, "sha256": "ab" * 32, "donors": "ask"},
        previous=f"{kind}-v2",
        changes={"added": items, "removed": 0, "changed": 0},
        columns=(CAPTION, SCORED_ROUND, CANDIDATES) if kind == "dialogue" else (),
    )


class Generated:
    """A release of one kind: its data, and the whole (see :mod:`annotation.releases.exporters.base`).

    ``read`` counts what ``steps`` does not skip.
    """

    def __init__(self, about: Facts) -> None:
        self.facts = about
        self.whole = Whole.of(about)
        self.kinds = [self]
        self.steps = self.read = 0
        self._withheld = {split.name for split in about.splits if split.withheld}
        self._written: dict[str, Written] = {}
        self._split_of = {ordinal: split.name for split in about.splits for ordinal in split.rows}
        self._prefix = KINDS[about.kind].prefix
        source = {"kind": "external", "url": "https://example.org/1", "author": "摄影者, 甲"}
        numbers = {"revision": 1, "width": 24, "height": 16, "protocol_version": 2}
        texts = {"category": "panda", "subset": "A", "licence": "CC-BY-4.0"}
        self._shared: dict[str, Any] = numbers | texts | {"source": source}
        self._more: dict[int, dict[str, Any]] = self._fields_of_dialogues() if about.kind == "dialogue" else {}

    def record(self, ordinal: int) -> dict[str, Any]:
        """The full record of an item."""
        split = self._split_of[ordinal]
        return (
            self._shared
            | {
                "id": ordinal,
                "label": f"img-{ordinal:04d}",
                "item": f"{self._prefix}-{ordinal:06d}",
                "image": f"images/{split}/A/1-panda/A-1-{ordinal}.png",
                "image_sha256": hashlib.sha256(self.picture(ordinal)).hexdigest(),
                "split": split,
            }
            | self._content(ordinal)
        )

    def _content(self, ordinal: int) -> dict[str, Any]:
        texts = [f"第{ordinal}张图片里有第{i}样东西，在灯下面" for i in range(5)]
        if self.facts.kind == "captions":
            return {"captions": texts}
        if self.facts.kind == "boxes":
            places = [(ordinal % 7, 0.25 * i, 8.5, 9 + ordinal % 3) for i in range(3)]
            return {"boxes": [{"key": f"k{i}", "category": SLUGS[i], "box": list(p)} for i, p in enumerate(places)]}
        if self.facts.kind == "grounding":
            objects = [(f"k{i}", f"第{ordinal}张图片里的第{i}样东西", [10.5 + i, 20, 30, 40.25]) for i in range(2)]
            return {"expressions": [{"key": key, "text": text, "box": box} for key, text, box in objects]}
        if self.facts.kind == "dialogue":
            return {"rounds": self._rounds(ordinal)} | self._more[ordinal]
        answer = f"东西{ordinal % 50}"
        return {"pairs": [{"question": f"{text}是什么？", "answer": answer} for text in texts[:3]]}

    def _rounds(self, ordinal: int) -> list[dict[str, str]]:
        return [
            {"question": f"第{ordinal}张图片里的第{i}样东西是什么？", "answer": f"第{i}样是灯{ordinal * i % 30}。"}
            for i in range(1, 11)
        ]

    def _fields_of_dialogues(self) -> dict[int, dict[str, Any]]:
        names = scored_splits(self._withheld)
        dialogues = [Dialogue(n, n, n, f"第{n}张图片里有灯", self._rounds(n)) for n in self.facts.rows]
        scored = {n for n in self.facts.rows if self._split_of[n] in names}
        return dialogue_fields(dialogues, scored=scored, seed=self.facts.option_seed)

    def picture(self, ordinal: int) -> bytes:
        """400 bytes that stand for a picture's."""
        return ordinal.to_bytes(4) * 100

    def records(self, rows: range) -> Iterator[dict[str, Any]]:
        for ordinal in rows:
            record = self.record(ordinal)
            yield public_record(self.facts.tree, record) if record["split"] in self._withheld else record
            self.step()

    def with_pictures(self, rows: range) -> Iterator[tuple[dict[str, Any], bytes]]:
        for ordinal, record in zip(rows, self.records(rows), strict=True):
            yield record, self.picture(ordinal)

    def first_records(self, rows: range) -> Iterator[dict[str, Any] | None]:
        seen = {self.record(ordinal)["image"] for ordinal in self.whole.rows if ordinal < rows.start}
        for record in self.records(rows):
            yield None if record["image"] in seen else record
            seen.add(record["image"])

    def pictures(self, rows: range) -> Iterator[StoredPicture]:
        for ordinal in rows:
            content = self.picture(ordinal)
            yield StoredPicture(str(self.record(ordinal)["image"]), f"renditions/{ordinal}.png", ordinal, content)
            self.step()

    def stored(self, name: str) -> tuple[str, int]:
        return f"releases/1/{name}", 0

    def keys(self, rows: range) -> Iterator[dict[str, Any]]:
        for ordinal in rows:
            record = self.record(ordinal)
            yield {"item": record["item"], "image": record["image"]} | withhold(self.facts.tree, record)[1]
            self.step()

    def drawn_options(self, rows: range, *, key: bool = False) -> Iterator[DrawnOptions]:
        for ordinal in rows:
            record = self.record(ordinal)
            options, right = drawn_options(record, self.facts.option_seed)
            yield DrawnOptions(options, right if key or record["split"] not in self._withheld else None)
            self.step()

    def changes(self, rows: range) -> Iterator[dict[str, Any]]:
        for place in rows:
            yield {"change": "added", "item": label(self.facts.kind, place + 1), "revision": 1}
            self.step()

    def step(self) -> None:
        self.steps += 1
        self.read += 1

    def written(self) -> dict[str, Written]:
        return self._written


class Sheet:
    """See :class:`annotation.releases.exporters.base.Out`: in memory, keeping every mark with what stood before it."""

    def __init__(self, data: bytes = b"", done: int = 0, state: Any = None) -> None:
        self.file: BinaryIO = io.BytesIO()
        self.file.write(data)
        self.done, self.state = done, state
        self.marks: list[tuple[bytes, int, Any]] = []

    def mark(self, done: int, state: Any = None) -> None:
        self.marks.append((self.bytes(), done, json.loads(json.dumps(state))))

    def bytes(self) -> bytes:
        """Everything written."""
        assert isinstance(self.file, io.BytesIO)
        return self.file.getvalue()


def texts(format_: str, content: WholeContent) -> dict[str, str]:
    """Every file of a format, by name."""
    exporter = registry.DATA[format_] if format_ in registry.DATA else registry.ALWAYS[format_]
    written = {}
    for file in exporter.files(content.whole):
        sheet = Sheet()
        exporter.write(file, content, sheet)
        written[file.name] = sheet.bytes().decode()
    return written


def write(folder: Path, content: Generated, formats: Sequence[str], always: bool = True) -> dict[str, str]:
    """Write all files as a worker does, going on with what is there; name → sha256."""
    chosen = [name for name in formats if name in registry.DATA]
    work = [job for job in registry.work(chosen, content.whole) if always or job.format in formats]
    for job in work:
        final = folder / job.file.name
        if final.exists():
            content.steps += job.file.steps
        else:
            with Part(final, steps=job.file.steps, identity="generated") as part:
                content.steps += part.done
                job.exporter.write(job.file, content, part)
                part.publish()
        with final.open("rb") as written:
            sha256 = hashlib.file_digest(written, "sha256").hexdigest()
        content.written()[job.file.name] = Written(sha256, final.stat().st_size, job.file.is_key)
    return {name: written.sha256 for name, written in content.written().items()}


def steps_of(about: Facts, format_: str) -> int:
    """Steps of all files of a format."""
    exporter = registry.DATA[format_] if format_ in registry.DATA else registry.ALWAYS[format_]
    return sum(file.steps for file in exporter.files(Whole.of(about)))


class Cut(Generated):
    """Content at which the process dies as by ``kill -9`` after so many steps."""

    def __init__(self, about: Facts, after: int) -> None:
        super().__init__(about)
        self._after = after

    def step(self) -> None:
        super().step()
        if self.steps >= self._after:
            os.kill(os.getpid(), signal.SIGKILL)
