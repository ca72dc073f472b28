"""Notification types. Rooms register theirs when the apps start."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class NoticeType(NamedTuple):
    """What a notice links to, and what fills its sentence: labels, codes and numbers, never names.

    The parameter ``comment`` is text that the actor wrote to the recipient; it is stored in the notice alone.

    Attributes:
        target: The type of the row it links to; ``package``: ``target_id`` is a package's id.
        params: The names of all parameters of the sentence.
        is_for_outsiders: Whether people outside the team see it; then it has no actor.
    """

    target: str
    params: frozenset[str]
    is_for_outsiders: bool = False


_registered: dict[str, NoticeType] = {}
# By code; the texts are in frontend/src/locales/*/notices.json.
NOTICES: Final[Mapping[str, NoticeType]] = MappingProxyType(_registered)


def register_notices(types: Mapping[str, NoticeType]) -> None:
    """Add notification types by their codes.

    Raises:
        ValueError: A code is registered with another type.
    """
    for code, notice_type in types.items():
        if _registered.setdefault(code, notice_type) != notice_type:
            raise ValueError(f"The notice {code} is registered twice.")


def notice_type(target: str, *params: str, is_for_outsiders: bool = False) -> NoticeType:
    """Make a notification type."""
    return NoticeType(target, frozenset(params), is_for_outsiders)
