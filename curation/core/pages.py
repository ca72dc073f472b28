"""Cutting a list into pages: by cursor, with a total that is exact up to 1,000; reading all of it in blocks."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

from curation.core.errors import InvalidInput
from curation.core.shapes import Paged

M = TypeVar("M", bound=Model)

COUNT_LIMIT = 1_000  # counting further would take longer than the page itself
BLOCK = 1_000  # rows that are read at once for a file
_LARGEST = 2**63 - 1  # bigint


def cut_page(
    rows: QuerySet[M],
    *,
    by: str,
    cursor: str | None,
    page_size: int,
    count: bool = True,
    by_time: bool = False,
) -> tuple[list[M], Paged]:
    """Cut one page out of ``rows``: its rows, and the other fields of the answer.

    Args:
        rows: Filtered rows, not ordered.
        by: A unique, never null column of whole numbers; a leading ``-`` reverses the order.
        cursor: ``next`` of the previous page.
        page_size: Rows a page.
        count: Whether to count all rows, which takes another statement.
        by_time: The column has times instead, which rows may share: those are in the order of their ids, and cursors
            have time and id.

    Raises:
        InvalidInput: The cursor is not one of this list.
    """
    column, down = by.lstrip("-"), by.startswith("-")
    total = rows.order_by()[: COUNT_LIMIT + 1].count() if count else None
    if cursor and by_time:
        rows = rows.filter(_after(column, cursor, down=down))
    elif cursor:
        rows = rows.filter(**{f"{column}__{'lt' if down else 'gt'}": decode_cursor(cursor)})
    order = (by, "-pk" if down else "pk") if by_time else (by,)
    page_rows = list(rows.order_by(*order)[: page_size + 1])
    more = len(page_rows) > page_size
    page_rows = page_rows[:page_size]
    return page_rows, {
        "next": _cursor_after(page_rows[-1], column, by_time=by_time) if more else None,
        "total": min(total, COUNT_LIMIT) if total is not None else None,
        "total_is_capped": total is not None and total > COUNT_LIMIT,
    }


def in_blocks(rows: QuerySet[M], *, by: str, by_time: bool = False) -> Iterator[list[M]]:
    """Read all ``rows`` in blocks of ``BLOCK``, in the order of :func:`cut_page`.

    Each block is a statement of its own, so a long file holds no transaction open. A row that changes its place in the
    order meanwhile may be missing or come twice.
    """
    cursor = None
    while True:
        page_rows, page = cut_page(rows, by=by, by_time=by_time, cursor=cursor, page_size=BLOCK, count=False)
        yield page_rows
        cursor = page["next"]
        if cursor is None:
            return


def _cursor_after(row: Model, column: str, *, by_time: bool) -> str:
    value = getattr(row, column)
    return encode_cursor([value.isoformat(), row.pk] if by_time else value)


def _after(column: str, cursor: str, *, down: bool) -> Q:
    """The condition on rows after a cursor of time and id."""
    try:
        written, pk = _parsed(cursor)
        at = datetime.fromisoformat(written)
    except (ValueError, TypeError) as error:
        raise _not_a_cursor() from error
    if not _is_number(pk) or at.tzinfo is None:
        raise _not_a_cursor()
    further = "lt" if down else "gt"
    # The first condition says nothing new; with it PostgreSQL reads the index from there on.
    return Q(**{f"{column}__{further}e": at}) & (
        Q(**{f"{column}__{further}": at}) | Q(**{column: at, f"pk__{further}": pk})
    )


def encode_cursor(value: Any) -> str:
    """Return the cursor of the page after the row with this value."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def decode_cursor(cursor: str) -> int:
    """Return the value of a cursor.

    Raises:
        InvalidInput: The cursor is not one of this list.
    """
    try:
        value = _parsed(cursor)
    except ValueError as error:
        raise _not_a_cursor() from error
    if not _is_number(value):
        raise _not_a_cursor()
    return int(value)


def _parsed(cursor: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _not_a_cursor() -> InvalidInput:
    return InvalidInput(fields={"cursor": ["This is not a cursor of this list."]})
