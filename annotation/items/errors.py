"""Refusals about writing items."""

from curation.core.errors import DomainError


class StaleRevision(DomainError):
    """Somebody wrote a newer revision; the answer carries ``mine``, ``theirs`` and ``base``."""

    code = "stale_revision"
    status = 409
    detail = "Revision {base_no} is no longer current: {revision_no} is."


class ContentRefused(DomainError):
    """A rule stops the content; ``params.findings`` says which."""

    code = "content_refused"
    status = 422
    detail = "The content breaks {count} rule(s)."


class ContentMalformed(DomainError):
    """The content is not of its kind's shape."""

    code = "content_malformed"
    status = 400
    detail = "The content should be {expected}."


class GuidelineNotAcknowledged(DomainError):
    """The kind has guidelines, and the person has not acknowledged the newest ones."""

    code = "guideline_not_acknowledged"
    status = 409
    detail = "Read and acknowledge version {version} of the guidelines for {kind} first."


class ReasonNeeded(DomainError):
    """Sending back, calling wrong or skipping needs a reason from the list or a comment."""

    code = "reason_needed"
    status = 422
    detail = "Say why: choose a reason or write a comment."


class ReasonUnknown(DomainError):
    """A reason that the protocol does not list."""

    code = "reason_unknown"
    status = 422
    detail = "The protocol has no reason {reason}."
