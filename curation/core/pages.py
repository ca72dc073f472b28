"""Cutting a list into pages: by cursor, with a total that is exact up to 10,000."""

from __future__ import annotations

import base64
import json
from typing import Any

from django.db.models import Model, QuerySet

from curation.core.errors import InvalidInput

COUNT_LIMIT = 10_000
_LARGEST = 2**63 - 1  # bigint


def page(rows: QuerySet[Any], *, by: str, cursor: str | None, page_size: int, count: bool = True) -> dict[str, Any]:
    """Cut one page out of ``rows``.

    Args:
        rows: Filtered rows, not ordered.
        by: A unique, never null column of whole numbers; a leading ``-`` turns the order round.
        cursor: What the previous page called ``next``.
        page_size: Rows a page.
        count: Whether to count; one statement more.

    Returns:
        ``{"results": rows, "next": cursor or None, "total": int or None, "total_is_capped": bool}``.
    """
    column, down = by.lstrip("-"), by.startswith("-")
    total = rows.order_by()[: COUNT_LIMIT + 1].count() if count else None
    if cursor:
        rows = rows.filter(**{f"{column}__{'lt' if down else 'gt'}": _read(cursor)})
    found: list[Model] = list(rows.order_by(by)[: page_size + 1])
    more = len(found) > page_size
    found = found[:page_size]
    return {
        "results": found,
        "next": _write(getattr(found[-1], column)) if more else None,
        "total": min(total, COUNT_LIMIT) if total is not None else None,
        "total_is_capped": total is not None and total > COUNT_LIMIT,
    }


def _write(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _read(cursor: str) -> int:
    try:
        value = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError as error:
        raise InvalidInput(fields={"cursor": ["Not a cursor of this list."]}) from error
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        raise InvalidInput(fields={"cursor": ["Not a cursor of this list."]})
    return value
