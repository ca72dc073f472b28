"""Refusals about judging."""

from curation.core.errors import DomainError


class AlreadyJudged(DomainError):
    """One verdict a person, revision and round."""

    status = 409
    detail = "You have judged this revision already in this round."


class NotAllReviewed(DomainError):
    """The review is complete when every item has a verdict; ``params.missing`` lists the others."""

    status = 409
    detail = "{count} item(s) have no verdict yet."


class NotAllInspected(DomainError):
    """The inspection is complete when every drawn item has a verdict."""

    status = 409
    detail = "{count} drawn item(s) have no verdict yet."


class InspectionTaken(DomainError):
    """One inspector judges a draw; who it is stands in the inspection, for those who may know."""

    status = 409
    detail = "Somebody else is inspecting this package."


class NotDrawn(DomainError):
    """Only drawn items are inspected."""

    status = 409
    detail = "This item is not in the sample."


class ContentNeeded(DomainError):
    """Correcting in place needs the corrected content."""

    status = 422
    detail = "Correcting needs the corrected content."


class PoolNotInProtocol(DomainError):
    """The protocol has this judged by one person a package."""

    status = 409
    detail = "The protocol has no pool for {purpose}."
