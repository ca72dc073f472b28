"""Errors of guidelines."""

from curation.core.errors import DomainError


class GuidelineEmpty(DomainError):
    """The guidelines have no text in any language."""

    status = 422
    detail = "The guidelines are empty: write them in one language at least."


class GuidelinePicturesRefused(DomainError):
    """The text shows pictures that do not exist, are not accepted, or not marked free of personal information."""

    status = 422
    detail = "These pictures cannot be shown in guidelines: {pictures}."


class GuidelinePicturesTooMany(DomainError):
    """The text shows more pictures than one version may."""

    status = 422
    detail = "The guidelines show {count} pictures; at most {maximum} are allowed."


class GuidelineUnchanged(DomainError):
    """The text equals the current version; publishing it would make all annotators acknowledge it again."""

    status = 409
    detail = "The text is that of version {version}: nothing to publish."
