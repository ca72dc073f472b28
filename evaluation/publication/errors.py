"""Why a release or a file is not public."""

from curation.core.errors import DomainError


class ReleaseNotPublished(DomainError):
    """Only published releases can be opened to everybody."""

    status = 409
    detail = "{label} is not published; publish it first."


class TermsMissing(DomainError):
    """Terms that people have to accept need a text in every language."""

    status = 400
    detail = "People can only accept terms that exist in every language."


class NoLongerPublic(DomainError):
    """The release was withdrawn or closed, or the picture was withdrawn."""

    status = 410
    detail = "This is no longer public."


class TermsNotAccepted(DomainError):
    """The files are for people who signed in and accepted the terms."""

    status = 403
    detail = "Accept the terms of use first."
