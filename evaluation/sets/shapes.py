"""Answers about item sets."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from curation.core.shapes import JobAnswer, OneOf, PersonBrief
from curation.prompts.rules import READINGS
from evaluation.sets.models import ItemSet
from evaluation.sets.rules import FAULTS


class SetFile(TypedDict):
    """A file that a set was made of."""

    name: str
    bytes: int
    sha256: str


class SetFault(TypedDict):
    """Why the files are refused: ``line`` is 0 for a file as a whole, ``expected`` what was looked for there.

    Where that is the code of an error, ``params`` are the error's.
    """

    code: Annotated[str, OneOf(FAULTS)]
    file: str
    line: int
    field: str
    expected: str
    params: dict[str, Any]


class SetRelease(TypedDict):
    """The release whose questions a set has."""

    id: int
    label: str


class SetRow(TypedDict):
    """An item set; ``job`` makes its entries, null once it did. ``sides`` are the languages in which it can be asked.

    ``name`` is empty for the set of accepted work, and the label of a release for its set. Only a set of files has
    ``gold``, and who made it.
    """

    id: int
    origin: Annotated[str, OneOf(ItemSet.Origin)]
    release: SetRelease | None
    name: str
    suite: str
    state: Annotated[str, OneOf(ItemSet.State)]
    fault: SetFault | None
    size: int
    pictures: int
    sides: list[str]
    digest: str
    gold: SetFile | None
    zip: SetFile | None
    dialogues: SetFile | None
    job: JobAnswer | None
    created_by: PersonBrief | None
    created_at: datetime


class SetPromptVersion(TypedDict):
    """A version of a prompt in one language, where its text is from, and whether it has one for examples."""

    no: int
    language: str
    reading: Annotated[str, OneOf(READINGS)]
    shots: bool


class SetPrompt(TypedDict):
    """A prompt of a setting: the type of question that it asks, and its versions."""

    type: str
    name: str
    versions: list[SetPromptVersion]


class SetSetting(TypedDict):
    """A way to ask the questions of a suite; ``means`` are the ways to answer it, the usual one first."""

    name: str
    means: list[str]
    prompts: list[SetPrompt]


class SetSuite(TypedDict):
    """A suite whose files make sets, with the profiles that score its answers, the headline first.

    With ``has_dialogues`` a second file may have the texts that the gold file names by ids.
    """

    name: str
    language: str
    profiles: list[str]
    has_dialogues: bool
    settings: list[SetSetting]


class SetsPage(TypedDict):
    """The item sets of a benchmark, newest first, and the suites of which more can be made."""

    sets: list[SetRow]
    suites: list[SetSuite]
    limit_bytes: int
    available_actions: list[str]


class SetExamples(TypedDict):
    """A set from which examples may be drawn."""

    id: int
    name: str
    size: int


class SetDetail(SetRow):
    """An item set with what its runs may be asked, and the sets from which their examples may be drawn."""

    asks: SetSuite
    examples: list[SetExamples]
    available_actions: list[str]
