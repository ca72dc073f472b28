"""Results: splits, gates and formats of releases; suites, systems and submissions; what public pages show."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

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
    """Division of each category by counts, for protocols that do not use shares of the whole (VisTai section 3).

    Attributes:
        train: Pictures of each category for the examples; these come first.
        test_minimum: Pictures of each category that the test gets before the validation gets any.
        valid_target: Target pictures of each category for the validation; it gets more if the shares give more.
    """

    train: Annotated[int, Field(ge=0, le=100_000)]
    test_minimum: Annotated[int, Field(ge=0, le=100_000)]
    valid_target: Annotated[int, Field(ge=0, le=100_000)]


class PlannedRelease(Part):
    """Gates, formats and settings of releases that are not implemented yet."""

    gates: list[Code] = []
    exporters: list[Code] = []
    settings: dict[Code, Any] = {}


class Release(Part):
    """The content of releases and the conditions for one.

    Attributes:
        licence: The data set's licence; ``per-picture``: each picture's.
        splits: Shares of the pictures; with ``per_category`` they divide the rest that its counts leave.
        per_task: Kinds whose own releases divide their pictures by themselves: over all pictures and not category by
            category, whatever splits the releases of other kinds gave them.
        withheld: Splits whose answers are in a separate key file instead of the public files.
        gates: Checks of every picture and item that must pass before a freeze.
        exporters: Formats of the files.
    """

    licence: str
    splits: Splits
    per_category: PerCategory | None = None
    per_task: list[Code] = []
    withheld: list[Literal["train", "valid", "test"]] = []
    gates: Annotated[list[Code], Field(min_length=1)]
    exporters: Annotated[list[Code], Field(min_length=1)]
    planned: PlannedRelease = PlannedRelease()


class PlannedEvaluation(Part):
    """Suites, systems and settings of evaluation that are not implemented yet."""

    systems: list[Name] = []
    suites: list[Code] = []
    settings: dict[Code, Any] = {}


# The default limits of a person's submissions, on one day and in all.
SUBMISSIONS_PER_DAY: Final = 5
SUBMISSIONS_TOTAL: Final = 100


class Evaluation(Part):
    """The systems to evaluate on accepted work, and how.

    Attributes:
        systems: Slugs of systems.
        suites: The suites they run.
        submissions_per_day: Most submissions of one person to the benchmark's releases of a kind on one day of its time
            zone; 0: none. They are limited because each result reveals a little about the withheld answers.
        submissions_total: The same in all.
    """

    systems: list[Name]
    suites: list[Code]
    submissions_per_day: Annotated[int, Field(ge=0, le=1_000)] = SUBMISSIONS_PER_DAY
    submissions_total: Annotated[int, Field(ge=0, le=100_000)] = SUBMISSIONS_TOTAL
    planned: PlannedEvaluation = PlannedEvaluation()


# Figures of a group with fewer units are not published for a split whose answers are withheld.
LEAST_GROUP: Final = 20


class PublicSamples(Part):
    """The items of a public release that everybody may look at.

    Attributes:
        splits: Splits that have samples.
        answers: Whether samples show the answers too.
        per_split: The number of samples of each split; a seeded order decides which.
    """

    splits: list[Literal["train", "valid", "test"]] = []
    answers: bool = True
    per_split: Annotated[int, Field(ge=1, le=1_000)] = 200


def _word_of_yaml(value: object) -> object:
    """YAML reads ``off`` as false."""
    return "off" if value is False else value


class Publication(Part):
    """What readers outside the team see on the public pages.

    Attributes:
        sign_up: Whether people outside the team may submit predictions with an account of their own: ``off``;
            ``invited``: by a link; ``open``: everybody, where the site lets people sign up.
        samples: Items to look at.
        least_group: The smallest group whose figures are published for a split with withheld answers, because the score
            of a group of one reveals its answer.
    """

    sign_up: Annotated[Literal["off", "invited", "open"], BeforeValidator(_word_of_yaml)] = "off"
    samples: PublicSamples = PublicSamples()
    least_group: Annotated[int, Field(ge=1, le=1_000)] = LEAST_GROUP
