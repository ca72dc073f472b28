"""Picture files over HTTP.

They are served from here and not from ``curation.images`` because an annotator's access depends on their work.
"""

from __future__ import annotations

import logging

from django.http import HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags
from drf_spectacular.utils import extend_schema

from annotation.tracks.access import holds_picture
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
    """A picture's cleaned file; the file at an address never changes, so browsers may cache it."""

    @operation("media_show", PICTURE_VIEWERS | reaches(annotate="assigned", verify="assigned", collect="team"))
    @extend_schema(exclude=True)
    def get(self, request: PersonRequest, image: int, rendition: int, role: str, extension: str) -> HttpResponseBase:
        """Send the bytes, or 304 if the browser has them."""
        file = rendition_for(request.user, image, rendition, role, assigned=holds_picture)
        if not file.key.endswith(f".{extension}"):
            raise NotFound
        response = self._answer(file, request)
        response.headers["ETag"] = f'"{file.sha256}"'
        response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
        response.headers["X-Content-Type-Options"] = "nosniff"
        # If the file is opened in a tab, it cannot run scripts or load anything, whatever its content.
        response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox; frame-ancestors 'none'"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response

    def _answer(self, file: Rendition, request: PersonRequest) -> HttpResponseBase:
        if f'"{file.sha256}"' in parse_etags(request.headers.get("If-None-Match", "")):
            return HttpResponseNotModified()
        media_type = TYPES[file.key.rpartition(".")[2]]
        try:
            return answer_file(request, file.key, sha256=file.sha256, media_type=media_type)
        except FileNotFoundError as error:
            log.exception("the file of rendition %s is missing", file.pk)
            raise NotFound from error
