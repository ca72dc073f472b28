"""HTTP of imports."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from annotation.imports import queries, services
from annotation.imports.api import serializers as s
from curation.core.api.operations import operation
from curation.core.api.pages import PageInput
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, HEADS


class ImportsView(OperationView):
    """Files of work that was done elsewhere."""

    parser_classes = [MultiPartParser]

    @operation("import_list", HEADS, shows="import", query=PageInput)
    @extend_schema(parameters=[PageInput], responses=s.ImportPage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List them, newest first."""
        given = {"cursor": None, **PageInput.parse(request.query_params.dict())}
        return self.answer(s.ImportPage, queries.import_page(request.user, benchmark, **given))

    @operation("import_create", ADMINISTRATORS, changes="import")
    @extend_schema(request={"multipart/form-data": s.ImportFileInput}, responses={201: s.ImportDetail})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Take a file; a job reads it."""
        given = s.ImportFileInput.parse_form(request.data)
        file = given.pop("file")
        made = services.create_import(
            actor=request.user, benchmark_slug=benchmark, blocks=file.chunks(), name=file.name, **given
        )
        return self.answer(s.ImportDetail, queries.import_json(request.user, made.pk, "import_create"), status=201)


class ImportView(OperationView):
    """One file."""

    @operation("import_show", HEADS, shows="import")
    @extend_schema(responses=s.ImportDetail)
    def get(self, request: PersonRequest, import_id: int) -> Response:
        """Show how far it is."""
        return self.answer(s.ImportDetail, queries.import_json(request.user, import_id))


class ImportRowsView(OperationView):
    """What became of a file's rows."""

    @operation("import_rows", HEADS, shows="import", query=s.ImportRowsInput)
    @extend_schema(parameters=[s.ImportRowsInput], responses=s.ImportReportPage)
    def get(self, request: PersonRequest, import_id: int) -> Response:
        """List them in the order of the file."""
        given = {"cursor": None, "outcome": None, **s.ImportRowsInput.parse(request.query_params.dict())}
        return self.answer(s.ImportReportPage, queries.row_page(request.user, import_id, **given))
