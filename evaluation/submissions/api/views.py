"""HTTP of submissions."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from curation.core.api.files import answer_file
from curation.core.api.operations import command, operation, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest
from curation.people.rules import HEADS, SUBMITTERS
from evaluation.submissions import queries, services
from evaluation.submissions.access import available_release_open_to, check_submitter
from evaluation.submissions.api import serializers as s
from evaluation.submissions.errors import SubmissionTooLarge
from evaluation.submissions.shapes import SubmissionDetail

# Owners and administrators read all submissions, members and outsiders those of their crew.
_READERS = reaches(own="all", administer="all", member="own", outsider="own")
# Who submitted decides whether the leaderboard lists it; administrators may hide it.
_OWN = reaches(member="own", outsider="own")


class OpenReleasesView(OperationView):
    """The releases that take submissions."""

    get = query("submission_releases", queries.open_releases, SUBMITTERS, shows="submission release")


class SubmissionsView(OperationView):
    """Submissions for a release."""

    refusals = (507,)  # no room on the disk
    parser_classes = [MultiPartParser]
    file_limit = ("SUBMISSION_LIMIT_BYTES", SubmissionTooLarge)

    get = query(
        "submission_list", queries.submissions_page, _READERS, parameters=s.SubmissionsInput, shows="submission"
    )

    @operation(
        "submission_create",
        SUBMITTERS,
        body={"multipart/form-data": s.SubmissionInput},
        answer=SubmissionDetail,
        status=201,
        changes="submission",
    )
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Submit a file of predictions; a job scores it."""
        # Before the body is read.
        release = available_release_open_to(request.user, release_id, "submission_create")
        check_submitter(request.user, release.benchmark_id)
        fields = s.SubmissionInput.parse_form(request.data)
        file = fields.pop("file")
        submission = services.create_submission(
            actor=request.user, release_id=release_id, blocks=file.chunks(), name=file.name, **fields
        )
        request.user.answer_under(self.operation)
        return Response(queries.changed_submission(request.user, submission), status=201)


class TemplateView(OperationView):
    """The template of a file of predictions."""

    @operation("submission_template", SUBMITTERS, query=s.KindInput)
    @extend_schema(parameters=[s.KindInput], responses={(200, "application/jsonl"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int) -> HttpResponse:
        """Download the expected rows with empty responses."""
        parameters = s.KindInput.parse(request.query_params.dict())
        file = queries.template(request.user, release_id, **parameters)
        answer = HttpResponse(file.content, content_type="application/jsonl; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{file.name}"'
        return answer


class SubmissionView(OperationView):
    """One submission."""

    get = query("submission_show", queries.submission_detail, _READERS, shows="submission")


class FileView(OperationView):
    """A submission's file."""

    @operation("submission_file", _READERS)
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, submission_id: int) -> HttpResponseBase:
        """Download the submitted file, byte for byte."""
        submission = services.submission_to_download(actor=request.user, submission_id=submission_id)
        return answer_file(
            request,
            submission.key,
            sha256=submission.sha256,
            media_type="application/octet-stream",
            name=submission.name,
        )


class ListOnView(OperationView):
    """Listing a submission."""

    post = command(
        "submission_list_on",
        services.list_submission,
        ClientKeyInput,
        _OWN,
        then=queries.changed_submission,
        changes="submission",
    )


class ListOffView(OperationView):
    """Unlisting a submission."""

    post = command(
        "submission_list_off",
        services.unlist_submission,
        ClientKeyInput,
        _OWN,
        then=queries.changed_submission,
        changes="submission",
    )


class HideView(OperationView):
    """Taking a submission off the leaderboard, with a reason."""

    post = command(
        "submission_hide",
        services.hide_submission,
        s.HideInput,
        HEADS,
        then=queries.changed_submission,
        changes="submission",
    )


class UnhideView(OperationView):
    """Letting a submission be listed again."""

    post = command(
        "submission_unhide",
        services.unhide_submission,
        ClientKeyInput,
        HEADS,
        then=queries.changed_submission,
        changes="submission",
    )
