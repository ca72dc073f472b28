"""Answers about a person's own address."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from curation.core.shapes import OneOf


class MailboxAnswer(TypedDict):
    """The signed-in person's address.

    ``available`` is false on a site without a mail server. ``pending`` waits for the link that was sent to it.
    """

    available: bool
    address: str
    pending: str
    digest: Annotated[str, OneOf(("off", "daily", "at_once"))]
    zone: str


class StoppedMail(TypedDict):
    """No more notifications are mailed to the reader of a mail."""

    stopped: bool


class ConfirmedAddress(TypedDict):
    """The account whose address was verified."""

    username: str
    address: str
