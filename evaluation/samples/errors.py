"""Why a reply cannot be read by a person, or not so."""

from curation.core.errors import DomainError


class RunNotScoredYet(DomainError):
    """The run has no results of its entries."""

    status = 409
    detail = "The run was not scored yet."


class RunsOfOtherSets(DomainError):
    """Two runs are compared that are not over the same item set."""

    status = 422
    detail = "The runs are not over the same item set."


class ReplyNotReadable(DomainError):
    """There is no text in which a person could read an answer, or rules do not read it either."""

    status = 409
    detail = "The system wrote no reply here whose answer is read: it has none, or is judged."


class OverrideNoLetter(DomainError):
    """The answer is not one letter of the options."""

    status = 422
    detail = "The answer is one of the letters {letters}, or none."


class OverrideNoLetters(DomainError):
    """The answer is not made of letters of the options."""

    status = 422
    detail = "The answer is some of the letters {letters}, each once, or none."
