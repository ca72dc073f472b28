"""Notification types."""

from __future__ import annotations

from typing import Final

from curation.people.rules import notice_type

NOTICES: Final = {
    "package_returned": notice_type("package", "package"),
    "package_passed": notice_type("package", "package"),
    "skip_insisted": notice_type("item", "item", "package"),
}
