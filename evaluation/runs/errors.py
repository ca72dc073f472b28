"""Why a run cannot go on."""

from curation.core.errors import DomainError


class PictureStoreUnreachable(DomainError):
    """The folder with all pictures is away: nothing is said about any single picture then."""

    code = "picture_store_unreachable"
    status = 503
    detail = "The folder with the pictures cannot be read on the machine of the worker."
