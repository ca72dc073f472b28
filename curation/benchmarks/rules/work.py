"""How work goes: packages, self-check, review, inspection, pools."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from curation.benchmarks.rules.parts import Part


class Pool(Part):
    """Items judged one by one by whoever takes a seat, instead of a package by one person.

    Attributes:
        people: How many different people judge each item.
        held: How many items one person may hold at a time.
    """

    people: Annotated[int, Field(ge=1, le=5)] = 1
    held: Annotated[int, Field(ge=1, le=20)] = 5


class PackageTrack(Part):
    """How packages are made and inspected.

    Attributes:
        size: Items in a package.
        sample_percent: Share of a package that the final inspection draws, rounded up.
        pass_over_percent: A package passes when more than this share of the drawn items is right.
        self_check: Whether its writer has to tick every item before handing the package over.
        blind: Whether colleagues' names are hidden from all but those who administer.
        stall_days: After how many days without a move a package counts as stalled.
        review_pool: Reviews come from a pool of items; None: a senior reviews a whole package.
        inspection_pool: Inspections come from a pool of drawn items; None: one inspector judges a draw.
    """

    size: Annotated[int, Field(ge=1, le=1_000)]
    sample_percent: Annotated[int, Field(ge=1, le=100)]
    pass_over_percent: Annotated[int, Field(ge=0, le=99)]
    self_check: bool
    blind: bool = False
    stall_days: Annotated[int, Field(ge=1, le=365)] = 3
    review_pool: Pool | None = None
    inspection_pool: Pool | None = None


class Tracks(Part):
    """How work is vouched for.

    Attributes:
        planned: Tracks that are not built yet, as written.
    """

    package: PackageTrack | None = None
    planned: dict[Literal["peer", "panel", "community"], dict[str, Any]] = {}
