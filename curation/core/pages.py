"""Cutting a list into pages: by cursor, with a total that is exact up to 10,000."""

from __future__ import annotations

import base64
import json
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from curation.core.errors import InvalidInput
from curation.core.shapes import Paged

M = TypeVar("M", bound=Model)

COUNT_LIMIT = 10_000  # counting further would take longer than the page itself
_LARGEST = 2**63 - 1  # bigint


def cut_page(
    rows: QuerySet[M], *, by: str, cursor: str | None, page_size: int, count: bool = True
) -> tuple[list[M], Paged]:
    """Cut one page out of ``rows``: its rows, and the other fields of the answer.

    Args:
        rows: Filtered rows, not ordered.
        by: A unique, never null column of whole numbers; a leading ``-`` reverses the order.
        cursor: ``next`` of the previous page.
        page_size: Rows a page.
        count: Whether to count all rows, which takes another statement.

    Raises:
        InvalidInput: The cursor is not one of this list.
    """
    column, down = by.lstrip("-"), by.startswith("-")
    total = rows.order_by()[: COUNT_LIMIT + 1].count() if count else None
    if cursor:
        rows = rows.filter(**{f"{column}__{'lt' if down else 'gt'}": decode_cursor(cursor)})
    page_rows = list(rows.order_by(by)[: page_size + 1])
    more = len(page_rows) > page_size
    page_rows = page_rows[:page_size]
    return page_rows, {
        "next": encode_cursor(getattr(page_rows[-1], column)) if more else None,
        "total": min(total, COUNT_LIMIT) if total is not None else None,
        "total_is_capped": total is not None and total > COUNT_LIMIT,
    }


def encode_cursor(value: Any) -> str:
    """Return the cursor of the page after the row with this value."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def decode_cursor(cursor: str) -> int:
    """Return the value of a cursor.

    Raises:
        InvalidInput: The cursor is not one of this list.
    """
    try:
        value = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError as error:
        raise InvalidInput(fields={"cursor": ["This is not a cursor of this list."]}) from error
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        raise InvalidInput(fields={"cursor": ["This is not a cursor of this list."]})
    return value
