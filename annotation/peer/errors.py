"""Errors of the peer track."""

from curation.core.errors import DomainError


class PictureFull(DomainError):
    """The picture has as many items of the kind as the protocol allows."""

    status = 409
    detail = "This picture has {maximum} item(s) already."


class SeatHeld(DomainError):
    """A colleague is checking the item at the moment; until their lease ends, no one else judges or edits it."""

    status = 409
    detail = "A colleague is checking this item until {until}."
