"""The base of all views, and the conversion of exceptions to error responses."""

from __future__ import annotations

import logging
import sys
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import Error as DatabaseFault
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.core import errors
from curation.core.api.operations import declared_methods
from curation.core.api.serializers import Input, serializer_of

log = logging.getLogger(__name__)
# Seconds; a database that restarts is available again after a few.
RETRY_AFTER = "2"


class StrictView(APIView):
    """A view that always answers JSON, and refuses unknown query parameters.

    ``query`` describes the parameters of GET; other methods have none besides their body.
    """

    query: ClassVar[type[Input]] = Input
    # Error statuses besides those of every operation (``curation.core.api.schema``).
    refusals: ClassVar[tuple[int, ...]] = ()
    # Of views that accept a form with a file: the setting with the file's limit, and the error for a larger one.
    file_limit: ClassVar[tuple[str, type[errors.DomainError]] | None] = None
    # The view reads the body in blocks and checks its length itself.
    streams_body: ClassVar[bool] = False

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[BaseRenderer, str]:
        """Choose JSON, even for a browser that accepts only HTML."""
        return super().perform_content_negotiation(request, force=True)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the query parameters after the permission check.

        Raises:
            InvalidInput: A parameter is unknown or repeated.
            NotFound: The address names something with NUL, which PostgreSQL cannot look up.
        """
        super().initial(request, *args, **kwargs)
        if any("\0" in value for value in kwargs.values() if isinstance(value, str)):
            raise errors.NotFound
        known = set(serializer_of(self.query).fields) if request.method == "GET" else set()
        faults = {name: ["Unknown field."] for name in request.query_params if name not in known}
        faults |= {name: ["Repeated."] for name, values in request.query_params.lists() if len(values) > 1}
        if faults:
            raise errors.InvalidInput(fields=faults)


class OperationView(StrictView):
    """A view of one address whose methods carry out declared operations.

    ``operations`` names the operation of each HTTP method.
    """

    operations: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declared = dict(declared_methods(cls))
        cls.operations = {method: each.operation.name for method, each in declared.items()}
        if "GET" in declared:
            cls.query = declared["GET"].query or Input

    @property
    def operation(self) -> str:
        """The operation of the current request."""
        return self.operations[self.request.method or "GET"]


def to_body(error: errors.DomainError) -> dict[str, Any]:
    """The JSON of an error."""
    return {"code": error.code, "params": error.params, "detail": str(error), **error.extra}


def answer_error(raised: Exception, context: dict[str, Any]) -> Response:
    """Convert an exception of a view to ``{code, params, detail}``; REST framework's exception handler."""
    error = _as_domain_error(raised)
    if isinstance(error, errors.InternalError):
        log.error("unexpected error in %s", context.get("view"), exc_info=raised)
    response = Response(to_body(error), status=error.status)
    if isinstance(error, errors.DatabaseUnavailable | errors.StorageUnavailable):
        log.warning("%s in %s: %s", error.code, type(context.get("view")).__name__, type(raised).__name__)
        response["Retry-After"] = RETRY_AFTER
    if isinstance(error, errors.TooManyRequests):
        response["Retry-After"] = str(error.params["seconds"])
    return response


def _as_domain_error(raised: Exception) -> errors.DomainError:
    match raised:
        case errors.DomainError():
            return raised
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return errors.NotSignedIn()
        case exceptions.PermissionDenied() if "CSRF" in str(raised.detail):
            return errors.CsrfFailed()
        case exceptions.PermissionDenied() | PermissionDenied():
            return errors.OperationNotAllowed(operation="")
        case exceptions.NotFound() | Http404():
            return errors.NotFound()
        case exceptions.MethodNotAllowed():
            return errors.MethodNotAllowed(method=str(raised.detail).split('"')[1])
        case exceptions.Throttled():
            return errors.TooManyRequests(seconds=int(getattr(raised, "wait", None) or 1))
        case exceptions.ParseError() | exceptions.UnsupportedMediaType() | exceptions.ValidationError():
            return errors.InvalidInput(fields={"": [str(raised.detail)]})
        case RequestDataTooBig():
            return errors.BodyTooLarge(maximum=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        case SuspiciousOperation() | MultiPartParserError():
            # Django's sentences about suspicious requests name settings.
            sentence = str(raised) if isinstance(raised, MultiPartParserError) else "The request is not well-formed."
            return errors.InvalidInput(fields={"": [sentence]})
        case DatabaseFault() if _is_unavailable(raised):
            return errors.DatabaseUnavailable()
    return errors.InternalError()


def _is_unavailable(raised: DatabaseFault) -> bool:
    """Whether the database cannot be reached or shuts down, as opposed to an error of the statement.

    Then there is no SQLSTATE, or it is of class 08, 57P01 to 57P03, or 53300.
    """
    if not isinstance(raised, OperationalError | InterfaceError):
        return False
    code = getattr(raised.__cause__, "sqlstate", None)
    return code is None or code.startswith(("08", "57P0")) or code == "53300"


def csrf_failure(request: HttpRequest, reason: str = "") -> JsonResponse:
    """Answer a missing anti-forgery token like every other error."""
    error = errors.CsrfFailed()
    return JsonResponse(to_body(error), status=error.status)


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer errors that occur before any view, such as an unknown host name or a body that is too large."""
    error = errors.HostUnknown() if isinstance(exception, DisallowedHost) else _as_domain_error(exception)
    return JsonResponse(to_body(error), status=error.status)


def page_not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer an address that does not exist."""
    error = errors.NotFound()
    return JsonResponse(to_body(error), status=error.status)


def server_error(request: HttpRequest) -> JsonResponse:
    """Answer exceptions outside the API's views, such as those of authentication; Django has logged them."""
    raised = sys.exc_info()[1]
    error = _as_domain_error(raised) if isinstance(raised, DatabaseFault) else errors.InternalError()
    return JsonResponse(to_body(error), status=error.status)
