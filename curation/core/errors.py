"""Errors that people can act on: a stable code, the data behind it, an HTTP status.

The browser shows a sentence chosen by ``code`` in the reader's language; ``detail`` is English and meant for logs
and the command line. Every subclass in the project is listed in the generated ``frontend/src/api/error-codes.ts``.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar


class DomainError(Exception):
    """A refusal the application foresaw.

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
        try:
            return self.detail.format(**self.params)
        except (KeyError, IndexError):
            return f"{self.detail} {self.params}"


class NotSignedIn(DomainError):
    """No session, or one that ended."""

    status = 401
    detail = "Sign in first."


class NotFound(DomainError):
    """Nothing there, or nothing this person may know of: the two are answered alike."""

    status = 404
    detail = "There is nothing here for you."


class OperationNotAllowed(DomainError):
    """The person takes part in the benchmark, but none of their roles allows the operation."""

    status = 403
    detail = "Your roles do not allow {operation}."


class OwnWork(DomainError):
    """Nobody judges what they made or revised."""

    status = 403
    detail = "You took part in making this, so somebody else has to judge it."


class ActionNotAllowed(DomainError):
    """The row's state has no such move."""

    status = 409
    detail = "{action} is not possible while the state is {state}."


class StaleRow(DomainError):
    """The row moved on since the client read it."""

    status = 409
    detail = "This changed since you opened it: revision {revision} is current, you named {named}."


class ClientKeyReused(DomainError):
    """A client key came back with other content than the first time."""

    status = 422
    detail = "This client key was already used for something else."


class InvalidInput(DomainError):
    """The request's body or query does not have the documented form."""

    status = 400
    detail = "The request is not of the documented form."


class TextRefused(DomainError):
    """Text holds characters that are never stored (NUL, lone surrogates, direction controls)."""

    status = 400
    detail = "The text holds a character that cannot be stored: {reason}."


class TooManyRequests(DomainError):
    """Throttled."""

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


class ServiceAway(DomainError):
    """The database does not answer, or went while it was asked; whether a change was kept is not known.

    A repeated request carries the key of the first, so that what was kept is not done twice.
    """

    status = 503
    detail = "The database does not answer at this moment. Try again shortly; nothing is done twice."


class StoreAway(DomainError):
    """The store of finished files cannot be read or written; nothing is said of any single file then."""

    status = 503
    detail = "The files cannot be reached at this moment. Nothing was changed; try again shortly."


class StoredFileDiffers(DomainError):
    """Where a new file belongs, another one lies, or the new one is no longer what was written down of it."""

    status = 409
    detail = "Another file lies where {key} belongs. It was left alone; an administrator has to look at the store."


class InternalError(DomainError):
    """Something the application did not foresee; the log has it."""

    status = 500
    detail = "Something went wrong on the server. Nothing of this request was kept."
