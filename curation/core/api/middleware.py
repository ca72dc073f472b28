"""Headers of every response, and bounds of every request's body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, JsonResponse, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware

from curation.core.api.views import StrictView, to_body
from curation.core.errors import BodyTooLarge, DomainError

_API_POLICY = "default-src 'none'; frame-ancestors 'none'"


class ResponseHeaders:
    """Adds the build and the browser's restrictions to every response, and keeps API responses out of caches.

    The first of all middlewares, so that files and errors have them too. By the build an outdated tab offers to reload.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_api = request.path.startswith(("/api/", "/_allauth/"))
        response.headers["X-Build"] = settings.BUILD
        response.headers["X-Frame-Options"] = "DENY"
        response.headers.setdefault(
            "Content-Security-Policy", _API_POLICY if is_api else settings.CONTENT_SECURITY_POLICY
        )
        if is_api:
            response.headers.setdefault("Cache-Control", "no-store")
        return response


class BodyLimit:
    """Refuses a body that is longer than its address reads, by the announced length and before anything reads it.

    Without ``Content-Length`` Django reads no body at all. Views with ``streams_body`` check the length themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: object, kwargs: object
    ) -> JsonResponse | None:
        """Answer 413 to a body that is too long."""
        try:
            announced = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            announced = 0  # as Django takes it
        view_class = getattr(view, "view_class", None)
        maximum = int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        error: DomainError = BodyTooLarge(maximum=maximum)
        if isinstance(view_class, type) and issubclass(view_class, StrictView):
            if view_class.streams_body:
                return None
            if view_class.file_limit is not None:
                setting, too_large = view_class.file_limit
                file_bytes = int(getattr(settings, setting))
                maximum += file_bytes  # the file and the form's other fields
                error = too_large(maximum=file_bytes)
        return JsonResponse(to_body(error), status=error.status) if announced > maximum else None


class HeaderCsrf(CsrfViewMiddleware):
    """Takes the anti-forgery token from the header ``X-CSRFToken`` only.

    Django looks in the form first, for which it writes the files of a stranger's form to the disk. No page here has
    such a form. API views parse a form themselves, after the permission check.
    """

    def process_view(self, request: HttpRequest, *args: Any) -> Any:
        """Check the token; the form counts as empty."""
        request.POST = QueryDict()
        return super().process_view(request, *args)
