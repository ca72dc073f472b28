"""The workflow: packages, self-check, review, inspection, pools."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from curation.benchmarks.rules.parts import Part


class Pool(Part):
    """Items judged one by one by anyone who takes a seat, instead of a package judged by one person.

    Attributes:
        people: Number of different people who judge each item.
        held: Most items that one person may hold at a time.
    """

    people: Annotated[int, Field(ge=1, le=5)] = 1
    held: Annotated[int, Field(ge=1, le=20)] = 5


class PackageTrack(Part):
    """Building and inspecting packages.

    Attributes:
        size: Items of a package.
        sample_percent: Share of a package in the final inspection's sample, rounded up.
        pass_over_percent: A package passes if more than this share of the sample is right.
        self_check: Whether the writer must tick every item before submitting the package.
        blind: Whether colleagues' names are hidden from all except administrators.
        stall_days: Days without a change after which a package counts as stalled.
        review_pool: Review by a pool of items; None: a senior reviews a whole package.
        inspection_pool: Inspection by a pool of sampled items; None: one inspector judges a sample.
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
    """The quality tracks.

    Attributes:
        planned: Tracks that are not implemented yet, unchanged.
    """

    package: PackageTrack | None = None
    planned: dict[Literal["peer", "panel", "community"], dict[str, Any]] = {}
