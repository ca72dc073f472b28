"""Errors of items that rest on accepted work."""

from curation.core.errors import DomainError


class BaseChanged(DomainError):
    """The work that the item rests on was reopened, changed or excluded since."""

    status = 409
    detail = "The work that this item rests on has changed."
