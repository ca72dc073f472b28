"""Answers about blind trials."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from typing_extensions import TypedDict


class BlindAnswer(TypedDict):
    """A reply of the model.

    ``right`` is the letter at which the right option was printed, ``letter`` the one that was read in the reply; null:
    none, which counts as wrong. ``reply`` is its beginning, empty if a content filter refused it.
    """

    right: str
    letter: str | None
    reply: str


class BlindTrialRow(TypedDict):
    """The replies to a question in one language; ``flagged`` if ``hits`` reaches ``flagged_from``."""

    language: str
    model: str
    prompt: str
    tries: int
    hits: int
    flagged_from: int
    flagged: bool
    answers: list[BlindAnswer]
    at: datetime


class ItemBlindTrials(TypedDict):
    """The blind trials of an item's newest revision.

    ``state`` is ``none`` where the protocol sets none or there is no question yet, ``hidden`` from those who may judge
    the item before a panel while its judging is open, ``waiting`` until they are made, then ``done``. While they wait,
    ``error_code`` says what prevents them, or why the last attempt failed; ``retry_at``: when the next one is due.
    """

    state: Literal["none", "hidden", "waiting", "done"]
    revision_no: int
    flagged: bool
    trials: list[BlindTrialRow]
    error_code: str | None
    error_params: dict[str, Any]
    retry_at: datetime | None
    worker_alive: bool
