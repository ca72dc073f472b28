"""Refusals of what is handed in before it is kept; what is wrong inside a file stands in its row."""

from curation.core.errors import DomainError


class SubmissionEmpty(DomainError):
    """A file without a byte."""

    status = 400
    detail = "The file is empty."


class SubmissionTooLarge(DomainError):
    """More bytes than predictions may have."""

    status = 413
    detail = "The file is larger than {maximum} bytes."


class SubmissionNothingAsked(DomainError):
    """No profile scores the release's kind, or the splits that are asked about are empty in it."""

    status = 409
    detail = "{label} asks nothing that a file of predictions could answer."


class SubmissionProfileUnsuited(DomainError):
    """The profile reads another task than the release's."""

    status = 400
    detail = "{profile} does not suit {label}: choose one of {allowed}."


class SubmissionLimit(DomainError):
    """The person handed in as many files today as the protocol allows; ``until`` is the next midnight."""

    status = 429
    detail = "{limit} file(s) a day may be handed in; the next one after {until}."


class SubmissionRefusedLimit(DomainError):
    """Files that could not be read do not count, but not without end."""

    status = 429
    detail = "{refused} files of today could not be read; the next one can be handed in after {until}."


class SubmissionFileGone(DomainError):
    """The file is no longer in the store: a matter for whoever runs the server."""

    status = 404
    detail = "The file was kept but is no longer in the store."
