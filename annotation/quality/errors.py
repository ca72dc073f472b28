"""Errors of review and inspection."""

from curation.core.errors import DomainError


class NotAllReviewed(DomainError):
    """A review is complete when every item has a verdict; ``params.missing`` lists the items without one."""

    status = 409
    detail = "{count} item(s) have no verdict yet."


class NotAllInspected(DomainError):
    """An inspection is complete when every drawn item has a verdict; ``params.missing`` lists those without one."""

    status = 409
    detail = "{count} drawn item(s) have no verdict yet."


class InspectionTaken(DomainError):
    """Another person is the inspector of this draw; their name is part of the inspection's answer, where visible."""

    status = 409
    detail = "Someone else is inspecting this package."


class NotDrawn(DomainError):
    """The item is not in the sample, and only drawn items are inspected."""

    status = 409
    detail = "This item is not in the sample."


class ContentNeeded(DomainError):
    """A correction came without the corrected content."""

    status = 422
    detail = "Correcting needs the corrected content."


class PoolNotInProtocol(DomainError):
    """The protocol has no pool for this purpose: one person judges the whole package."""

    status = 409
    detail = "The protocol has no pool for {purpose}."


class NothingToCompare(DomainError):
    """Nobody else does the picture, or not both submitted it for review yet."""

    status = 409
    detail = "No second person has submitted work on this picture yet."
