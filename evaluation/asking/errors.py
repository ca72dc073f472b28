"""Errors of asking models with pictures."""

from __future__ import annotations

from curation.core.errors import DomainError


class PictureNotSendable(DomainError):
    """The item's picture was withdrawn, waits to be checked for personal information, or has no file."""

    status = 409
    detail = (
        "The picture of this item was withdrawn, is not checked for personal information, or has no file, so it cannot "
        "be sent."
    )


class PromptItemMissing(DomainError):
    """Only a prompt with the values of an item is sent: variables without values would be paid for in vain."""

    status = 422
    detail = "These variables have no value, so the prompt is not sent: {names}"


class TooManyTrials(DomainError):
    """The person waits for as many replies as one person may at a time, in all benchmarks together."""

    status = 409
    detail = "You wait for {open} replies already; at most {maximum} at a time."
