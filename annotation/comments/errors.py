"""Refusals about comments."""

from curation.core.errors import DomainError


class CannotMention(DomainError):
    """Somebody who was named cannot see the item, or is whoever wrote the comment."""

    status = 422
    detail = "Not among those who can see this item: {people}."
