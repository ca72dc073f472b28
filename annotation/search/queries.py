"""Finding items by their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection
from django.db.models import Q

from annotation.items.models import Item
from annotation.items.queries import tree_of
from annotation.kinds.registry import item_of_label
from annotation.kinds.texts import text_groups, texts_at
from annotation.search.models import ItemText
from annotation.search.rules import grams, passage
from curation.core.folding import words_of

NEWEST: Final = 5_000  # items that are read one by one, before the index is asked
NEWEST_ALONE: Final = 20_000  # items that are read one by one for single characters, which the index does not have
ENOUGH: Final = 50  # hits among them after which the index is not asked

# The newest items in order: words in many texts are found at once, at the cost of reading up to 5,000 texts.
_NEWEST: Final = """
    select item_id from (
        select item_id, kind, text from annotation_itemtext
        where benchmark_id = %(benchmark)s and item_id < %(before)s order by item_id desc limit %(newest)s
    ) as newest
    where kind = any(%(kinds)s) and text like all(%(patterns)s) order by item_id desc limit %(limit)s
"""
# Words that the newest items rarely have are rare, so that the index leads to few rows. ``+ 0`` keeps the planner from
# reading all items in order instead, in the hope of an early hit. Only one of the two parts is carried out.
_BOTH: Final = f"""
    with newest as materialized ({_NEWEST}),
    enough as materialized (select count(*) >= least(%(enough)s, %(limit)s) as yes from newest)
    select item_id, false from newest where (select yes from enough)
    union all
    (select item_id, true from annotation_itemtext
     where not (select yes from enough) and grams @> %(grams)s and benchmark_id = %(benchmark)s
       and item_id < %(before)s and kind = any(%(kinds)s) and text like all(%(patterns)s)
     order by item_id + 0 desc limit %(limit)s)
    order by 1 desc
"""  # noqa: S608  (constants of this module; values are parameters)
_LAST: Final = 2**63 - 1  # no item has a larger id


@dataclass(frozen=True, slots=True)
class Hits:
    """The newest items that contain all words of a query, newest first.

    Attributes:
        ids: The items.
        complete: Whether there are no older ones.
    """

    ids: list[int]
    complete: bool


def items_with(
    benchmark_id: int, words: Sequence[str], kinds: Sequence[str], *, before: int | None = None, limit: int
) -> Hits:
    """Search the newest texts of a benchmark's items; one statement, or two.

    First the ``NEWEST`` items are read. With fewer than ``ENOUGH`` hits there, the index is asked for all items; that
    takes a word of two or more characters, because it holds pairs. A query of single characters searches the newest
    ``NEWEST_ALONE`` items only.

    Args:
        benchmark_id: The benchmark.
        words: Folded words, from :func:`curation.core.folding.words_of`; at least one.
        kinds: Kinds of work.
        before: Only items with a smaller id, to continue after the last one of earlier hits.
        limit: The largest number of hits.
    """
    pairs = grams(words)
    values: dict[str, Any] = {
        "benchmark": benchmark_id,
        "before": before or _LAST,
        "newest": NEWEST if pairs else NEWEST_ALONE,
        "enough": ENOUGH,
        "kinds": list(kinds),
        "patterns": [_pattern(word) for word in words],
        "grams": pairs,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_BOTH if pairs else _NEWEST, values)
        rows = cursor.fetchall()
    ids = [row[0] for row in rows]
    if len(ids) >= limit:
        return Hits(ids, complete=False)
    by_index = bool(pairs) and (len(ids) < ENOUGH or rows[0][1])
    return Hits(ids, complete=by_index or not _has_older(benchmark_id, values["before"], values["newest"]))


def _has_older(benchmark_id: int, before: int, newest: int) -> bool:
    """Whether a benchmark has more items than those that are read one by one; an index has them."""
    rows = ItemText.objects.filter(benchmark_id=benchmark_id, item_id__lt=before).order_by("-item_id")
    return bool(rows.values_list("item_id")[newest : newest + 1])


def matching(benchmark_id: int, search: str, kinds: Sequence[str], *, before: int | None = None, limit: int) -> Hits:
    """The items that a person searches for by label, number or text; at most four statements.

    A label names one item. A number alone is searched for in the texts, too.

    Args:
        benchmark_id: The benchmark.
        search: What was typed.
        kinds: The kinds of work in which the person may read every item.
        before: As in :func:`items_with`.
        limit: As in :func:`items_with`.
    """
    numbered: list[int] = []
    if label := item_of_label(search):
        kind, number = label
        rows = Item.objects.filter(benchmark_id=benchmark_id, kind__in=kinds, number=number)
        rows = rows.filter(pk__lt=before) if before else rows
        numbered = list((rows.filter(kind=kind) if kind else rows).values_list("pk", flat=True))
        if kind:
            return Hits(numbered, complete=True)
    words = words_of(search)
    if not words:
        return Hits(numbered, complete=True)
    hits = items_with(benchmark_id, words, kinds, before=before, limit=limit)
    # Older than the last hit, an item belongs to a later page.
    numbered = [pk for pk in numbered if hits.complete or not hits.ids or pk > hits.ids[-1]]
    return Hits(sorted({*numbered, *hits.ids}, reverse=True), hits.complete) if numbered else hits


def matching_passage(protocol_id: int, kind: str, content: Mapping[str, Any], language: str, search: str) -> str:
    """The passage of a content that matches a search; empty if it was found by its label."""
    tree = tree_of(protocol_id, kind, language)
    return passage([text for group in text_groups(tree) for text in texts_at(content, group)], words_of(search))


def _pattern(word: str) -> str:
    """The pattern of ``like`` for texts that contain a word."""
    escaped = word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"


def contains(words: Sequence[str]) -> Q:
    """The condition on items that contain all words, for sets of items that are small by another condition."""
    condition = Q()
    for word in words:
        condition &= Q(indexed__text__contains=word)
    return condition
