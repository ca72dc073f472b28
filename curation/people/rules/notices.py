"""Notifications: their types and what fills their sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class NoticeForm(NamedTuple):
    """What a notice leads to, and what fills its sentence: labels, codes and numbers, never names.

    ``comment`` is what whoever did it wrote to the person who is told; it stands nowhere else.

    Attributes:
        target: The kind of row it leads to; ``package``: ``target_id`` is a package's, and so on.
        params: The names that fill the sentence, all of them and no others.
    """

    target: str
    params: frozenset[str]


# Notification types; their texts are in frontend/src/locales/*/notices.json.
NOTICES: Final[Mapping[str, NoticeForm]] = {
    "mentioned": NoticeForm("item", frozenset({"item"})),
    "commented": NoticeForm("item", frozenset({"item"})),
    "skip_insisted": NoticeForm("item", frozenset({"item", "package"})),
    "package_assigned": NoticeForm("package", frozenset({"package"})),
    "package_taken_back": NoticeForm("package", frozenset({"package", "comment"})),
    "package_returned": NoticeForm("package", frozenset({"package"})),
    "package_passed": NoticeForm("package", frozenset({"package"})),
    "guideline_new": NoticeForm("guideline", frozenset({"kind", "version"})),
}
