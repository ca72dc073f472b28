"""Refusals of the pools."""

from curation.core.errors import DomainError


class PoolEmpty(DomainError):
    """Nothing is free now, but others hold seats that may come back."""

    status = 409
    detail = "Nothing is free: {held} are held by others, the first lease ends at {until}."


class NothingLeft(DomainError):
    """Nothing is left in the pool that this person could judge."""

    status = 409
    detail = "Nothing is left here for you to judge."


class TryAgain(DomainError):
    """Something seems free, but other people hold its row this very moment."""

    status = 409
    detail = "Others are claiming at this moment; try again."


class SeatNotHeld(DomainError):
    """A verdict without a seat: never taken, or lapsed and handed on."""

    status = 409
    detail = (
        "You do not hold this item: take it from the pool first. A seat whose time ran out may be somebody else's now."
    )
