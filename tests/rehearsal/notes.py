"""What clients were told was kept, what the tables hold, and how these differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import psycopg


def texts_of(content: Any) -> tuple[str, ...]:
    """All texts of a content, whatever its kind, in an order of their own."""

    def walk(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for name in sorted(part):
                yield from walk(part[name])
        elif isinstance(part, list):
            for each in part:
                yield from walk(each)
        else:
            yield str(part)

    return tuple(walk(content))


@dataclass(frozen=True)
class Text:
    """What somebody submitted, as they remember it."""

    author: str
    item: int
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Deed:
    """What somebody did besides writing: ``create`` on a picture; ``star``, ``return`` or ``discard`` a revision."""

    who: str
    what: str
    on: int
    revision_no: int = 0


@dataclass
class Notes:
    """What one client knows, by client key: what it sent, which revisions it was told, what was refused.

    Attributes:
        drafts: by item the number and text of the save that was acknowledged after everything else sent about it.
        deeds: what was sent besides texts.
        done: of these what was acknowledged, with the item's id.
    """

    sent: dict[str, Text] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    drafts: dict[int, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    deeds: dict[str, Deed] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)
    saved: int = 0
    replayed: int = 0
    abandoned: int = 0


@dataclass(frozen=True)
class Differences:
    """Each is nothing in an installation that keeps its word.

    Attributes:
        lost: acknowledged, and not there as it was sent, under the number that was told.
        doubled: texts, and deeds, that are there more than once.
        strange: revisions and deeds that nobody sent so, or that were refused.
        out_of_step: items and events of the history that do not go with their revisions.
        drafts_lost: saves that were acknowledged, by nothing overtaken, and are not there.
        without_star: items of teams that are accepted without another person's star on that revision.
    """

    lost: int = 0
    doubled: int = 0
    strange: int = 0
    out_of_step: int = 0
    drafts_lost: int = 0
    without_star: int = 0


@dataclass(frozen=True)
class Tables:
    """What the database holds.

    Attributes:
        revisions: client key, what was written, number of the revision.
        drafts: by item the number and text of what is saved.
        out_of_step: how many items do not have as many revisions, up to their number, and events of them; and how many
            items of teams were not created by somebody.
        deeds: client key, what was done, the item.
        without_star: see :class:`Differences`.
    """

    revisions: list[tuple[str, Text, int]]
    drafts: dict[int, tuple[int, tuple[str, ...]]]
    out_of_step: int
    deeds: list[tuple[str, Deed, int]] = field(default_factory=list)
    without_star: int = 0


_OUT_OF_STEP = """
with had as (select item_id, count(*) as n, max(no) as last from annotation_itemrevision group by 1),
 told as (select target_id, count(*) as n, count(distinct data -> 'revision_no') as different
 from curation_auditevent where action = 'item_submit' and target_type = 'item' group by 1),
 created as (select target_id, count(*) as n from curation_auditevent where action = 'item_create' group by 1)
select count(*) from annotation_item i left join had on had.item_id = i.id
 left join told on told.target_id = i.id left join created on created.target_id = i.id
 where (i.revision_no, i.revision_no, i.revision_no, i.revision_no) is distinct from
 (coalesce(had.n, 0), coalesce(had.last, 0), coalesce(told.n, 0), coalesce(told.different, 0))
 or i.track = 'peer' and created.n is distinct from 1
"""
WITHOUT_STAR = """
select count(*) from annotation_item i join annotation_itemrevision r on r.item_id = i.id and r.no = i.accepted_no
 where i.track = 'peer' and i.state = 'accepted' and not exists (
 select 1 from annotation_verdict v where v.item_id = i.id and v.revision_no = i.accepted_no and v.stage = 'peer'
 and v.outcome = 'star' and v.judge_id <> r.author_id)
"""
_DEEDS = """
select v.client_key::text, p.username, v.outcome, v.item_id, v.revision_no, v.item_id
 from annotation_verdict v join curation_person p on p.id = v.judge_id where v.stage = 'peer'
union all
select e.client_key::text, p.username, 'create', (e.data ->> 'image_id')::bigint, 0, e.target_id
 from curation_auditevent e join curation_person p on p.id = e.actor_id where e.action = 'item_create'
union all
select e.client_key::text, p.username, 'discard', e.target_id, (e.data ->> 'revision_no')::int, e.target_id
 from curation_auditevent e join curation_person p on p.id = e.actor_id where e.action = 'item_discard'
"""


def read(database: str) -> Tables:
    """All of it as of one moment."""
    with psycopg.connect(database) as connection:
        connection.execute("set transaction isolation level repeatable read")
        rows = connection.execute(
            "select r.client_key::text, p.username, r.item_id, r.content, r.no"
            " from annotation_itemrevision r join curation_person p on p.id = r.author_id"
        ).fetchall()
        [(out_of_step,)] = connection.execute(_OUT_OF_STEP).fetchall()
        [(without_star,)] = connection.execute(WITHOUT_STAR).fetchall()
        deeds = connection.execute(_DEEDS).fetchall()
        drafts = connection.execute("select item_id, seq, content from annotation_draft").fetchall()
    return Tables(
        revisions=[(k, Text(author, item, texts_of(content)), no) for k, author, item, content, no in rows],
        drafts={item: (seq, texts_of(content)) for item, seq, content in drafts},
        out_of_step=int(out_of_step),
        deeds=[(k, Deed(who, what, on, no), item) for k, who, what, on, no, item in deeds],
        without_star=int(without_star),
    )


@dataclass(frozen=True)
class Known:
    """What was acknowledged until some moment: numbers of revisions, and items, by client key."""

    revisions: dict[str, int]
    deeds: dict[str, int] = field(default_factory=dict)


def differ(known: Known, tables: Tables, notes: list[Notes], *, over: bool) -> Differences:
    """Hold the tables against the notes, of which the acknowledgements are older than the tables.

    Drafts are compared only when nobody writes any more: until then each may have been followed by another.
    """
    sent = {k: text for each in notes for k, text in each.sent.copy().items()}
    deeds = {k: deed for each in notes for k, deed in each.deeds.copy().items()}
    refused = {k for each in notes for k in each.refused.copy()}
    stored, done = set(tables.revisions), set(tables.deeds)
    texts = Counter(text.texts for _, text, _ in tables.revisions)
    keys = Counter(k for k, _, _ in tables.deeds)
    return Differences(
        lost=sum((k, sent[k], no) not in stored for k, no in known.revisions.items())
        + sum((k, deeds[k], item) not in done for k, item in known.deeds.items()),
        doubled=sum(n - 1 for n in (texts + keys).values()),
        strange=sum(k in refused or sent.get(k) != text for k, text, _ in tables.revisions)
        + sum(k in refused or deeds.get(k) != deed for k, deed, _ in tables.deeds),
        out_of_step=tables.out_of_step,
        drafts_lost=sum(tables.drafts.get(item) != kept for each in notes for item, kept in each.drafts.items())
        if over
        else 0,
        without_star=tables.without_star,
    )


def compare(database: str, notes: list[Notes], *, over: bool) -> Differences:
    """What differs now; people may go on writing meanwhile."""
    known = Known(
        {k: no for each in notes for k, no in each.acknowledged.copy().items()},
        {k: item for each in notes for k, item in each.done.copy().items()},
    )
    return differ(known, read(database), notes, over=over)
