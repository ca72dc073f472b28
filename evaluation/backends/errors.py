"""Why a system's files cannot be run."""

from curation.core.errors import DomainError


class BackendFilesUnfit(DomainError):
    """The folder holds no model that the backend can run."""

    code = "backend_files_unfit"
    status = 422
    detail = "{folder} cannot be run by the backend: {reason}."
