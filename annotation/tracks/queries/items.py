"""Items whatever their track, each with the package it is in if it has one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Final

from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotation.items.models import Item, ItemRevision
from annotation.items.queries import (
    beginning,
    kinds_open_to,
    names_visible,
    newest_revision,
    other_of_double,
    picture,
    rules_for,
    text_language,
    thumbnail,
    with_pictures,
)
from annotation.judging.rules import picture_changed_sql
from annotation.search.queries import matching, matching_passage
from annotation.tallies import queries as tallies
from annotation.tracks.access import item_for
from annotation.tracks.registry import TRACKS
from annotation.tracks.shapes import (
    ExclusionBrief,
    ImageItemRow,
    ItemAnswer,
    ItemPage,
    ItemRow,
    PackageName,
    SubmitAnswer,
)
from curation.benchmarks.models import Benchmark
from curation.core.pages import COUNT_LIMIT, cut_page, decode_cursor, encode_cursor, in_blocks
from curation.images.access import image_for
from curation.images.models import hidden_from
from curation.people.access import benchmark_for, brief_for, require
from curation.people.models import Person
from curation.people.shapes import team_brief

SEARCHED = 500  # hits of a search that the other filters look at for one page


@dataclass(frozen=True, slots=True)
class ItemFilters:
    """Which items a list has, on its page, in its file and for actions on all of them.

    Attributes:
        kind: Only items of this kind.
        state: Only items in this state.
        category: Only items on pictures of this category.
        author: Only items of which this person wrote a revision, copies included. Where names are hidden, no items
            unless this is the reader.
        search: Only items with this label or number, or whose newest text contains these words; copies included.
    """

    kind: str | None = None
    state: str | None = None
    category: str | None = None
    author: int | None = None
    search: str = ""


_ALL: Final = ItemFilters()


def item_page(
    person: Person,
    benchmark_slug: str,
    *,
    filters: ItemFilters = _ALL,
    sort: str = "number",
    cursor: str | None = None,
    page_size: int,
) -> ItemPage:
    """List a benchmark's items by number, with the number of items in each state, whatever the filter by state.

    Four statements for any number of items. The numbers by state come from the tallies; those of a category or an
    author are counted, up to ``COUNT_LIMIT``.

    A search lists the newest items first, with the passage that matches, in at most four more statements. A page has
    the rows among the next ``SEARCHED`` hits that the filters leave, so it may be short although a next one follows.

    Args:
        person: The person who asks.
        benchmark_slug: The benchmark.
        filters: Which items.
        sort: ``number``, or ``-number`` for the reverse order; a search always lists the newest first.
        cursor: ``next`` of the previous page in the same order.
        page_size: Rows per page.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "item_list", filters.kind)
    kinds = _kinds(person, benchmark, "item_list", filters)
    rows = _in_any_state(person, benchmark, kinds, filters)
    hits = None
    if filters.search:
        before = decode_cursor(cursor) if cursor else None
        hits = matching(benchmark.pk, filters.search, kinds, before=before, limit=SEARCHED)
        rows = rows.filter(pk__in=hits.ids)
    if replace(filters, kind=None, state=None) == _ALL:
        counts, capped = tallies.counts(benchmark.pk, "state", of="item", kind__in=kinds), False
    else:
        counts = _count_by_state(rows)
        capped = sum(counts.values()) > COUNT_LIMIT or (hits is not None and not hits.complete)
    listed = _in_state(rows, filters)
    by = "-id" if hits else _order(filters.kind, sort)
    items, page = cut_page(_in_lists(listed), by=by, cursor=cursor, page_size=page_size, count=False)
    if hits and hits.ids and not hits.complete and page["next"] is None:
        page["next"] = encode_cursor(hits.ids[-1])
    total = sum(counts.values()) if filters.state is None else counts.get(filters.state, 0)
    return {
        "results": [_item_row(item, benchmark.protocol_id, filters.search) for item in items],
        "next": page["next"],
        "total": min(total, COUNT_LIMIT) if capped else total,
        "total_is_capped": capped,
        "counts": {s.value: counts.get(s.value, 0) for s in Item.State},
        "counts_are_capped": capped,
    }


ITEM_COLUMNS: Final = (
    "id",
    "label",
    "kind",
    "state",
    "slot",
    "revision_no",
    "image",
    "category",
    "package",
    "language",
    "text",
)


def item_cells(
    person: Person, benchmark_slug: str, *, filters: ItemFilters = _ALL, sort: str = "number"
) -> Iterator[list[Any]]:
    """All rows of a list of items, in the order of :func:`item_page`, as cells of a file.

    Raises:
        NotFound, OperationNotAllowed: At once, not at the first row.
    """
    benchmark = benchmark_for(person, benchmark_slug, "item_file", filters.kind)
    kinds = _kinds(person, benchmark, "item_file", filters)
    rows = _with_texts(_in_state(_in_any_state(person, benchmark, kinds, filters), filters))
    if filters.search:
        blocks = _in_search_blocks(rows, benchmark, filters.search, kinds)
    else:
        blocks = in_blocks(rows, by=_order(filters.kind, sort))
    return (_cells(item, benchmark.protocol_id) for block in blocks for item in block)


