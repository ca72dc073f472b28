"""HTTP of submissions."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from curation.core.api.files import answer_file
from curation.core.api.operations import operation
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest
from curation.people.rules import MEMBERS
from evaluation.submissions import queries, services
from evaluation.submissions.api import serializers as s


class OpenReleasesView(OperationView):
    """The releases that may be answered."""

    @operation("submission_releases", MEMBERS, shows="submission release")
    @extend_schema(responses=s.OpenRelease(many=True))
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List the frozen releases that predictions are taken for, newest first."""
        return Response(s.OpenRelease(queries.open_releases(request.user, benchmark), many=True).data)


class SubmissionsView(OperationView):
    """Predictions against a release."""

    parser_classes = [MultiPartParser]

    @operation(
        "submission_list", reaches(own="all", administer="all", member="own"), shows="submission", query=PageInput
    )
    @extend_schema(parameters=[PageInput], responses=s.SubmissionPage)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """List one's own, or for heads everybody's, newest first; and say what is asked."""
        given = {"cursor": None, **PageInput.parse(request.query_params.dict())}
        return self.answer(s.SubmissionPage, queries.submissions_page(request.user, release_id, **given))

    @operation("submission_create", MEMBERS, changes="submission")
    @extend_schema(request={"multipart/form-data": s.SubmissionInput}, responses={201: s.SubmissionDetail})
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Hand a file in; a job scores it."""
        given = s.SubmissionInput.parse_form(request.data)
        file = given.pop("file")
        made = services.create_submission(
            actor=request.user, release_id=release_id, blocks=file.chunks(), name=file.name, **given
        )
        told = queries.submission_detail(request.user, made.pk, "submission_create")
        return self.answer(s.SubmissionDetail, told, status=201)


class TemplateView(OperationView):
    """What a file is to hold."""

    @operation("submission_template", MEMBERS)
    @extend_schema(responses={(200, "application/jsonl"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int) -> HttpResponse:
        """Download every row that is expected, its response left empty."""
        file = queries.template(request.user, release_id)
        answer = HttpResponse(file.content, content_type="application/jsonl; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{file.name}"'
        return answer


class SubmissionView(OperationView):
    """One file that was handed in."""

    @operation("submission_show", reaches(own="all", administer="all", member="own"), shows="submission")
    @extend_schema(responses=s.SubmissionDetail)
    def get(self, request: PersonRequest, submission_id: int) -> Response:
        """Show it with its report."""
        return self.answer(s.SubmissionDetail, queries.submission_detail(request.user, submission_id))


class FileView(OperationView):
    """The file itself."""

    @operation("submission_file", reaches(own="all", administer="all", member="own"))
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, submission_id: int) -> HttpResponseBase:
        """Download what was handed in, byte for byte."""
        found = services.file_to_send(actor=request.user, submission_id=submission_id)
        return answer_file(
            request, found.key, sha256=found.sha256, media_type="application/octet-stream", name=found.name
        )


class ListOnView(OperationView):
    """Showing it."""

    @operation("submission_list_on", reaches(own="all", administer="all", member="own"), changes="submission")
    @extend_schema(request=ClientKeyInput, responses=s.SubmissionDetail)
    def post(self, request: PersonRequest, submission_id: int) -> Response:
        """Put it on the leaderboard."""
        given = ClientKeyInput.parse(request.data)
        services.list_submission(actor=request.user, submission_id=submission_id, listed=True, **given)
        return self.answer(s.SubmissionDetail, queries.submission_detail(request.user, submission_id, self.operation))


class ListOffView(OperationView):
    """Not showing it."""

    @operation("submission_list_off", reaches(own="all", administer="all", member="own"), changes="submission")
    @extend_schema(request=ClientKeyInput, responses=s.SubmissionDetail)
    def post(self, request: PersonRequest, submission_id: int) -> Response:
        """Take it off the leaderboard."""
        given = ClientKeyInput.parse(request.data)
        services.list_submission(actor=request.user, submission_id=submission_id, listed=False, **given)
        return self.answer(s.SubmissionDetail, queries.submission_detail(request.user, submission_id, self.operation))
