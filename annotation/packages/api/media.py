"""Picture files over HTTP.

They are served here and not with the pictures, because what an annotator may see depends on their packages.
"""

from __future__ import annotations

import logging

from django.http import HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags
from drf_spectacular.utils import extend_schema

from annotation.packages.access import holds_picture
from curation.core.api.files import answer_file
from curation.core.api.operations import operation
from curation.core.api.views import OperationView
from curation.core.errors import NotFound
from curation.core.operations import reaches
from curation.images.access import rendition_for
from curation.images.models import Rendition
from curation.people.api.requests import PersonRequest
from curation.people.rules import PICTURE_VIEWERS

log = logging.getLogger(__name__)

TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}


class MediaView(OperationView):
    """A picture's cleaned file; the address names a file that never changes, so browsers may keep it."""

    @operation("media_show", PICTURE_VIEWERS | reaches(annotate="assigned", collect="team"))
    @extend_schema(exclude=True)
    def get(self, request: PersonRequest, image: int, rendition: int, role: str, extension: str) -> HttpResponseBase:
        """Send the bytes, or 304 to who has them."""
        found = rendition_for(request.user, image, rendition, role, assigned=holds_picture)
        if not found.key.endswith(f".{extension}"):
            raise NotFound
        response = self._answer(found, request)
        response.headers["ETag"] = f'"{found.sha256}"'
        response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
        response.headers["X-Content-Type-Options"] = "nosniff"
        # Opened by itself in a tab, the file can do nothing at all, whatever a browser takes it for.
        response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox; frame-ancestors 'none'"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response

    def _answer(self, found: Rendition, request: PersonRequest) -> HttpResponseBase:
        if f'"{found.sha256}"' in parse_etags(request.headers.get("If-None-Match", "")):
            return HttpResponseNotModified()
        media_type = TYPES[found.key.rpartition(".")[2]]
        try:
            return answer_file(request, found.key, sha256=found.sha256, media_type=media_type)
        except FileNotFoundError as error:
            log.exception("the file of rendition %s is missing", found.pk)
            raise NotFound from error
