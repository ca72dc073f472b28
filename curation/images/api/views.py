"""HTTP of pictures."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import Operation
from curation.images import queries, services
from curation.images.api import serializers as s
from curation.images.errors import ImageTooLarge
from curation.people.api.requests import PersonRequest

# What a form adds to the file: names, boundaries, the other fields.
FORM_BYTES = 100_000


class ImagesView(Operation):
    """The pictures of a benchmark."""

    operations = {"GET": "image_list", "POST": "image_upload"}
    query = s.ImagesInput
    parser_classes = (MultiPartParser,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what is too large by its announced length, before anybody reads the body."""
        length = str(request.META.get("CONTENT_LENGTH") or "")
        announced = int(length) if length.isdecimal() else 0
        if announced > settings.UPLOAD_LIMIT_BYTES + FORM_BYTES:
            raise ImageTooLarge(bytes=announced, maximum=settings.UPLOAD_LIMIT_BYTES)
        super().initial(request, *args, **kwargs)

    @extend_schema(parameters=[s.ImagesInput], responses=s.ImagePage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List pictures, newest first."""
        given = {"state": None, "category": None, "cursor": None, **s.ImagesInput.parse(request.query_params.dict())}
        return Response(s.ImagePage(queries.image_page(request.user, benchmark, **given)).data)

    @extend_schema(request=s.UploadInput, responses={201: s.ImageRow, 200: s.ImageRow})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Take in a picture; 200 where an earlier try with the same key had brought it."""
        given = s.UploadInput.parse(request.data)
        upload = services.upload_image(actor=request.user, benchmark_slug=benchmark, **given)
        image = queries.described(request.user, upload.image_id)
        return Response(s.ImageRow(image).data, status=200 if upload.replayed else 201)


class ImageView(Operation):
    """One picture."""

    operations = {"GET": "image_show"}

    @extend_schema(responses=s.ImageAnswer)
    def get(self, request: PersonRequest, image: int) -> Response:
        """Show a picture with its files and decisions."""
        return Response(s.ImageAnswer(queries.image_detail(request.user, image)).data)


class JudgeView(Operation):
    """Deciding on a picture."""

    operations = {"POST": "image_judge"}

    @extend_schema(request=s.JudgeInput, responses=s.ImageRow)
    def post(self, request: PersonRequest, image: int) -> Response:
        """Accept or refuse."""
        judged = services.judge_image(actor=request.user, image_id=image, **s.JudgeInput.parse(request.data))
        return Response(s.ImageRow(queries.described(request.user, judged)).data)


class ClearView(Operation):
    """The mark that a picture shows nothing personal."""

    operations = {"POST": "image_clear"}

    @extend_schema(request=ClientKeyInput, responses=s.ImageRow)
    def post(self, request: PersonRequest, image: int) -> Response:
        """Set the mark."""
        given = ClientKeyInput.parse(request.data)
        cleared = services.clear_personal_information(actor=request.user, image_id=image, **given)
        return Response(s.ImageRow(queries.described(request.user, cleared)).data)
