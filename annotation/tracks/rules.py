"""Notification types of items of every track."""

from __future__ import annotations

from typing import Final

from curation.people.rules import notice_type

NOTICES: Final = {"item_excluded": notice_type("item", "item", "comment")}
