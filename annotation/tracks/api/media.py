"""Picture files over HTTP.

They are served from here and not from ``curation.images`` because an annotator's access depends on their work.
"""

from __future__ import annotations

from typing import Final

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema

from annotation.tracks.access import holds_picture
from curation.core.api.files import answer_picture
from curation.core.api.operations import operation
from curation.core.api.views import OperationView
from curation.core.errors import NotFound
from curation.core.operations import reaches
from curation.images.access import caching_of, rendition_for
from curation.images.services import record_exposure
from curation.people.api.requests import PersonRequest
from curation.people.rules import PICTURE_VIEWERS

# Who clicks or answers sees the pictures of their seats and dialogues, and who questioned that of a finished one.
_THEIR_WORK: Final = reaches(
    annotate="assigned", verify="assigned", click="assigned", answer="assigned", question="assigned"
)


class MediaView(OperationView):
    """A picture's cleaned file. The file at an address never changes, but is destroyed when something is covered."""

    @operation("media_show", PICTURE_VIEWERS | _THEIR_WORK | reaches(collect="team"))
    @extend_schema(exclude=True)
    def get(self, request: PersonRequest, image: int, rendition: int, role: str, extension: str) -> HttpResponseBase:
        """Send the bytes, or 304 if the browser has them."""
        file = rendition_for(request.user, image, rendition, role, assigned=holds_picture)
        if not file.key.endswith(f".{extension}"):
            raise NotFound
        record_exposure(request.user, file.image)
        return answer_picture(request, file.key, sha256=file.sha256, caching=caching_of(file.image))
