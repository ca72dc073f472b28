"""Answers about a person's own address."""

from __future__ import annotations

from typing_extensions import TypedDict


class MailboxAnswer(TypedDict):
    """The signed-in person's address.

    ``available`` is false on a site without a mail server. ``pending`` waits for the link that was sent to it.
    """

    available: bool
    address: str
    pending: str


class ConfirmedAddress(TypedDict):
    """The account whose address was verified."""

    username: str
    address: str
