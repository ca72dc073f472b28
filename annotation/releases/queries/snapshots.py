"""What a release would hold at this moment: everything a freeze reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection

from annotation.items.models import ItemRevision
from annotation.items.queries import protocol_content
from annotation.releases import rules
from annotation.releases.models import Release
from annotation.releases.rules import Candidate, Gate, Picture, Settings, Snapshot, Stock, Unfinished

# One statement, hence one state of the database: what is accepted, on which pictures, and the newest event it reflects.
# (Pairs are read after it: those of two pictures are written down once, when the later one comes in.)
_SNAPSHOT = """
    select (select max(e.id) from curation_auditevent e where e.benchmark_id = %(benchmark)s),
           i.id, i.number, i.slot, i.accepted_no,
           p.id, p.number, p.state, p.pii_clear_by_id is not null, p.licence,
           coalesce(said.given, false), p.subset, p.source,
           c.slug, c.number, coalesce(r.id, 0), coalesce(r.key, ''), coalesce(r.sha256, ''),
           coalesce(r.width, p.width), coalesce(r.height, p.height)
    from annotation_item i
    join curation_image p on p.id = i.image_id
    left join curation_category c on c.id = p.category_id
    left join lateral (
        select id, key, sha256, width, height from curation_rendition
        where image_id = p.id and role = 'clean' order by version desc limit 1
    ) r on true
    left join lateral (
        select given from curation_consent
        where person_id = p.contributor_id and benchmark_id = p.benchmark_id order by no desc limit 1
    ) said on true
    where i.benchmark_id = %(benchmark)s and i.kind = %(kind)s and i.state = 'accepted'
    order by p.number, i.slot, i.number
"""

# Pictures that intake found to look much the same, both with accepted items; each pair once.
_NEAR = """
    select a.number, b.number, n.distance
    from curation_nearpair n
    join curation_image a on a.id = n.image_id
    join curation_image b on b.id = n.other_id
    where a.benchmark_id = %(benchmark)s and a.number < b.number
      and a.number = any(%(numbers)s) and b.number = any(%(numbers)s)
    order by a.number, b.number
"""


# Items that are not in it, and what stays outside besides: one row each, counted by the state.
_UNFINISHED = """
    select id, number, state from annotation_item
    where benchmark_id = %(benchmark)s and kind = %(kind)s and state in ('made', 'skipped', 'returned')
    order by number
"""
_OUTSIDE = """
    select state, count(*) from annotation_item
    where benchmark_id = %(benchmark)s and kind = %(kind)s and state <> 'accepted' group by state
    union all
    select 'no_item', count(*) from curation_image p where p.benchmark_id = %(benchmark)s and p.state = 'accepted'
      and not exists (select 1 from annotation_item i where i.image_id = p.id and i.kind = %(kind)s)
"""
_STOCK = """
    select c.slug, count(p.id) from curation_category c
    left join curation_image p on p.category_id = c.id and p.state = 'accepted'
    where c.benchmark_id = %(benchmark)s group by c.id, c.slug, c.number order by c.number
"""
# The newest frozen release that holds a picture tells its split, whatever the release's kind and what became of it.
_KEPT = """
    select distinct on (ri.image_id) p.number, ri.split
    from annotation_releaseimage ri
    join annotation_release r on r.id = ri.release_id
    join curation_image p on p.id = ri.image_id
    where r.benchmark_id = %(benchmark)s and r.frozen_at is not null and p.number = any(%(numbers)s)
    order by ri.image_id, r.frozen_at desc, r.id desc
"""


def snapshot(benchmark_id: int, kind: str, *, anew: bool) -> Snapshot:
    """What a release of this kind would hold at this moment; ``anew``: earlier releases' splits do not count."""
    asked: dict[str, Any] = {"benchmark": benchmark_id, "kind": kind}
    with connection.cursor() as cursor:

        def rows_of(statement: str) -> list[Any]:
            cursor.execute(statement, asked)
            rows: list[Any] = cursor.fetchall()
            return rows

        rows = rows_of(_SNAPSHOT)
        asked["numbers"] = sorted({row[6] for row in rows})
        near = rows_of(_NEAR)
        kept = {} if anew else dict(rows_of(_KEPT))
        unfinished, outside, stock = rows_of(_UNFINISHED), dict(rows_of(_OUTSIDE)), rows_of(_STOCK)
    pictures: dict[int, Picture] = {}
    candidates = []
    for _event, item_id, item_number, slot, revision_no, *p in rows:
        picture = pictures.get(p[0])
        if picture is None:
            picture = pictures[p[0]] = Picture._make(
                [*p[:7], json.loads(p[7]), *p[8:]]
            )  # a cursor leaves jsonb as text
        candidates.append(Candidate(item_id, item_number, slot, revision_no, picture))
    return Snapshot(
        kind=kind,
        event_id=(rows[0][0] or 0) if rows else 0,
        candidates=candidates,
        near=near,
        unfinished=[Unfinished._make(row) for row in unfinished],
        stock=[Stock._make(row) for row in stock],
        previous_splits=kept,
        outside=outside,
    )


def snapshot_of(release: Release) -> Snapshot:
    """What a release that is not frozen would hold at this moment."""
    return snapshot(release.benchmark_id, release.kind, anew=release.splits_from == Release.SplitsFrom.ANEW)


def gates_now(release: Release, *, most: int | None = rules.MOST_LISTED) -> list[Gate]:
    """Everything that keeps a release from being frozen at this moment, at most ``most`` of a kind, None: all."""
    settings, now = settings_of(release.protocol_id), snapshot_of(release)
    return rules.failures(now, settings, now.splits(settings, release.seed), most=most)


def settings_of(protocol_id: int) -> Settings:
    """What a protocol version says about releases."""
    return Settings.of(protocol_content(protocol_id))


def contents(wanted: Sequence[Candidate]) -> dict[int, dict[str, Any]]:
    """Contents of the accepted revisions by item; revisions never change, so any later moment gives the same."""
    numbers = {c.item_id: c.revision_no for c in wanted}
    rows = ItemRevision.objects.filter(item_id__in=numbers, no__in=set(numbers.values()))
    return {
        item_id: content
        for item_id, no, content in rows.values_list("item_id", "no", "content")
        if numbers[item_id] == no
    }
