"""Errors of judging items."""

from curation.core.errors import DomainError


class AlreadyJudged(DomainError):
    """The person has already judged this revision in this round."""

    status = 409
    detail = "You have judged this revision already in this round."


class FormValueMissing(DomainError):
    """A required field of a judge's form has no value."""

    status = 400
    detail = "{field} needs a value."


class FormFieldUnknown(DomainError):
    """The form has no such field."""

    status = 400
    detail = "The form has no field {field}."


class FormValueInvalid(DomainError):
    """A value of a judge's form does not fit its field."""

    status = 400
    detail = "The value of {field} does not fit the form."
