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
