"""How an item is written: its record, its picture's place, the bytes that digests and files are made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from annotation.kinds.registry import label
from annotation.releases.rules.facts import (
    Candidate,
    Picture,
)

_SOURCE: Final = ("kind", "url", "author")


def picture_path(picture: Picture, split: str) -> str:
    """Name of a picture inside a release, in the form CVLUE uses: split, subset, numbered category, numbered file.

    A picture without a category lies under ``0-none``; one without a subset has no subset level.
    """
    extension = picture.key.rpartition(".")[2]
    number = picture.category_number if picture.category_number is not None else 0
    folder = f"{number}-{picture.category or 'none'}"
    subset, mark = (f"{picture.subset}/", f"{picture.subset}-") if picture.subset else ("", "")
    return f"images/{split}/{subset}{folder}/{mark}{number}-{picture.number}.{extension}"


def record(
    candidate: Candidate, content: Mapping[str, Any], *, kind: str, split: str, protocol_version: int
) -> dict[str, Any]:
    """One line of the published data: the item's content and where it comes from.

    Only numbers people know from the benchmark are published, no row ids, and of people only the author that a
    picture's licence asks to be named. The release's own number stands in no record, so that equal content has equal
    bytes in every release.
    """
    p = candidate.picture
    facts = {
        "id": p.number,
        "label": p.label,
        "item": label(kind, candidate.item_number),
        "revision": candidate.revision_no,
        "image": picture_path(p, split),
        "image_sha256": p.sha256,
        "width": p.width,
        "height": p.height,
        "category": p.category or "",
        "subset": p.subset,
        "licence": p.licence,
        "source": {name: str(p.source.get(name) or "") for name in _SOURCE},
        "split": split,
        "protocol_version": protocol_version,
    }
    if clash := facts.keys() & content.keys():
        raise ValueError(f"content of {kind} uses names of the record: {sorted(clash)}")
    return facts | dict(content)


def canonical(record: Mapping[str, Any]) -> bytes:
    """The bytes of a record: UTF-8 JSON with sorted keys and no blanks, ended by a line feed."""
    return json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
