"""Reads about releases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection
from django.db.models import Case, Count, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from annotation.items.models import Item, ItemRevision
from annotation.items.queries import protocol_content
from annotation.releases import access, rules
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage
from annotation.releases.rules import Candidate, Gate, Picture, Settings, Snapshot
from curation.core.models import Job
from curation.core.pages import page
from curation.images.access import image_for
from curation.people.access import benchmark_for
from curation.people.models import Person

BATCH = 500  # rows held at once while records are read or written

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


def snapshot(benchmark_id: int, kind: str) -> Snapshot:
    """What a release of this kind would hold at this moment."""
    with connection.cursor() as cursor:
        cursor.execute(_SNAPSHOT, {"benchmark": benchmark_id, "kind": kind})
        rows = cursor.fetchall()
        numbers = sorted({row[6] for row in rows})
        cursor.execute(_NEAR, {"benchmark": benchmark_id, "numbers": numbers})
        near = cursor.fetchall()
    pictures: dict[int, Picture] = {}
    candidates = []
    for _event, item_id, item_number, slot, revision_no, *p in rows:
        picture = pictures.get(p[0])
        if picture is None:
            picture = pictures[p[0]] = Picture._make(
                [*p[:7], json.loads(p[7]), *p[8:]]
            )  # a cursor leaves jsonb as text
        candidates.append(Candidate(item_id, item_number, slot, revision_no, picture))
    return Snapshot(kind=kind, event_id=(rows[0][0] or 0) if rows else 0, candidates=candidates, near=near)


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


def records(release_id: int, splits: Sequence[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """Published records of some splits in order, each with its picture's key in the store.

    Read in batches by ordinal: constant memory, and no cursor is held open while pictures are written.
    """
    last = 0
    while True:
        rows = ReleaseEntry.objects.filter(release_id=release_id, split__in=splits, ordinal__gt=last)
        batch = list(rows.order_by("ordinal").values_list("ordinal", "record", "rendition__key")[:BATCH])
        for _, record, key in batch:
            yield record, key
        if len(batch) < BATCH:
            return
        last = batch[-1][0]


def with_counts(rows: QuerySet[Release]) -> QuerySet[Any]:
    """Add ``n_images`` and ``n_items``: what a frozen release holds, what a draft would hold now."""
    accepted = Item.objects.filter(
        benchmark_id=OuterRef("benchmark_id"), kind=OuterRef("kind"), state=Item.State.ACCEPTED
    )
    entries = ReleaseEntry.objects.filter(release_id=OuterRef("pk"))
    images = ReleaseImage.objects.filter(release_id=OuterRef("pk"))
    draft = Release.State.DRAFT
    return rows.annotate(
        n_items=Case(When(state=draft, then=_count(accepted, "pk")), default=_count(entries, "item_id")),
        n_images=Case(When(state=draft, then=_count(accepted, "image_id")), default=_count(images, "image_id")),
    )


def _count(rows: QuerySet[Any], column: str) -> Coalesce:
    """Count different values of a column in a correlated subquery."""
    one_group = rows.order_by().annotate(all=Value(1)).values("all")
    counted = one_group.annotate(n=Count(column, distinct=True)).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _row(release: Release, *, images: int, items: int) -> dict[str, Any]:
    """A release as lists and commands show it."""
    return {
        "id": release.pk,
        "benchmark_id": release.benchmark_id,
        "number": release.number,
        "label": release.label,
        "kind": release.kind,
        "state": release.state,
        "seed": str(release.seed),
        "created_at": release.created_at,
        "frozen_at": release.frozen_at,
        "digest": release.digest or None,
        "images": images,
        "items": items,
    }


def release_row(release_id: int) -> dict[str, Any]:
    """One release as lists show it, for the answer of a command."""
    release = with_counts(Release.objects.all()).get(pk=release_id)
    return _row(release, images=release.n_images, items=release.n_items)


def releases_page(person: Person, slug: str, *, cursor: str | None, page_size: int) -> dict[str, Any]:
    """A page of a benchmark's releases, newest first."""
    benchmark = benchmark_for(person, slug, "release_list")
    rows = with_counts(access.releases_visible_to(person, benchmark, "release_list"))
    found = page(rows, by="-number", cursor=cursor, page_size=page_size)
    return found | {"results": [_row(r, images=r.n_images, items=r.n_items) for r in found["results"]]}


def release_detail(person: Person, release_id: int) -> dict[str, Any]:
    """A release with its gates, splits, files and the job that writes them.

    A draft's gates and splits are those it would be frozen with at this moment; a frozen release has passed its gates.
    """
    release = access.release_for(person, release_id, "release_show")
    settings = settings_of(release.protocol_id)
    gates: list[Gate] = []
    if release.state == Release.State.DRAFT:
        now = snapshot(release.benchmark_id, release.kind)
        drawn = now.splits(settings.shares, release.seed)
        gates = rules.failures(now, settings, drawn)
        images, items = Counter(drawn.values()), Counter(drawn[c.picture.number] for c in now.candidates)
    else:
        images, items = split_counts(release)
    return _row(release, images=images.total(), items=items.total()) | {
        "splits": [{"name": name, "images": images[name], "items": items[name]} for name in settings.shares],
        "gates": [gate_row(release, gate) for gate in gates],
        "files": list(ReleaseFile.objects.filter(release=release).order_by("name")),
        "job": Job.objects.filter(pk=release.job_id).first() if release.job_id else None,
    }


def releases_of_image(person: Person, image_id: int) -> list[dict[str, Any]]:
    """The frozen releases that hold a picture, newest first: what taking it down cannot change any more.

    Raises:
        NotFound, OperationNotAllowed.
    """
    image = image_for(person, image_id, "image_releases")
    rows = ReleaseImage.objects.filter(image=image).select_related("release").order_by("-release__number")
    return [
        {
            "id": row.release.pk,
            "label": row.release.label,
            "state": row.release.state,
            "split": row.split,
            "frozen_at": row.release.frozen_at,
        }
        for row in rows[:100]
    ]


def split_counts(release: Release) -> tuple[Counter[str], Counter[str]]:
    """Pictures and items of a frozen release by split."""
    rows = ReleaseEntry.objects.filter(release=release).values_list("split")
    counted = list(rows.annotate(n=Count("item_id"), m=Count("image_id", distinct=True)))
    return Counter({split: m for split, _, m in counted}), Counter({split: n for split, n, _ in counted})


def licence_counts(release: Release) -> dict[str, int]:
    """Pictures of a frozen release by licence."""
    rows = ReleaseEntry.objects.filter(release=release).values_list("record__licence")
    return dict(rows.annotate(n=Count("image_id", distinct=True)).order_by("record__licence"))


def gate_row(release: Release, gate: Gate) -> dict[str, Any]:
    """A failed gate with the page where it can be mended."""
    base = f"/b/{release.benchmark.slug}"
    link = f"{base}/packages" if gate.picture_id is None else f"{base}/pictures/{gate.picture_id}"
    return {"code": gate.code, "params": gate.params, "label": gate.label, "link": link}
