"""Errors of bulk actions."""

from curation.core.errors import DomainError


class BulkTooMany(DomainError):
    """More rows match than one bulk action may change."""

    status = 409
    detail = "More than {maximum} rows match. Choose fewer."


class BulkStale(DomainError):
    """The preview is older than an hour; make a new one."""

    status = 409
    detail = "The preview is older than an hour. Make a new one."


class BulkNotUndoable(DomainError):
    """The action cannot be undone, whatever its state."""

    status = 409
    detail = "This cannot be undone: {action}."


class BulkTargetChanged(DomainError):
    """The row was changed by someone else since the preview, or since the bulk action."""

    status = 409
    detail = "It was changed in the meantime."


class BulkNoChange(DomainError):
    """The row has the chosen value already."""

    status = 409
    detail = "It has this value already."


class BulkNothingBefore(DomainError):
    """The row had no value before, and the value cannot be removed again."""

    status = 409
    detail = "It had no value before."
