"""The captions that retrieval searches: those of a release, and those of accepted work."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.db import connection

from annotation.kinds.texts import texts_at
from annotation.releases.models import Release
from annotation.releases.rules import DISTANCE
from evaluation.suites.rules import GALLERY_SPLIT, Suite

# A picture's category and its group of cultural distance are those of its record; records of older releases without
# them have the present ones, and so has accepted work.
_OF_RELEASE: Final = """
    select e.item_id, i.number, e.revision_no, e.image_id, p.number, f.sha256, f.version, v.content::text,
           length(v.content::text), coalesce(frozen.slug, ''), coalesce(e.record ->> %(distance)s, c.distance, '')
      from annotation_releaseentry e
      join annotation_item i on i.id = e.item_id
      join annotation_itemrevision v on v.item_id = e.item_id and v.no = e.revision_no
      join curation_rendition f on f.id = e.rendition_id
      join curation_image p on p.id = e.image_id
      left join curation_category now on now.id = p.category_id
      cross join lateral (select coalesce(e.record ->> 'category', now.slug) as slug) frozen
      left join curation_category c on c.benchmark_id = p.benchmark_id and c.slug = frozen.slug
     where e.release_id = %(release)s and e.kind = %(kind)s and e.split = %(split)s order by e.ordinal
"""
_OF_WORK: Final = """
    select i.id, i.number, i.accepted_no, p.id, p.number, coalesce(f.sha256, ''), p.redaction_no + 1, v.content::text,
           length(v.content::text), coalesce(c.slug, ''), coalesce(c.distance, '')
      from annotation_item i
      join annotation_itemrevision v on v.item_id = i.id and v.no = i.accepted_no
      join curation_image p on p.id = i.image_id
      left join curation_rendition f on f.image_id = p.id and f.role = 'clean' and f.version = p.redaction_no + 1
      left join curation_category c on c.id = p.category_id
     where i.id = any(%(items)s) order by i.id
"""


class CaptionRow(NamedTuple):
    """The captions of one accepted revision.

    Attributes:
        item_id: The item, and ``item_no`` its number.
        revision_no: The revision's number.
        image_id: Its picture, and ``image_no`` the picture's number.
        file: The digest of the picture's file, and ``version`` the file's version.
        texts: The captions.
        length: Characters of the revision's content.
        category: The picture's category, and ``distance`` its group of cultural distance; empty without one.
    """

    item_id: int
    item_no: int
    revision_no: int
    image_id: int
    image_no: int
    file: str
    version: int
    texts: tuple[str, ...]
    length: int
    category: str
    distance: str


def release_captions(release: Release, suite: Suite) -> list[CaptionRow]:
    """The captions of the split of a release that retrieval searches, in the release's order."""
    values = {"release": release.pk, "kind": suite.kind, "split": GALLERY_SPLIT, "distance": DISTANCE}
    return _rows(_OF_RELEASE, values, suite)


def accepted_captions(suite: Suite, item_ids: Sequence[int]) -> list[CaptionRow]:
    """The captions of some accepted items, with their pictures' current files, by item."""
    return _rows(_OF_WORK, {"items": list(item_ids)}, suite)


def _rows(statement: str, values: dict[str, Any], suite: Suite) -> list[CaptionRow]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [
            CaptionRow._make([*row[:7], tuple(texts_at(json.loads(row[7]), suite.texts)), *row[8:]])
            for row in cursor.fetchall()
        ]
