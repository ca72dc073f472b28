"""Refusals about systems."""

from curation.core.errors import DomainError


class SystemRevisionTaken(DomainError):
    """A revision names one state of the files for ever."""

    code = "system_revision_taken"
    status = 409
    detail = "{slug} already has a revision {revision}, made of other files: give the new one another name."


class SystemFilesChanged(DomainError):
    """The files are not those that were added, so what they answer would be another system's."""

    code = "system_files_changed"
    status = 409
    detail = "The files of {slug} {revision} changed on disk: put them back, or add them as a new revision."


class SystemFileInvalid(DomainError):
    """A description under ``fixtures/systems`` does not have the documented form."""

    code = "system_file_invalid"
    status = 422
    detail = "{file}: {reason}"