def listed_item_ids(
    person: Person,
    benchmark: Benchmark,
    *,
    limit: int,
    ids: Sequence[int] | None = None,
    filters: ItemFilters = _ALL,
) -> list[int]:
    """The ids of a list of items, or of those with ``ids``, at most ``limit``.

    Raises:
        NotFound, OperationNotAllowed.
    """
    require(person, benchmark.pk, "item_list", filters.kind)
    kinds = _kinds(person, benchmark, "item_list", filters)
    rows = _in_state(_in_any_state(person, benchmark, kinds, filters), filters)
    if filters.search:
        rows = rows.filter(pk__in=matching(benchmark.pk, filters.search, kinds, limit=limit).ids)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:limit])


def _in_search_blocks(rows: QuerySet[Any], benchmark: Benchmark, search: str, kinds: list[str]) -> Iterator[list[Any]]:
    """The rows that a search finds, newest first."""
    before = None
    while True:
        hits = matching(benchmark.pk, search, kinds, before=before, limit=SEARCHED)
        yield list(rows.filter(pk__in=hits.ids).order_by("-pk"))
        if hits.complete or not hits.ids:
            return
        before = hits.ids[-1]


def _cells(item: Any, protocol_id: int | None) -> list[Any]:
    language = text_language(protocol_id, item.team) if protocol_id else None
    place = _package_name(item)
    return [
        item.pk,
        item.label,
        item.kind,
        item.state,
        item.slot,
        item.revision_no,
        item.image.label,
        item.image.category.slug if item.image.category else "",
        place["label"] if place else "",
        language["lang"] if language else "",
        beginning(protocol_id, item.kind, item.newest, item.team.language if item.team else ""),
    ]


def _kinds(person: Person, benchmark: Benchmark, operation: str, filters: ItemFilters) -> list[str]:
    return [filters.kind] if filters.kind is not None else kinds_open_to(person, benchmark.pk, operation)


def _in_any_state(person: Person, benchmark: Benchmark, kinds: list[str], filters: ItemFilters) -> QuerySet[Item]:
    """The items that the filters leave, except for those by state and by a search."""
    rows = Item.objects.filter(~hidden_from(person.pk, "image_id"), benchmark=benchmark, kind__in=kinds)
    if not filters.search and filters.author is None:
        rows = rows.filter(copy_no=0)  # as in the tallies
    if filters.category is not None:
        rows = rows.filter(image__category__slug=filters.category)
    if filters.author is not None:
        hidden = filters.author != person.pk and not names_visible(person, benchmark.pk, benchmark.protocol_id)
        written = ItemRevision.objects.filter(item_id=OuterRef("pk"), author_id=filters.author)
        rows = rows.none() if hidden else rows.filter(Exists(written))
    return rows


def _in_state(rows: QuerySet[Item], filters: ItemFilters) -> QuerySet[Item]:
    return rows if filters.state is None else rows.filter(state=filters.state)


def _order(kind: str | None, sort: str) -> str:
    """Within one kind the numbers are unique, and an index has them by state."""
    column = "number" if kind is not None else "id"
    return f"-{column}" if sort == "-number" else column


def _count_by_state(rows: QuerySet[Item]) -> dict[str, int]:
    """Count rows by state, up to the first ``COUNT_LIMIT``."""
    some = rows.order_by().values("pk", "state")[: COUNT_LIMIT + 1]
    return some.aggregate(**{s.value: Count("pk", filter=Q(state=s.value)) for s in Item.State})


def _with_places(rows: QuerySet[Item]) -> QuerySet[Any]:
    """Add what each track knows of its items, within the same statement."""
    return reduce(lambda annotated, name: TRACKS[name].annotated(annotated), TRACKS, rows)


def _in_lists(rows: QuerySet[Item]) -> QuerySet[Any]:
    """Add picture, newest revision, team and place of each item, within the same statement."""
    return with_pictures(_with_texts(rows), "image_id")


def _with_texts(rows: QuerySet[Item]) -> QuerySet[Any]:
    """As :func:`_in_lists`, without the picture's files."""
    items: QuerySet[Any] = _with_places(rows).annotate(newest=newest_revision("pk", "revision_no"))
    return items.select_related("image__category", "team")


