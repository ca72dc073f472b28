"""Limits on requests that need no session."""

from __future__ import annotations

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView


class LinkTries(SimpleRateThrottle):
    """Limits the requests a minute from one address, for everything that is open without signing in."""

    scope = "links"

    def get_rate(self) -> str:
        """The limit of the settings."""
        return f"{settings.LINK_TRIES_PER_MINUTE}/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """One count for each address, signed in or not; a client cannot choose its address by a header."""
        return self.cache_format % {"scope": self.scope, "ident": get_ip(request)}
