"""Refusals about guidelines."""

from curation.core.errors import DomainError


class GuidelineEmpty(DomainError):
    """There is no text in any language."""

    status = 422
    detail = "The guidelines are empty: write them in one language at least."


class GuidelineUnchanged(DomainError):
    """The text is that of the version in force; everybody would have to acknowledge it again for nothing."""

    status = 409
    detail = "The text is that of version {version}: nothing to publish."
