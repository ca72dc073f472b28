"""Finding items by their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection
from django.db.models import Q

from annotation.search.models import ItemText
from annotation.search.rules import grams

NEWEST: Final = 20_000  # items that are read one by one, before the index is asked
ENOUGH: Final = 50  # hits among them after which the index is not asked

# The newest items are read in order, so words in many texts are found at once, at the cost of reading 20,000 texts.
_NEWEST: Final = """
    select item_id from (
        select item_id, kind, text from annotation_itemtext
        where benchmark_id = %(benchmark)s and item_id < %(before)s order by item_id desc limit %(newest)s
    ) as newest
    where kind = any(%(kinds)s) and text like all(%(patterns)s) order by item_id desc limit %(limit)s
"""
# Words that the newest items rarely have are rare, so that the index leads to few rows. ``+ 0`` keeps the planner from
# reading all items in order instead, in the hope of an early hit.
_BY_GRAMS: Final = """
    select item_id from annotation_itemtext
    where grams @> %(grams)s and benchmark_id = %(benchmark)s and item_id < %(before)s
      and kind = any(%(kinds)s) and text like all(%(patterns)s)
    order by item_id + 0 desc limit %(limit)s
"""
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
    """Search the newest texts of a benchmark's items; one to three statements.

    First the ``NEWEST`` items are read. With fewer than ``ENOUGH`` hits there, the index is asked for all items; that
    takes a word of two or more characters, because it holds pairs. A query of single characters searches the newest
    items only.

    Args:
        benchmark_id: The benchmark.
        words: Folded words, from :func:`annotation.search.rules.words_of`; at least one.
        kinds: Kinds of work.
        before: Only items with a smaller id, to continue after the last one of earlier hits.
        limit: The largest number of hits.
    """
    pairs = grams(words)
    values: dict[str, Any] = {
        "benchmark": benchmark_id,
        "before": before or _LAST,
        "newest": NEWEST,
        "kinds": list(kinds),
        "patterns": [pattern(word) for word in words],
        "grams": pairs,
        "limit": limit,
    }
    ids = _ids(_NEWEST, values)
    if len(ids) >= limit:
        return Hits(ids, complete=False)
    if len(ids) < ENOUGH and pairs:
        ids = _ids(_BY_GRAMS, values)
        return Hits(ids, complete=len(ids) < limit)
    return Hits(ids, complete=not _has_older(benchmark_id, values["before"]))


def _ids(statement: str, values: dict[str, Any]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [item_id for (item_id,) in cursor.fetchall()]


def _has_older(benchmark_id: int, before: int) -> bool:
    """Whether a benchmark has more items than the newest that are read one by one; an index has them."""
    rows = ItemText.objects.filter(benchmark_id=benchmark_id, item_id__lt=before).order_by("-item_id")
    return bool(rows.values_list("item_id")[NEWEST : NEWEST + 1])


def pattern(word: str) -> str:
    """The pattern of ``like`` for texts that contain a word."""
    escaped = word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"


def contains(words: Sequence[str]) -> Q:
    """The condition on items that contain all words, for sets of items that are small by another condition."""
    condition = Q()
    for word in words:
        condition &= Q(indexed__text__contains=word)
    return condition
