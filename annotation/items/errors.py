"""Refusals about writing items."""

from curation.core.errors import DomainError


class StaleRevision(DomainError):
    """Somebody wrote a newer revision; the answer carries ``mine``, ``theirs`` and ``base``."""

    status = 409
    detail = "Revision {base_no} is no longer current: {revision_no} is."


class ContentRefused(DomainError):
    """A rule stops the content; ``params.findings`` says which."""

    status = 422
    detail = "The content breaks {count} rule(s)."


class ContentMalformed(DomainError):
    """The content is not of its kind's shape."""

    status = 400
    detail = "The content should be {expected}."


class GuidelineNotAcknowledged(DomainError):
    """The kind has guidelines, and the person has not acknowledged the newest ones."""

    status = 409
    detail = "Read and acknowledge version {version} of the guidelines for {kind} first."


class ReasonNeeded(DomainError):
    """Sending back, calling wrong or skipping needs a reason from the list or a comment."""

    status = 422
    detail = "Say why: choose a reason or write a comment."


class ReasonUnknown(DomainError):
    """A reason that the protocol does not list."""

    status = 422
    detail = "The protocol has no reason {reason}."
