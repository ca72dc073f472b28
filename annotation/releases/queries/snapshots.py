"""The content that a release would have now: everything that a freeze reads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db import connection

from annotation.items.models import ItemRevision
from annotation.items.queries import concepts_of_pictures, context_of, protocol_content
from annotation.judging.rules import picture_changed_sql
from annotation.kinds.base import Finding, open_findings
from annotation.kinds.registry import CONCEPT_LEAKS, KINDS, LIVE, QUESTION_KEYS
from annotation.releases import rules
from annotation.releases.models import Release, ReleaseKind
from annotation.releases.rules import (
    Candidate,
    GateFailure,
    KindSnapshot,
    Origin,
    Picture,
    Settings,
    Snapshot,
    Stock,
    Unfinished,
)

# One statement, so that all of it is of one state of the database: accepted items, their pictures, the newest event.
# Near pairs are read after it; they are stored once, when the later of two pictures is added.
_ACCEPTED = f"""
    select (select max(e.id) from curation_auditevent e where e.benchmark_id = %(benchmark)s),
           i.kind, i.id, i.number, i.slot, i.accepted_no,
           {picture_changed_sql("i", "v", "p")},
           p.id, p.number, p.state, p.pii_clear_by_id is not null, p.licence,
           coalesce(consent.given, false), p.subset, p.source,
           c.slug, c.number, coalesce(r.id, 0), coalesce(r.key, ''), coalesce(r.sha256, ''),
           coalesce(r.width, p.width), coalesce(r.height, p.height),
           coalesce(t.language, ''), coalesce(t.language_name ->> 'en', ''), coalesce(t.country ->> 'en', ''),
           coalesce(t.continent, ''), by.name, p.axes
    from annotation_item i
    join annotation_itemrevision v on v.item_id = i.id and v.no = i.accepted_no
    join curation_image p on p.id = i.image_id
    join curation_person by on by.id = p.contributor_id
    left join curation_category c on c.id = p.category_id
    left join curation_team t on t.id = p.team_id
    left join lateral (
        select id, key, sha256, width, height from curation_rendition
        where image_id = p.id and role = 'clean' and version = p.redaction_no + 1
    ) r on true
    left join lateral (
        select given from curation_consent
        where person_id = p.contributor_id and benchmark_id = p.benchmark_id order by no desc limit 1
    ) consent on true
    where i.benchmark_id = %(benchmark)s and i.kind = any(%(kinds)s) and i.state = 'accepted' and i.copy_no = 0
"""  # noqa: S608  (a constant)
_IN_ORDER = " order by p.number, i.slot, i.number"

# The pictures of all items of the kinds: one may be accepted between the lock and the snapshot.
_LOCK = """
    select 1 from curation_image p
    where p.id in (
        select i.image_id from annotation_item i
        where i.benchmark_id = %(benchmark)s and i.kind = any(%(kinds)s) and i.copy_no = 0
    )
    order by p.id for share of p
"""
# How many boxes of its picture's main category each accepted item has, but for those whose author gave a reason for
# having too few of this very category: a reviewer accepted them with it.
_MAIN_BOXES = """
    select i.id, (select count(*) from jsonb_array_elements(r.content -> 'boxes') b where b ->> 'category' = c.slug)
    from annotation_item i
    join annotation_itemrevision r on r.item_id = i.id and r.no = i.accepted_no
    join curation_image p on p.id = i.image_id
    join curation_category c on c.id = p.category_id
    where i.benchmark_id = %(benchmark)s and i.kind = 'boxes' and i.state = 'accepted' and i.copy_no = 0
      and not (r.reasons ? 'too_few_of_main' and r.findings @> jsonb_build_array(jsonb_build_object(
        'code', 'too_few_of_main', 'params', jsonb_build_object('category', c.slug))))
"""

# Items whose base is not what is accepted now.
_MOVED = """
    select b.item_id from annotation_itembase b join annotation_item i on i.id = b.item_id
    where not b.current and i.benchmark_id = %(benchmark)s and i.kind = any(%(kinds)s) and i.state = 'accepted'
"""

# Near duplicates that both have accepted items; each pair once.
_NEAR_PAIRS = """
    select a.number, b.number, n.distance
    from curation_nearpair n
    join curation_image a on a.id = n.image_id
    join curation_image b on b.id = n.other_id
    where a.benchmark_id = %(benchmark)s and a.number < b.number
      and a.number = any(%(numbers)s) and b.number = any(%(numbers)s)
    order by a.number, b.number
"""

# Items in work.
_UNFINISHED = """
    select kind, id, number, state from annotation_item
    where benchmark_id = %(benchmark)s and kind = any(%(kinds)s) and state in ('made', 'skipped', 'returned')
      and copy_no = 0
    order by number
"""
# Counts of what is left out by kind: items by state, and accepted pictures of the kind's subset without an item.
_LEFT_OUT = """
    select kind, state, count(*) from annotation_item
    where benchmark_id = %(benchmark)s and kind = any(%(kinds)s) and state <> 'accepted' and copy_no = 0
    group by kind, state
    union all
    select k.kind, 'no_item', count(*)
    from unnest(%(kinds)s::text[], %(subsets)s::text[]) k (kind, subset)
    join curation_image p on p.benchmark_id = %(benchmark)s and p.state = 'accepted'
      and (k.subset is null or p.subset = k.subset)
      and not exists (select 1 from annotation_item i where i.image_id = p.id and i.kind = k.kind and i.copy_no = 0)
    group by k.kind
