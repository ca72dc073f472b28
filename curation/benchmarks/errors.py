"""Refusals about benchmarks and protocols."""

from curation.core.errors import DomainError


class PresetUnknown(DomainError):
    """No preset has that name."""

    status = 422
    detail = "There is no preset called {preset}; known: {known}."


class SlugTaken(DomainError):
    """Another benchmark has that short name."""

    status = 409
    detail = "A benchmark called {slug} exists already."


class StaleProtocol(DomainError):
    """Somebody adopted another version since this one was written."""

    status = 409
    detail = "Version {current} of the protocol is in force by now; compare with it first."


class ProtocolUnchanged(DomainError):
    """The file is the one in force."""

    status = 409
    detail = "This is version {current} of the protocol, character by character."


class ProtocolFrozen(DomainError):
    """Work has begun under what the new version would change."""

    status = 409
    detail = "Work has begun, so these stay as they are: {paths}."


class CategoriesInUse(DomainError):
    """The new list of categories lacks some that pictures were collected for."""

    status = 409
    detail = "Pictures belong to categories that the new list does not have: {slugs}."
