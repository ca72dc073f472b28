"""Errors about items of any track."""

from curation.core.errors import DomainError


class NothingToConfirm(DomainError):
    """Nothing in the item's picture was covered since it was last judged, or it is not accepted."""

    status = 409
    detail = "There is nothing to confirm about this item."
