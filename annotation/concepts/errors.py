"""Errors of concepts."""

from curation.core.errors import DomainError


class ConceptTwice(DomainError):
    """The picture has a concept of this name."""

    detail = "The picture has a concept of this name: {name}."


class ConceptsFull(DomainError):
    """The picture has as many concepts as it can have."""

    detail = "The picture has {maximum} concepts; that is the most there can be."


class ConceptOfOthers(DomainError):
    """Only its author and inspectors retire a concept."""

    status = 403
    detail = "A colleague wrote this concept; ask them or an inspector to retire it."
