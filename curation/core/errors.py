"""Errors that people can act on: a stable code, the data behind it, an HTTP status.

The browser shows a sentence chosen by ``code`` in the reader's language; ``detail`` is English and meant for logs
and the command line. Every subclass in the project is listed in the generated ``frontend/src/api/error-codes.ts``.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar


class DomainError(Exception):
    """An expected error, which the API reports with a code.

    Attributes:
        code: The class name in snake_case, unique in the project; what clients match on.
        status: HTTP status the API answers with.
        detail: English sentence; may name ``params`` in braces.
        params: Values for the translated sentence; JSON-able.
        extra: Further top-level members of the API's answer, for example both versions of a conflict.
    """

    code: ClassVar[str] = "internal_error"
    status: ClassVar[int] = 409
    detail: ClassVar[str] = "The request could not be carried out."

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, *, extra: dict[str, Any] | None = None, **params: Any) -> None:
        self.params = params
        self.extra = extra or {}
        super().__init__(str(self))

    def __str__(self) -> str:
        values = {n: ", ".join(map(str, v)) if isinstance(v, (list, tuple)) else v for n, v in self.params.items()}
        try:
            return self.detail.format(**values)
        except (KeyError, IndexError):
            return f"{self.detail} {self.params}"


class NotSignedIn(DomainError):
    """The request has no session, or an expired one."""

    status = 401
    detail = "Sign in first."


class NotFound(DomainError):
    """The row does not exist, or this person may not know that it does: both cases get the same response."""

    status = 404
    detail = "There is nothing here for you."


class OperationNotAllowed(DomainError):
    """The person takes part in the benchmark, but none of their roles allows the operation."""

    status = 403
    detail = "Your roles do not allow {operation}."


class OwnWork(DomainError):
    """People cannot judge what they made or revised."""

    status = 403
    detail = "You took part in making this, so someone else has to judge it."


class ActionNotAllowed(DomainError):
    """The row's state does not allow the action."""

    status = 409
    detail = "{action} is not possible while the state is {state}."


class StaleRow(DomainError):
    """The row changed since the client read it."""

    status = 409
    detail = "This changed since you opened it: revision {revision} is current, you sent {named}."


class ClientKeyReused(DomainError):
    """A request repeats a client key with other content."""

    status = 422
    detail = "This client key was already used for something else."


class InvalidInput(DomainError):
    """The request's body or query does not have the documented form."""

    status = 400
    detail = "The request does not have the documented form."


class HostUnknown(DomainError):
    """The request names a host that is not one of this site's."""

    status = 400
    detail = "This site does not answer under that host name."


class TextRefused(DomainError):
    """The text has characters that are never stored (NUL, lone surrogates, direction controls)."""

    status = 400
    detail = "The text has a character that cannot be stored: {reason}."


class TooManyRequests(DomainError):
    """The client sent too many requests."""

    status = 429
    detail = "Too many requests; try again in {seconds} s."


class CsrfFailed(DomainError):
    """The anti-forgery token is missing or old."""

    status = 403
    detail = "The anti-forgery token is missing or old: reload the page."


class MethodNotAllowed(DomainError):
    """The address exists, but not for this HTTP method."""

    status = 405
    detail = "{method} is not possible here."


class BodyTooLarge(DomainError):
    """The body is larger than the server reads."""

    status = 413
    detail = "The request is larger than {maximum} bytes."


class DatabaseUnavailable(DomainError):
    """The database does not respond, or the connection broke; whether a change was committed is unknown.

    A repeated request carries the same client key, so that a committed change is not made twice.
    """

    status = 503
    detail = "The database does not respond at the moment. Try again shortly; nothing is done twice."


class StorageUnavailable(DomainError):
    """The store of finished files cannot be read or written. This says nothing about any single file."""

    status = 503
    detail = "The file storage does not respond at the moment. Nothing was changed; try again shortly."


class StorageFull(StorageUnavailable):
    """The disk is full, or less would stay free than ``MEDIA_FLOOR_BYTES``. Jobs wait until there is space.

    ``params.disk`` is ``media`` or ``models``; ``params.free`` and ``params.needed`` are bytes above the floor, the
    latter None where the size is not known.
    """

    status = 507
    detail = "The server has no room for more files: {free} bytes are free above the floor of the disk for {disk}."


class StoredFileDiffers(DomainError):
    """The store has another file under the key, or the staged file no longer matches its recorded checksum."""

    status = 409
    detail = "The store has another file under {key}. It was not changed; an administrator has to check the store."


class InternalError(DomainError):
    """An unexpected error; the log has the traceback."""

    status = 500
    detail = "The server failed with an unexpected error. Nothing of this request was saved."
