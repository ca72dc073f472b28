"""HTTP of scores."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema

from curation.core.api.operations import command, operation, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, STAFF
from evaluation.scoring import queries, services
from evaluation.scoring.api.serializers import ReportInput, ScoresInput


class ScoresView(OperationView):
    """What systems score on a release."""

    get = query("release_scores", queries.release_scores, STAFF, parameters=ScoresInput, shows="score release")


class ScoreView(OperationView):
    """Scoring on request."""

    post = command(
        "release_score",
        services.request_scores,
        ClientKeyInput,
        ADMINISTRATORS,
        then=queries.requested_scores,
        status=202,
        changes="score",
    )


class SetScoresView(OperationView):
    """What systems score on an item set."""

    get = query("set_scores", queries.set_scores, STAFF, shows="set run override")


class ReportView(OperationView):
    """A run's report."""

    @operation("run_report", STAFF, query=ReportInput)
    @extend_schema(parameters=[ReportInput], responses={(200, "application/json"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, run_id: int) -> HttpResponse:
        """Download the newest report of a run over an item set, byte for byte what the command prints."""
        name, text = queries.report_file(request.user, run_id, **ReportInput.parse(request.query_params.dict()))
        answer = HttpResponse(text, content_type="application/json; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer
