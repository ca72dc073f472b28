"""Why a system does not answer a file."""

from __future__ import annotations


class AnswerRefused(Exception):
    """The request cannot be carried out as it is; nothing was sent.

    Attributes:
        code: What programs match on: ``shots_leak``, ``picture_missing`` …
    """

    def __init__(self, code: str, why: str) -> None:
        self.code = code
        super().__init__(f"{code}: {why}")