def _item_row(item: Any, protocol_id: int | None, search: str) -> ItemRow:
    language = item.team.language if item.team else ""
    matched = ""
    if search and item.newest and protocol_id:
        matched = matching_passage(protocol_id, item.kind, item.newest["content"], language, search)
    return {
        "id": item.pk,
        "label": item.label,
        "kind": item.kind,
        "state": item.state,
        "revision_no": item.revision_no,
        "slot": item.slot,
        "image": thumbnail(item.image, item.renditions),
        "language": text_language(protocol_id, item.team) if protocol_id else None,
        "package": _package_name(item),
        "first_text": matched or beginning(protocol_id, item.kind, item.newest, language),
    }


def _package_name(item: Any) -> PackageName | None:
    place = TRACKS[item.track].place(item)
    return {"id": place.id, "label": place.label} if place else None


def item_detail(person: Person, item_id: int) -> ItemAnswer:
    """Show an item with its newest revision, its rules, its package or team and the number of comments.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item_for(person, item_id, "item_show")
    rows = _in_lists(Item.objects.filter(pk=item_id)).select_related("exclusion__excluded_by")
    item = rows.annotate(comment_count=Count("comments"), current_protocol_id=F("benchmark__protocol_id")).get()
    track = TRACKS[item.track]
    place = track.place(item)
    protocol_id = (place.protocol_id if place else None) or item.current_protocol_id
    newest = item.newest
    other = other_of_double(item) if person.may(item.benchmark_id, "item_double", item.kind) else None
    reads = (operation for operation in _READ_ITEM if person.may(item.benchmark_id, operation, item.kind))
    return {
        "id": item.pk,
        "number": item.number,
        "label": item.label,
        "kind": item.kind,
        "track": item.track,
        "slot": item.slot,
        "state": item.state,
        "revision_no": item.revision_no,
        "accepted_no": item.accepted_no,
        "is_restored": item.is_restored,
        "exclusion": _exclusion(person, item),
        "image": picture(item.image, item.renditions),
        "content": newest["content"] if newest else None,
        "reasons": newest["reasons"] if newest else {},
        "rules": rules_for(protocol_id, item.kind, item.team.language if item.team else ""),
        "package": {"id": place.id, "label": place.label, "state": place.state} if place else None,
        "team": team_brief(item.team) if item.team else None,
        "copy_no": item.copy_no,
        "double": {"id": other.pk, "label": other.label} if other else None,
        "comments": item.comment_count,
        "available_actions": [*track.actions(person, item), *_confirms(person, item), *reads],
    }


def waits_to_be_confirmed(item: Item) -> bool:
    """Whether an item is accepted, and something in its picture was covered since it was last judged."""
    if item.accepted_no is None:
        return False
    changed = picture_changed_sql("i", "v", "p")
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select {changed} from annotation_item i
            join annotation_itemrevision v on v.item_id = i.id and v.no = i.accepted_no
            join curation_image p on p.id = i.image_id where i.id = %s
            """,  # noqa: S608  (a constant and a parameter)
            [item.pk],
        )
        return bool(cursor.fetchone()[0])


def _confirms(person: Person, item: Item) -> list[str]:
    """The operation with which an accepted item is judged again, if the person may and it has to be."""
    may = person.may(item.benchmark_id, "item_confirm", item.kind)
    return ["item_confirm"] if may and waits_to_be_confirmed(item) else []


def changed_item(person: Person, item: Item) -> ItemAnswer:
    """An item that the person excluded or confirmed."""
    return item_detail(person, item.pk)


def _exclusion(viewer: Person, item: Any) -> ExclusionBrief | None:
    exclusion = getattr(item, "exclusion", None)
    if exclusion is None:
        return None
    show_names = names_visible(viewer, item.benchmark_id, item.current_protocol_id)
    by = brief_for(viewer, exclusion.excluded_by, show_names=show_names)
    return {"reason": exclusion.reason, "by": by, "at": exclusion.created_at}


_READ_ITEM = ("item_history", "comment_list", "comment_add")


def items_of_image(person: Person, image_id: int) -> list[ImageItemRow]:
    """List the items on a picture, each with its current or last package.

    Raises:
        NotFound, OperationNotAllowed.
    """
    image = image_for(person, image_id, "image_items")
    rows = _with_places(Item.objects.filter(image=image))
    return [
        {
            "id": item.pk,
            "label": item.label,
            "kind": item.kind,
            "state": item.state,
            "revision_no": item.revision_no,
            "package": _package_name(item),
        }
        for item in rows.order_by("kind", "slot", "number")[:100]
    ]


def submit_answer(person: Person, submitted: tuple[Item, ItemRevision, bool]) -> SubmitAnswer:
    """The revision that a submission wrote; a repeat gets the revision of the first try."""
    item, revision, replayed = submitted
    return {
        "item_id": item.pk,
        "state": item.state,
        "revision_no": revision.no,
        "findings": revision.findings,
        "replayed": replayed,
    }
