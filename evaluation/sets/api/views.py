"""HTTP of item sets."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from curation.core.api.files import answer_picture
from curation.core.api.operations import operation, query
from curation.core.api.views import OperationView
from curation.people.access import benchmark_for
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, STAFF
from evaluation.sets import access, queries, services
from evaluation.sets.api import serializers as s
from evaluation.sets.errors import SetFileTooLarge
from evaluation.sets.services import File
from evaluation.sets.shapes import SetDetail


class SetsView(OperationView):
    """The item sets of a benchmark."""

    refusals = (507,)  # no room on the disk
    parser_classes = [MultiPartParser]
    file_limit = ("SET_LIMIT_BYTES", SetFileTooLarge)

    get = query("set_list", queries.set_list, STAFF, shows="set")

    @operation(
        "set_create",
        ADMINISTRATORS,
        body={"multipart/form-data": s.SetInput},
        answer=SetDetail,
        status=201,
        changes="set",
    )
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Store the files of another benchmark; a job reads them."""
        benchmark_for(request.user, benchmark_slug, "set_create")  # before the body is read
        fields = s.SetInput.parse_form(request.data)
        gold, *others = (fields.pop(name, None) for name in ("gold", "pictures", "dialogues"))
        pictures, dialogues = (None if file is None else File(file.name, file.chunks()) for file in others)
        row = services.create_set(
            actor=request.user,
            benchmark_slug=benchmark_slug,
            gold=File(gold.name, gold.chunks()),
            pictures=pictures,
            dialogues=dialogues,
            **fields,
        )
        request.user.answer_under(self.operation)
        return Response(queries.created_set(request.user, row), status=201)


class SetPictureView(OperationView):
    """A picture of a set."""

    @operation("set_picture", STAFF)
    @extend_schema(exclude=True)
    def get(self, request: PersonRequest, set_id: int, picture_id: int) -> HttpResponseBase:
        """Send the bytes, or 304 if the browser has them; it asks each time, and no other cache keeps them."""
        picture = access.picture_for(request.user, set_id, picture_id)
        return answer_picture(request, picture.key, sha256=picture.sha256, caching="no-cache")


class SetView(OperationView):
    """One item set."""

    get = query("set_show", queries.set_detail, STAFF, shows="set run")
