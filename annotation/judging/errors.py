"""Errors of judging items."""

from curation.core.errors import DomainError


class AlreadyJudged(DomainError):
    """The person has already judged this revision in this round."""

    status = 409
    detail = "You have judged this revision already in this round."


class FormValueInvalid(DomainError):
    """A value of a judge's form does not fit its field."""

    status = 400
    detail = "{field} takes {expected}."
