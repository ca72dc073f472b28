"""Answers for people outside the team."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from curation.core.shapes import LocalisedText, OneOf, Paged, PersonBrief
from curation.people.shapes import BenchmarkBrief
from evaluation.outsiders.rules import PARTICIPATION


class TermsOfUse(TypedDict):
    """The terms of use; ``for_files``: files are for people who accepted them. ``sha256`` is empty without terms."""

    text: LocalisedText
    sha256: str
    for_files: bool
    accepted: bool


class SubmitPage(TypedDict):
    """What the page for people outside the team shows to the reader, signed in or not.

    ``may_join``: anyone may join; ``participation`` is what the reader is here.
    """

    benchmark: BenchmarkBrief
    url: str
    may_join: bool
    participation: Annotated[str, OneOf(PARTICIPATION)]
    terms: TermsOfUse


class JoinedAnswer(TypedDict):
    """The account that joined."""

    username: str


class OutsiderRow(TypedDict):
    """A person who submits from outside the team.

    ``invited_by`` is null for who joined on their own; ``barred_at``: when an administrator ended their role.
    ``terms_accepted``: the current text; ``crew`` is empty for a person alone. ``submissions`` are their own files,
    without unreadable ones.
    """

    person: PersonBrief
    username: str
    since: datetime
    invited_by: PersonBrief | None
    barred_at: datetime | None
    terms_accepted: bool
    crew: str
    submissions: int
    last_submission_at: datetime | None
    available_actions: list[str]


class OutsiderPage(Paged):
    """A page of people outside the team."""

    results: list[OutsiderRow]
