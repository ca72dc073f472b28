"""Errors about curators' decisions on pictures."""

from curation.core.errors import DomainError


class ReasonsRefused(DomainError):
    """A refusal needs reasons from the protocol's list; an acceptance must have none."""

    status = 422
    detail = "These reasons do not fit the decision: {reasons}; listed are {allowed}."


class JudgedMeanwhile(DomainError):
    """Another curator decided on the picture after this one loaded it."""

    status = 409
    detail = "{by} has already decided {outcome}."


class HeldByAnother(DomainError):
    """The picture is reserved for another curator."""

    status = 409
    detail = "The picture is reserved for {by} until {until}."


class SubsetUnknown(DomainError):
    """The protocol has no such subset."""

    status = 422
    detail = "There is no subset {subset}; the protocol has {subsets}."


class SubsetCounts(DomainError):
    """The counts of objects violate the subset's limits."""

    status = 422
    detail = "The counts do not meet the rule of subset {subset}: {faults}."
