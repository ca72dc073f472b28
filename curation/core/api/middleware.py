"""Headers of every response."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

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