"""
# Accepted pictures of each category, by subset, and the group of the category.
_STOCK = """
    select c.slug, coalesce(p.subset, ''), count(p.id), c.distance from curation_category c
    left join curation_image p on p.category_id = c.id and p.state = 'accepted'
    where c.benchmark_id = %(benchmark)s group by c.id, c.slug, c.number, c.distance, p.subset order by c.number
"""
# A picture keeps the split of the newest frozen release that holds it, withdrawn or not: of any kind but those that
# divide their pictures by themselves, or of the one that does.
_PREVIOUS_SPLITS = """
    select distinct on (ri.image_id) p.number, ri.split
    from annotation_releaseimage ri
    join annotation_release r on r.id = ri.release_id
    join curation_image p on p.id = ri.image_id
    where r.benchmark_id = %(benchmark)s and r.frozen_at is not null and p.number = any(%(numbers)s)
      and case %(task)s::text when '' then r.kind <> all(%(per_task)s::text[]) else r.kind = %(task)s end
    order by ri.image_id, r.frozen_at desc, r.id desc
"""


def snapshot(
    benchmark_id: int,
    kinds: Mapping[str, str | None],
    *,
    keeps_splits: bool,
    concepts_under: int | None = None,
    per_task: Collection[str] = (),
    task: str = "",
) -> Snapshot:
    """Read the content that a release of these kinds would have now.

    Args:
        benchmark_id: The benchmark.
        kinds: Kind of items → its subset, whose pictures alone need items; None: all pictures do.
        keeps_splits: Whether pictures keep the splits of earlier releases.
        concepts_under: The protocol version under which items are searched for concepts; None: they are not.
        per_task: The kinds that divide their pictures by themselves.
        task: The one of them that is released alone; empty: none is.
    """
    params: dict[str, Any] = {"benchmark": benchmark_id, "kinds": list(kinds), "subsets": list(kinds.values())}
    params |= {"per_task": list(per_task), "task": task}
    with connection.cursor() as cursor:

        def rows_of(statement: str) -> list[Any]:
            cursor.execute(statement, params)
            rows: list[Any] = cursor.fetchall()
            return rows

        rows = rows_of(_ACCEPTED + _IN_ORDER)
        params["numbers"] = sorted({row[8] for row in rows})
        near = rows_of(_NEAR_PAIRS)
        previous_splits = dict(rows_of(_PREVIOUS_SPLITS)) if keeps_splits else {}
        main_boxes = dict(rows_of(_MAIN_BOXES)) if "boxes" in kinds else {}
        moved = {pk for (pk,) in rows_of(_MOVED)} if any(KINDS[kind].base for kind in kinds) else set()
        unfinished, left_out, stock = rows_of(_UNFINISHED), rows_of(_LEFT_OUT), rows_of(_STOCK)
    candidates = _candidates(rows, kinds)
    return Snapshot(
        event_id=(rows[0][0] or 0) if rows else 0,
        kinds=[
            KindSnapshot(
                kind=kind,
                candidates=candidates[kind],
                unfinished=[Unfinished._make(row) for of, *row in unfinished if of == kind],
                outside={state: n for of, state, n in left_out if of == kind},
                main_boxes=main_boxes if kind == "boxes" else {},
                moved=moved,
                leaks={} if concepts_under is None else _leaks(concepts_under, kind, candidates[kind]),
            )
            for kind in kinds
        ],
        near=near,
        stock=_stock(stock),
        distances={slug: distance for slug, _subset, _n, distance in stock if distance},
        previous_splits=previous_splits,
    )


def _leaks(protocol_id: int, kind: str, candidates: Sequence[Candidate]) -> dict[int, str]:
    """The items that name a concept of their picture, with its name; at most two statements.

    What may be another word stays where its author gave a reason, which reviewers saw.
    """
    leaks_of = CONCEPT_LEAKS.get(kind)
    if leaks_of is None:
        return {}
    concepts = concepts_of_pictures({c.picture.id for c in candidates})
    affected = {c.item_id: c for c in candidates if c.picture.id in concepts}
    leaks: dict[int, str] = {}
    for revision in _accepted_revisions(affected.values()):
        picture = affected[revision.item_id].picture
        context = context_of(
            protocol_id,
            kind,
            width=picture.width,
            height=picture.height,
            subset=picture.subset,
            category=picture.category or "",
            language=picture.origin.language,
            concepts=concepts[picture.id],
        )
        blocking = [f for f in leaks_of(revision.content, context) if _is_open(f, revision)]
        if blocking:
            leaks[revision.item_id] = blocking[0].params["concept"]
    return leaks


def _is_open(finding: Finding, revision: ItemRevision) -> bool:
    """Whether nobody gave a reason for a concept: a reason covers those that the revision's author saw a finding of."""
    covered = {(f["code"], f["field"], f["params"].get("concept")) for f in revision.findings}
    is_covered = (finding.code, finding.field, finding.params["concept"]) in covered
    return not is_covered or bool(open_findings([finding], revision.reasons))


