"""Why an item set cannot be made."""

from curation.core.errors import DomainError


class SetSuiteUnknown(DomainError):
    """No set can be made for the suite."""

    status = 422
    detail = "There is no suite {suite} whose files make an item set; there are {allowed}."


class SetNameTaken(DomainError):
    """The benchmark has a set of this name."""

    status = 409
    detail = "There is an item set {name} already."


class SetFileEmpty(DomainError):
    """A file has no content."""

    status = 422
    detail = "The file {name} is empty."


class SetFileTooLarge(DomainError):
    """The files are larger than allowed."""

    status = 413
    detail = "The files of a set have at most {maximum} bytes together."


class SetLimit(DomainError):
    """The benchmark has as many sets as allowed."""

    status = 409
    detail = "A benchmark has at most {limit} item sets."
