"""Errors of prompts."""

from curation.core.errors import DomainError


class PromptUnchanged(DomainError):
    """A new version of a prompt equals the one it was copied from."""

    status = 409
    detail = "The text is that of version {no}: nothing was added."


class PromptItemNotAccepted(DomainError):
    """A prompt is shown with an item that is not accepted, so that its text may still change."""

    status = 409
    detail = "{label} is not accepted: choose an accepted item."
