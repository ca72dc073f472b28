"""Why a run cannot be started or cannot go on."""

from curation.core.errors import DomainError


class PictureStoreUnreachable(DomainError):
    """The store of all pictures is away: nothing is said about any single picture then."""

    status = 503
    detail = "The store with the pictures cannot be read on the machine of the worker."


class SystemNotForSuite(DomainError):
    """The system cannot do what the suite asks for, or is not known here."""

    status = 409
    detail = "The system {system} cannot be asked for the suite {suite}."


class SuiteNotForRelease(DomainError):
    """The suite reads another kind of work than the release holds."""

    status = 409
    detail = "The suite {suite} does not read {kind}."


class NothingToRetry(DomainError):
    """Everything of the run was answered, or is still on its way."""

    status = 409
    detail = "Nothing of this run has failed."
