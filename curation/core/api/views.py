"""Base of all views, and the one place where errors become answers."""

from __future__ import annotations

import logging
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.core import errors

log = logging.getLogger(__name__)


class Operation(APIView):
    """A view of one address; ``operations`` names what each HTTP method does.

    The names are operation ids of the OpenAPI document and keys of the permission table.
    """

    operations: ClassVar[dict[str, str]] = {}

    @property
    def operation(self) -> str:
        """The operation of the request in hand."""
        return self.operations[self.request.method or "GET"]


def to_body(error: errors.DomainError) -> dict[str, Any]:
    """The JSON of a refusal."""
    return {"code": error.code, "params": error.params, "detail": str(error), **error.extra}


def answer_error(raised: Exception, context: dict[str, Any]) -> Response:
    """Turn whatever a view raised into ``{code, params, detail}``; DRF's exception handler."""
    error = _as_domain_error(raised)
    if isinstance(error, errors.InternalError):
        log.error("unforeseen error in %s", context.get("view"), exc_info=raised)
    response = Response(to_body(error), status=error.status)
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
    return errors.InternalError()


def csrf_failure(request: HttpRequest, reason: str = "") -> JsonResponse:
    """Answer a missing anti-forgery token like every other refusal."""
    error = errors.CsrfFailed()
    return JsonResponse(to_body(error), status=error.status)
