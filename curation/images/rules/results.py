"""Closed lists of answers about pictures, and the results of commands on many at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from curation.core.errors import DomainError

SOURCES: Final = ("own", "donated", "external")
OUTCOMES: Final = ("accepted", "refused")
CHECK_STATES: Final = ("waiting", "passed", "flagged", "refused")
FLAGS: Final = ("blurred", "near_duplicate")
TICK_STATES: Final = ("unticked", "shared", "clear")


@dataclass(frozen=True, slots=True)
class FinalizedUpload:
    """The id and number of the picture that an upload became, or why it did not."""

    upload_id: UUID
    image_id: int | None = None
    number: int | None = None
    error: DomainError | None = None


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """The result of one decision; ``error`` says why it was refused."""

    image_id: int
    error: DomainError | None = None


@dataclass(frozen=True, slots=True)
class HeldBatch:
    """The pictures that are reserved for a curator.

    Attributes:
        image_ids: In the order of the pictures' numbers.
        until: When the reservation expires unless it is renewed; None for an empty batch.
        held_by_others: How many pictures are reserved for others.
        others_until: When the first of those expires.
    """

    image_ids: list[int]
    until: datetime | None
    held_by_others: int
    others_until: datetime | None
