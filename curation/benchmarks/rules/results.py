"""What comes out: splits, gates and formats of releases; suites, systems and submissions."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator

from curation.benchmarks.rules.parts import Code, Name, Part, Percent


class Splits(Part):
    """Shares of the pictures in percent."""

    train: Percent
    valid: Percent
    test: Percent

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.train + self.valid + self.test != 100:
            raise ValueError(f"train, valid and test to add up to 100, got {self.train + self.valid + self.test}")
        return self


class PerCategory(Part):
    """How each category is divided by numbers, where shares of the whole do not say it (VisTai section 3).

    Attributes:
        train: Pictures of each category for the examples, taken first.
        test_minimum: Pictures of each category that the test has before the validation gets any.
        valid_target: Pictures of each category wanted for the validation; where the shares give more, it gets more.
    """

    train: Annotated[int, Field(ge=0, le=100_000)]
    test_minimum: Annotated[int, Field(ge=0, le=100_000)]
    valid_target: Annotated[int, Field(ge=0, le=100_000)]


class PlannedRelease(Part):
    """Gates, formats and settings of releases that are not built yet."""

    gates: list[Code] = []
    exporters: list[Code] = []
    settings: dict[Code, Any] = {}


class Release(Part):
    """What is published, and what has to hold first.

    Attributes:
        licence: The data set's own; ``per-picture``: each picture's.
        splits: Shares of the pictures; with ``per_category`` they divide what its numbers leave open.
        withheld: Splits whose answers are kept out of the public files, in a key file of their own.
        gates: What has to hold for every picture and item before a release can be frozen.
        exporters: Formats of the files.
    """

    licence: str
    splits: Splits
    per_category: PerCategory | None = None
    withheld: list[Literal["train", "valid", "test"]] = []
    gates: Annotated[list[Code], Field(min_length=1)]
    exporters: Annotated[list[Code], Field(min_length=1)]
    planned: PlannedRelease = PlannedRelease()


class PlannedEvaluation(Part):
    """Suites, systems and settings of evaluation that are not built yet."""

    systems: list[Name] = []
    suites: list[Code] = []
    settings: dict[Code, Any] = {}


# Files of predictions that a person may hand in on one day, where a protocol does not say it.
SUBMISSIONS_PER_DAY: Final = 5


class Evaluation(Part):
    """Which systems are tried on accepted work, and how.

    Attributes:
        systems: By slug.
        suites: What is asked of them.
        submissions_per_day: Files of predictions that one person may hand in against the benchmark's releases on one
            day of its zone; 0: none are taken. Each answer tells a little about those that are held back.
    """

    systems: list[Name]
    suites: list[Code]
    submissions_per_day: Annotated[int, Field(ge=0, le=1_000)] = SUBMISSIONS_PER_DAY
    planned: PlannedEvaluation = PlannedEvaluation()
