"""HTTP of imports."""

from __future__ import annotations

from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from annotation.imports import queries, services
from annotation.imports.api import serializers as s
from annotation.imports.errors import ImportTooLarge
from annotation.imports.shapes import ImportDetail
from curation.core.api.operations import operation, query
from curation.core.api.pages import PageInput
from curation.core.api.views import OperationView
from curation.people.access import benchmark_for
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, HEADS


class ImportsView(OperationView):
    """Files with texts that were written elsewhere."""

    refusals = (507,)  # no room on the disk
    parser_classes = [MultiPartParser]
    file_limit = ("IMPORT_LIMIT_BYTES", ImportTooLarge)

    get = query("import_list", queries.import_page, HEADS, parameters=PageInput, shows="import")

    @operation(
        "import_create",
        ADMINISTRATORS,
        body={"multipart/form-data": s.ImportFileInput},
        answer=ImportDetail,
        status=201,
        changes="import",
    )
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Upload a file; a job imports its rows."""
        benchmark_for(request.user, benchmark_slug, "import_create")  # before the body is read
        fields = s.ImportFileInput.parse_form(request.data)
        file = fields.pop("file")
        imported = services.create_import(
            actor=request.user, benchmark_slug=benchmark_slug, blocks=file.chunks(), name=file.name, **fields
        )
        return Response(queries.import_answer(imported), status=201)


class ImportView(OperationView):
    """One imported file."""

    get = query("import_show", queries.import_detail, HEADS, shows="import")


class ImportRowsView(OperationView):
    """The rows of an imported file."""

    get = query("import_rows", queries.row_page, HEADS, parameters=s.ImportRowsInput, shows="import")
