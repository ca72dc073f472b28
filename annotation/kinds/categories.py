"""The category of an item: its own where its content has one, such as a question's, else its picture's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

FIELD: Final = "category"  # of a content and of a record


def category_of(content: Mapping[str, Any], of_picture: str | None) -> str:
    """Return the category of an item; empty if it has none."""
    return content.get(FIELD) or of_picture or ""


def category_sql(content: str, of_picture: str) -> str:
    """Return the SQL of :func:`category_of`; both parameters are SQL too, the content of type jsonb."""
    return f"coalesce(nullif({content} ->> '{FIELD}', ''), {of_picture}, '')"
