"""Errors of guidelines."""

from curation.core.errors import DomainError


class GuidelineEmpty(DomainError):
    """The guidelines have no text in any language."""

    status = 422
    detail = "The guidelines are empty: write them in one language at least."


class GuidelineUnchanged(DomainError):
    """The text equals the current version; publishing it would make all annotators acknowledge it again."""

    status = 409
    detail = "The text is that of version {version}: nothing to publish."
