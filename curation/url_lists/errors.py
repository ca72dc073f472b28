"""Errors about lists of addresses, their lines, and files that could not be fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from curation.core.errors import DomainError


class UrlUploadsOff(DomainError):
    """The benchmark's administrators have not switched uploads by addresses on, or the operator does not allow them."""

    status = 409
    detail = "Uploading by addresses is off in this benchmark."


class UrlContactMissing(DomainError):
    """The operator has set no contact, which every request to other sites names."""

    status = 409
    detail = "The operator has to set URL_UPLOAD_CONTACT first: every request to another site names it."


# --- The list as a whole


class UrlListEmpty(DomainError):
    """The text has no line with an address."""

    status = 422
    detail = "The list has no lines."


class UrlListTooLong(DomainError):
    """The text has too many lines or characters."""

    status = 422
    detail = "A list may have at most {maximum} lines."


class UrlColumnUnknown(DomainError):
    """The first line names a column that there is not, or one twice."""

    status = 422
    detail = "The column {column} is unknown or repeated; known are {columns}."


class UrlColumnMissing(DomainError):
    """The first line names columns, and a required one is missing."""

    status = 422
    detail = "The first line lacks the columns {columns}."


class UrlListHasNoValidLine(DomainError):
    """Every line of the list has an error."""

    status = 422
    detail = "None of the {lines} lines can be used."


# --- A line


class UrlLineUnreadable(DomainError):
    """A quotation mark is opened and not closed; the lines after it cannot be read."""

    status = 422
    detail = "The line has an open quotation mark, so this and the following lines cannot be read."


class UrlLineTooWide(DomainError):
    """The line has more cells than there are columns."""

    status = 422
    detail = "The line has {columns} cells; at most {maximum} are expected."


class UrlLineIncomplete(DomainError):
    """A required cell of the line is empty."""

    status = 422
    detail = "The line lacks {columns}."


class UrlAuthorTooLong(DomainError):
    """The author's name has too many characters."""

    status = 422
    detail = "The author may have at most {maximum} characters."


class UrlRepeated(DomainError):
    """An earlier line of the list has the same address."""

    status = 422
    detail = "Line {line} has the same address."


class UrlFetchedBefore(DomainError):
    """An earlier list of the person has the address, and its file was not removed."""

    status = 409
    detail = "You uploaded this address before: list {list}, line {line}."


class UrlMalformed(DomainError):
    """The text is no web address."""

    status = 422
    detail = "This is not a web address."


class UrlTooLong(DomainError):
    """The address has too many characters."""

    status = 422
    detail = "An address may have at most {maximum} characters."


class UrlNotWeb(DomainError):
    """The address has another scheme than http and https, or none."""

    status = 422
    detail = "Addresses begin with https:// or http://."


class UrlHasPassword(DomainError):
    """The address contains a user name or password."""

    status = 422
    detail = "The address contains a user name or password."


class UrlPortNotAllowed(DomainError):
    """The address names another port than 80 and 443."""

    status = 422
    detail = "The address names port {port}; only 80 and 443 are used."


# --- Fetching


class UrlNotPublic(DomainError):
    """The host does not exist, or has an address that does not belong to the public internet."""

    status = 422
    detail = "{host} does not exist or is not on the public internet."


class UrlNotConnected(DomainError):
    """No connection could be made, or the server's certificate is not valid."""

    status = 502
    detail = "{host} cannot be reached, or its certificate is not valid."


class UrlStatus(DomainError):
    """The server answered with a status that has no file."""

    status = 502
    detail = "The server answered with status {status}."


class UrlRedirectRefused(DomainError):
    """The server redirects to something that is no web address, or one that is never fetched."""

    status = 502
    detail = "{host} redirects to an address that is not fetched."


class UrlRedirectedTooOften(DomainError):
    """The server redirects more often than is followed."""

    status = 502
    detail = "The address redirects more than {maximum} times."


class UrlFileTooLarge(DomainError):
    """The file has more bytes than the protocol or the server accepts; the rest was not read."""

    status = 413
    detail = "The file has more than {maximum} bytes."


class UrlTooSlow(DomainError):
    """The file did not arrive within the time limit."""

    status = 504
    detail = "The file did not arrive within {seconds} s."


class UrlAnswerCompressed(DomainError):
    """The answer is compressed although that was not asked for; unpacked it could have any size."""

    status = 502
    detail = "The server sends its answer compressed."


class UrlAnswerBroken(DomainError):
    """The connection ended before the file did, or the answer is no HTTP."""

    status = 502
    detail = "The connection ended before the file was complete."


#: The error of each code that a list as a whole is refused with (``rules.ListRefused``).
LIST_ERRORS: Final[Mapping[str, type[DomainError]]] = {
    error.code: error
    for error in (
        UrlListEmpty,
        UrlListTooLong,
        UrlColumnUnknown,
        UrlColumnMissing,
    )
}
