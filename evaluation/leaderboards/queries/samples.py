"""The queries behind the numbers: lists by outcome and group, and one query with every system's answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, F, Max, Min, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from annotation.items.queries import newest_revision, picture, with_pictures
from annotation.kinds.registry import label
from annotation.kinds.texts import texts_at
from annotation.releases import access
from annotation.releases.models import Release, ReleaseEntry
from curation.core.errors import NotFound
from curation.core.pages import cut_page
from curation.people.models import Person
from evaluation.leaderboards.queries.board import board_reports, report_of_run
from evaluation.leaderboards.shapes import (
    Sample,
    SampledItem,
    SampleGold,
    SampleImage,
    SamplePage,
    SampleRow,
    SampleView,
)
from evaluation.runs.models import Run
from evaluation.scoring.models import EntryResult, SetReport
from evaluation.scoring.queries import kind_with_results, suite_of
from evaluation.scoring.rules import IMAGE, NO_GROUP, text_variant
from evaluation.suites.rules import GALLERY_SPLIT, SUITES
from evaluation.systems.queries import system_brief

# Rank and ordinal in one number, the cursor of a page by rank; both are below these limits.
_WIDE = 2**32
_UNRANKED = 2**31 - 1


def samples_page(
    person: Person,
    release_id: int,
    *,
    scope: str,
    order: str,
    page_size: int,
    kind: str | None = None,
    cursor: str | None = None,
    run: int | None = None,
    **filters: Any,
) -> SamplePage:
    """List a run's queries with their ranks; without a run those of the first that was scored.

    Raises:
        NotFound, OperationNotAllowed, ReleaseWithdrawn, RunNotScored.
        InvalidInput: The cursor is of another list.
    """
    release = access.available_release_for(person, release_id, "sample_list")
    kind = kind_with_results(release, kind, run_id=run)
    report = _report(release, kind, run)
    if report is None:
        return {"results": [], "next": None, "total": 0, "total_is_capped": False, "run": None}
    rows = _filtered(_queries([report], scope), **filters)
    by = "no"
    if order != "ordinal":
        rank = Coalesce(F("rank"), Value(_UNRANKED), output_field=BigIntegerField())
        rows = rows.annotate(place=rank * Value(_WIDE, output_field=BigIntegerField()) + F("no"))
        by = order.replace("rank", "place")
    ranks, facts = cut_page(rows, by=by, cursor=cursor, page_size=page_size)
    entries = _Entries(release, kind, {_of(row).item_id for row in ranks})
    return {**facts, "results": [_row(row, entries) for row in ranks], "run": report.run_id}


def sample(
    person: Person,
    release_id: int,
    *,
    scope: str,
    ordinal: int,
    kind: str | None = None,
    run: int | None = None,
    **filters: Any,
) -> Sample:
    """Show a query, its correct answers, and every system's first answers; ``previous`` and ``next`` are filtered.

    Raises:
        NotFound, OperationNotAllowed, ReleaseWithdrawn, RunNotScored.
    """
    release = access.available_release_for(person, release_id, "sample_show")
    kind = kind_with_results(release, kind, run_id=run)
    board = board_reports(release.pk, kind)
    mine = _report(release, kind, run, board)
    if mine is None:
        raise NotFound
    others = [row for row in board if row.pk != mine.pk]
    ordinal = min(ordinal, _UNRANKED)
    ranks = {row.report_id: row for row in _queries([mine, *others], scope).filter(no=ordinal)}
    if mine.pk not in ranks:
        raise NotFound
    query = _of(ranks[mine.pk])
    near = {item_id for row in ranks.values() for item_id, _, _ in row.extracted or ()}
    gallery = ReleaseEntry.objects.filter(release=release, kind=kind, split=GALLERY_SPLIT)
    image_of_item = dict(
        gallery.filter(Q(image_id=query.image_id) | Q(item_id__in=near))
        .order_by("ordinal")
        .values_list("item_id", "image_id")
    )
    entries = _Entries(release, kind, image_of_item)
    own = [item for item, image in image_of_item.items() if image == query.image_id]
    texts = [(item, variant) for item in own for variant in entries.texts[item]]
    runs = {
        run.pk: run for run in Run.objects.filter(pk__in=[r.run_id for r in [mine, *others]]).select_related("system")
    }
    same_filters = _filtered(_queries([mine], scope), **filters)
    return {
        "query": {
            "scope": scope,
            "ordinal": ordinal,
            "item": _item(query.item_id, entries),
            "image": entries.pictures[query.image_id],
            "variant": query.variant,
            "text": entries.texts[query.item_id].get(query.variant),
            "category": query.category,
            "distance": query.distance,
            "texts": [entries.texts[item][variant] for item, variant in texts],
        },
        "gold": [
            _entry(item, query.image_id, variant, entries)
            for item, variant in (texts if scope == "i2t" else [(own[0], IMAGE)])
        ],
        "systems": [
            {
                "system": system_brief(runs[row.run_id].system),
                "run": row.run_id,
                "rank": ranks[row.pk].rank,
                "nearest": [
                    {
                        **_entry(item, image_of_item[item], variant, entries),
                        "similarity": similarity,
                        "is_gold": image_of_item[item] == query.image_id,
                    }
                    for item, variant, similarity in ranks[row.pk].extracted or ()
                ],
            }
            for row in [mine, *sorted(others, key=lambda r: runs[r.run_id].system.name)]
            if row.pk in ranks
        ],
        "previous": same_filters.filter(no__lt=ordinal).aggregate(no=Max("no"))["no"],
        "next": same_filters.filter(no__gt=ordinal).aggregate(no=Min("no"))["no"],
    }


def _report(release: Release, kind: str, run_id: int | None, board: list[SetReport] | None = None) -> SetReport | None:
    """The report of the given run, otherwise the first on the board; None if nothing was scored."""
    if run_id is not None:
        return report_of_run(release, kind, run_id)
    return min(board_reports(release.pk, kind) if board is None else board, key=lambda row: row.run_id, default=None)


def _queries(reports: Iterable[SetReport], scope: str) -> QuerySet[EntryResult]:
    rows = EntryResult.objects.filter(report__in=[row.pk for row in reports], scope=scope)
    return rows.select_related("entry")


class _Query(NamedTuple):
    """What asks: a text, or the picture that has it."""

    item_id: int
    image_id: int
    variant: str
    category: str
    distance: str


def _of(row: EntryResult) -> _Query:
    entry = row.entry
    return _Query(
        entry.item_id or 0,
        entry.image_id or 0,
        text_variant(entry.part) if row.scope == "t2i" else IMAGE,
        entry.tags.get("category", NO_GROUP),
        entry.tags.get("distance", NO_GROUP),
    )


def _filtered(
    rows: QuerySet[EntryResult],
    *,
    outcome: str | None = None,
    at: int = 1,
    category: str | None = None,
    distance: str | None = None,
) -> QuerySet[EntryResult]:
    if outcome is not None:
        rows = rows.filter({"hit": Q(rank__lt=at), "miss": Q(rank__gte=at), "missing": Q(rank=None)}[outcome])
    for tag, value in (("category", category), ("distance", distance)):
        if value == NO_GROUP:
            rows = rows.exclude(entry__tags__has_key=tag)
        elif value is not None:
            rows = rows.filter(entry__tags__contains={tag: value})
    return rows


class _Entries:
    """Items of a kind, texts and pictures of some entries of a release, for display; one statement."""

    def __init__(self, release: Release, kind: str, items: Iterable[int]) -> None:
        suite = SUITES[suite_of(kind) or ""]
        self.kind = kind
        self.numbers: dict[int, int] = {}
        self.texts: dict[int, dict[str, str]] = {}
        self.pictures: dict[int, SampleView] = {}
        rows = ReleaseEntry.objects.filter(release=release, item_id__in=list(items))
        with_images = with_pictures(rows.select_related("item", "image__category"), "image_id")
        for entry in with_images.annotate(revision=newest_revision("item_id", "revision_no")):
            self.numbers[entry.item_id] = entry.item.number
            texts = texts_at(entry.revision["content"], suite.texts)
            self.texts[entry.item_id] = {text_variant(part): text for part, text in enumerate(texts)}
            image = picture(entry.image, entry.renditions)
            self.pictures[entry.image_id] = {
                "id": image["id"],
                "label": image["label"],
                "thumb_url": image["thumb_url"],
                "view_url": image["view_url"],
                "width": image["width"],
                "height": image["height"],
            }


def _row(row: EntryResult, entries: _Entries) -> SampleRow:
    query = _of(row)
    return {
        **_entry(query.item_id, query.image_id, query.variant, entries),
        "scope": row.scope,
        "ordinal": row.no,
        "rank": row.rank,
        "category": query.category,
        "distance": query.distance,
    }


def _entry(item_id: int, image_id: int, variant: str, entries: _Entries) -> SampleGold:
    return {
        "item": _item(item_id, entries),
        "image": _thumbnail(entries.pictures[image_id]),
        "variant": variant,
        "text": entries.texts[item_id].get(variant),
    }


def _item(item_id: int, entries: _Entries) -> SampledItem:
    return {"id": item_id, "label": label(entries.kind, entries.numbers[item_id])}


def _thumbnail(image: SampleView) -> SampleImage:
    return {"id": image["id"], "label": image["label"], "thumb_url": image["thumb_url"]}
