"""Refusals of leaderboards."""

from curation.core.errors import DomainError


class RunNotScored(DomainError):
    """The run has no scores on this release yet."""

    detail = "Run {run} has no scores on this release yet."


class RowNotComparable(DomainError):
    """The report was made before results by question were kept, or its profile does not say what is right."""

    detail = "{row} has no results by question."