def candidates_of(benchmark_id: int, kind: str, item_ids: Sequence[int]) -> list[Candidate]:
    """Those of some items of a kind that are accepted now, by picture; one statement."""
    params: dict[str, Any] = {"benchmark": benchmark_id, "kinds": [kind], "items": list(item_ids)}
    with connection.cursor() as cursor:
        cursor.execute(f"{_ACCEPTED} and i.id = any(%(items)s) {_IN_ORDER}", params)
        return _candidates(cursor.fetchall(), [kind])[kind]


def _candidates(rows: Sequence[Any], kinds: Iterable[str]) -> dict[str, list[Candidate]]:
    """Return the candidates of rows of :data:`_ACCEPTED` by kind; those of one picture share it."""
    pictures: dict[int, Picture] = {}
    candidates: dict[str, list[Candidate]] = {kind: [] for kind in kinds}
    for _event, kind, item_id, item_number, slot, revision_no, changed, *p in rows:
        picture = pictures.get(p[0])
        if picture is None:
            # A cursor returns jsonb as text.
            picture = pictures[p[0]] = Picture._make(
                [*p[:7], json.loads(p[7]), *p[8:15], Origin._make(p[15:19]), p[19], json.loads(p[20])]
            )
        candidates[kind].append(Candidate(item_id, item_number, slot, revision_no, picture, changed))
    return candidates


def _stock(rows: Sequence[tuple[str, str, int, str]]) -> list[Stock]:
    by_category: dict[str, dict[str, int]] = {}
    for slug, subset, n, _distance in rows:
        by_category.setdefault(slug, {})[subset] = n
    return [Stock(slug, sum(counts.values()), counts) for slug, counts in by_category.items()]


def snapshot_of(release: Release) -> Snapshot:
    """Read the content that a release would have if it were frozen now."""
    keeps_splits = release.splits_from == Release.SplitsFrom.EARLIER
    settings = settings_of(release.protocol_id)
    kinds = {own.kind: settings.subset_of.get(own.kind) for own in kinds_of(release)}
    concepts_under = release.protocol_id if "concept_leak" in settings.gates else None
    return snapshot(
        release.benchmark_id,
        kinds,
        keeps_splits=keeps_splits,
        concepts_under=concepts_under,
        per_task=settings.per_task,
        task=settings.divided_by_task(kinds),
    )


def lock_pictures(release: Release) -> None:
    """Lock the pictures that a release may have until the transaction ends, so that nothing is covered meanwhile.

    Covering destroys the file that the release's entries name, and takes the tick that a gate asks for off.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, {"benchmark": release.benchmark_id, "kinds": [own.kind for own in kinds_of(release)]})


def kinds_of(release: Release) -> list[ReleaseKind]:
    """The kinds of a release in the order of its files."""
    return list(release.kinds.all())


def current_failures(release: Release, *, most: int | None = rules.MOST_LISTED) -> list[GateFailure]:
    """List what prevents freezing a release now, at most ``most`` failures of each gate; None lists all."""
    settings, now = settings_of(release.protocol_id), snapshot_of(release)
    return rules.gate_failures(now, settings, now.splits(settings, release.seed), most=most)


def settings_of(protocol_id: int) -> Settings:
    """The release settings of a protocol version."""
    return Settings.of(protocol_content(protocol_id))


def warnings_of(now: Snapshot) -> list[GateFailure]:
    """List what does not prevent freezing but should be looked at: repeated questions, few answers of dialogues.

    One statement for each kind with questions or dialogues.
    """
    keys: dict[int, dict[str, tuple[str, ...]]] = {}
    for own in now.kinds:
        if keys_of := QUESTION_KEYS.get(own.kind):
            on_picture = Counter(c.picture.id for c in own.candidates)
            beside_others = [c for c in own.candidates if on_picture[c.picture.id] > 1]
            keys |= {item_id: keys_of(content) for item_id, content in contents(beside_others).items()}
    few = [
        rules.few_candidates(own.kind, [content["rounds"] for content in contents(own.candidates).values()])
        for own in now.kinds
        if own.kind in LIVE and own.candidates
    ]
    return rules.repeated_questions(now, keys) + [warning for warning in few if warning is not None]


def contents(candidates: Sequence[Candidate]) -> dict[int, dict[str, Any]]:
    """Contents of the accepted revisions by item id; revisions never change, so this may be read at any later time."""
    return {revision.item_id: revision.content for revision in _accepted_revisions(candidates)}


def _accepted_revisions(candidates: Collection[Candidate]) -> list[ItemRevision]:
    numbers = {c.item_id: c.revision_no for c in candidates}
    if not numbers:
        return []
    rows = ItemRevision.objects.filter(item_id__in=numbers, no__in=set(numbers.values()))
    return [
        row for row in rows.only("item_id", "no", "content", "reasons", "findings") if numbers[row.item_id] == row.no
    ]
