"""Answers for people outside the team."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from curation.core.shapes import LocalisedText, OneOf
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
