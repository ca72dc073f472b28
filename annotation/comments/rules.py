"""Parts of people in an item, limits of comments, and pseudonyms. Pure Python."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from curation.people.rules import notice_type


class Part(StrEnum):
    """A person's part in an item; of several parts the first in this order counts."""

    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    INSPECTOR = "inspector"
    ADMINISTRATOR = "administrator"


NOTICES: Final = {
    "mentioned": notice_type("item", "item"),
    "commented": notice_type("item", "item"),
}
ORDER: Final = tuple(Part)
LISTED_COMMENTS: Final = 500  # of an item with more comments, the newest
MENTIONS_MAXIMUM: Final = 50  # each sends a notification
LONGEST: Final = 2_000  # code points; a comment is a remark, not a document
# JavaScript represents integers up to 2^53 exactly. Ids of people are below 2^52, pseudonyms from there on.
_FIRST_PSEUDONYM: Final = 2**52


@dataclass(frozen=True, slots=True)
class Colleague:
    """A person involved in an item.

    Attributes:
        can_open: Whether they can open it now, so that they can be mentioned and notified.
        gets_all_comments: Whether they are notified of every comment, because they write the item or commented on it.
    """

    id: int
    name: str
    part: Part
    can_open: bool
    gets_all_comments: bool


def pseudonym(secret: str, item_id: int, person_id: int) -> int:
    """A number in place of the id of a person whose name is hidden: constant on one item, different on others.

    The id itself would reveal the person, because other pages, such as a team's list, show it with the name.
    """
    digest = hmac.new(secret.encode(), f"comment-handle/{item_id}/{person_id}".encode(), hashlib.sha256).digest()
    return _FIRST_PSEUDONYM + int.from_bytes(digest[:8], "big") % _FIRST_PSEUDONYM
