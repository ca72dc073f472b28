"""Errors of blind trials: why none can be made."""

from curation.core.errors import DomainError


class TrialPromptUnfit(DomainError):
    """The protocol's prompt does not exist, or has variables other than the question and its options."""

    detail = "The prompt {prompt} does not exist, or has other variables than the question and its options."
