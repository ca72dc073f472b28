"""Errors of comments."""

from curation.core.errors import DomainError


class CannotMention(DomainError):
    """A person mentioned in the comment cannot see the item, or is its author."""

    status = 422
    detail = "Not among those who can see this item: {people}."
