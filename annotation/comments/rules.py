"""Who takes which part in an item. Pure Python."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Part(StrEnum):
    """What somebody has to do with an item; of several the first one here counts."""

    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    INSPECTOR = "inspector"
    ADMINISTRATOR = "administrator"


ORDER: Final = tuple(Part)
# A comment is read by people, not searched: the newest of a longer talk are shown.
MOST_SHOWN: Final = 500
MOST_NAMED: Final = 50
LONGEST: Final = 2_000
# What a browser holds exactly (2^53), halved: above it stand numbers in place of hidden people, below it people's own.
_FIRST_HANDLE: Final = 2**52


@dataclass(frozen=True, slots=True)
class Colleague:
    """Somebody who has to do with an item.

    Attributes:
        sees: Whether they can open it now, so that they may be named and are told.
        asked: Whether they write it or said something about it: whom a new comment concerns even unnamed.
    """

    id: int
    name: str
    part: Part
    sees: bool
    asked: bool


def handle(secret: str, item_id: int, person_id: int) -> int:
    """A number for somebody whose name is hidden: the same on one item, another on the next.

    Real ids would tell: they stand beside names elsewhere, in a team's list for example.
    """
    told = hmac.new(secret.encode(), f"comment-handle/{item_id}/{person_id}".encode(), hashlib.sha256).digest()
    return _FIRST_HANDLE + int.from_bytes(told[:8], "big") % _FIRST_HANDLE
