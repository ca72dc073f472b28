"""Refusals of leaderboards."""

from curation.core.errors import DomainError


class RunNotScored(DomainError):
    """The run has no scores on this release yet."""

    detail = "Run {run} has no scores on this release yet."
