"""Errors of the pools."""

from curation.core.errors import DomainError


class PoolEmpty(DomainError):
    """No seat is free now, but seats that others hold may become free."""

    status = 409
    detail = "Nothing is free: {held} are held by others, the first lease ends at {until}."


class NothingLeft(DomainError):
    """The pool has no seat, free or held, for this person."""

    status = 409
    detail = "Nothing is left here for you to judge."


class TryAgain(DomainError):
    """There are free seats, but other requests have their rows locked."""

    status = 409
    detail = "Others are claiming at this moment; try again."


class SeatNotHeld(DomainError):
    """A verdict without a seat: never claimed, or lapsed and claimed by someone else."""

    status = 409
    detail = (
        "You hold no seat of this item: claim one from the pool first. Someone else may have claimed a lapsed seat."
    )
