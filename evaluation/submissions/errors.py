"""Why a submission is rejected at once; faults inside a file are stored with its submission."""

from curation.core.errors import DomainError


class SubmissionEmpty(DomainError):
    """The file has no bytes."""

    status = 400
    detail = "The file is empty."


class SubmissionTooLarge(DomainError):
    """The file exceeds ``SUBMISSION_LIMIT_BYTES``."""

    status = 413
    detail = "The file is larger than {maximum} bytes."


class ReleaseNotScorable(DomainError):
    """No profile scores the release's kind, or its evaluated splits are empty."""

    status = 409
    detail = "{label} takes no submissions: no profile scores its kind, or its test split is empty."


class SubmissionProfileUnsuited(DomainError):
    """The profile scores another task than the release's."""

    status = 400
    detail = "{profile} does not suit {label}: choose one of {allowed}."


class SubmissionLimit(DomainError):
    """The person submitted as many files today as the protocol allows; ``until`` is the next midnight."""

    status = 429
    detail = "At most {limit} file(s) a day; the next one after {until}."


class SubmissionTotalLimit(DomainError):
    """The person submitted as many files for releases of the kind as the protocol allows in all."""

    status = 429
    detail = "At most {limit} file(s) in all."


class MailNotVerified(DomainError):
    """A person from outside the team has to confirm an e-mail address first, where the site sends mail."""

    status = 403
    detail = "Confirm an e-mail address on your account page first."


class SubmissionRefusedLimit(DomainError):
    """Too many of the person's files of today could not be read; below that number such files do not count."""

    status = 429
    detail = "{refused} files of today could not be read; the next one after {until}."


class SubmissionStorageLimit(DomainError):
    """The person's submitted files would have more bytes than ``SUBMISSION_BYTES_PER_PERSON``."""

    status = 429
    detail = "Your submitted files have {used} of {limit} bytes; this needs {bytes}."


class SubmissionHidden(DomainError):
    """An administrator took the submission off the leaderboard; they have to undo that first."""

    status = 409
    detail = "An administrator took it off the leaderboard."


class CrewNameTaken(DomainError):
    """Another crew of the benchmark has this name, perhaps in another letter case."""

    status = 409
    detail = "Another crew here has this name."


class CrewMissing(DomainError):
    """The person submits alone; only a crew with a name has members and a link."""

    status = 409
    detail = "You are not in a crew here."


class CrewLinkInvalid(DomainError):
    """No crew of the benchmark has this link: it expired, or a member made another one."""

    status = 410
    detail = "This link does not work any more."


class CrewFull(DomainError):
    """The crew has as many members as one may have."""

    status = 409
    detail = "A crew has at most {maximum} members."


class InCrewAlready(DomainError):
    """The person is in a crew of the benchmark."""

    status = 409
    detail = "You are in a crew here already."


class SubmittedBefore(DomainError):
    """The person has submitted files in the benchmark, which count for where they are."""

    status = 409
    detail = "You have submitted files here, so you cannot join or leave a crew."


class SubmissionFileNotKept(DomainError):
    """The file could not be read, so it was removed."""

    status = 404
    detail = "A file that could not be read is not kept."


class SubmissionFileGone(DomainError):
    """The file is no longer in the store; operators have to restore it."""

    status = 404
    detail = "The file was kept but is no longer in the store."
