"""Errors of the pair track."""

from curation.core.errors import DomainError


class OutOfOrder(DomainError):
    """Expressions are answered one by one in their order; none is answered again."""

    status = 409
    detail = "The next answer is number {position}."


class PointNotOnPicture(DomainError):
    """A point needs two coordinates on the picture, and other answers have none."""

    status = 400
    detail = "A point has to be on the picture."


class SeesEveryItem(DomainError):
    """Who can open every item of the kind knows what is meant, or could."""

    status = 409
    detail = "You can open every item of this kind, so you cannot be the second person."
