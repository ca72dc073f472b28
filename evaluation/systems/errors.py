"""Refusals about systems."""

from curation.core.errors import DomainError


class SystemRevisionTaken(DomainError):
    """A revision names one state of the files for ever."""

    status = 409
    detail = "{slug} already has a revision {revision}, made of other files: give the new one another name."


class SystemFilesChanged(DomainError):
    """The files are not those that were added, so what they answer would be another system's."""

    status = 409
    detail = "The files of {slug} {revision} changed on disk: put them back, or add them as a new revision."


class SystemFileInvalid(DomainError):
    """A description under ``fixtures/systems`` does not have the documented form."""

    status = 422
    detail = "{file}: {reason}"


class SystemHasNoBackend(DomainError):
    """The record tells of a system that nothing here can run yet."""

    status = 409
    detail = "Nothing on this site can run {slug}, so its files are not fetched."


class SystemNotOnHub(DomainError):
    """The record does not say where the files are fetched from."""

    status = 409
    detail = "The record of {slug} names no repository to fetch it from: add its folder by the command line."


class CodeNeedsCommit(DomainError):
    """Code is allowed for a commit that an owner could read, not for a branch, which can change."""

    status = 422
    detail = "Code is allowed for one full commit only (40 digits of 0-9 a-f): name it as the revision."


class SystemCodeDiffers(DomainError):
    """One commit is either run with its own code or without, and what was recorded stays."""

    status = 409
    detail = "{slug} {revision} was fetched with the other answer to whether its own code may run, and stays so."


class SystemSlugTaken(DomainError):
    """Revisions of a system are compared; they are the same model, run the same way."""

    status = 409
    detail = "{slug} is the name of a system that is run from files here: give the served one another name."


class SystemFetchBusy(DomainError):
    """Another fetch of the same system is on its way."""

    status = 409
    detail = "{slug} is being fetched at revision {revision}: wait until that ended."
