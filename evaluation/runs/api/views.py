"""HTTP of runs."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.operations import command, operation, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, STAFF
from evaluation.runs import queries, services
from evaluation.runs.api import serializers as s
from evaluation.runs.shapes import RunRow


class RunsView(OperationView):
    """The runs of a benchmark."""

    get = query("run_list", queries.run_list, STAFF, parameters=s.RunListInput, shows="run release item")

    @extend_schema(responses={201: None, 200: None})
    @operation("run_start", ADMINISTRATORS, body=s.RunStartInput, answer=RunRow, changes="run system")
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Test a system on a release; if such a run is open, that one is returned."""
        body = s.RunStartInput.parse(request.data)
        started = services.start_run(
            actor=request.user,
            benchmark_slug=benchmark_slug,
            system_slug=body["system"],
            suite_name=body["suite"],
            release_id=body["release"],
            client_key=body["client_key"],
        )
        request.user.answer_under(self.operation)
        return Response(queries.run_row(request.user, started.run_id), status=201 if started.created else 200)


class SetRunsView(OperationView):
    """Starting runs over an item set."""

    @extend_schema(responses={201: None, 200: None})
    @operation("set_run_start", ADMINISTRATORS, body=s.SetRunInput, answer=RunRow, changes="run system set")
    def post(self, request: PersonRequest, set_id: int) -> Response:
        """Test a system on an item set in one setting; if such a run is open, that one is returned."""
        body = s.SetRunInput.parse(request.data)
        system, client_key = body.pop("system"), body.pop("client_key")
        started = services.start_set_run(
            actor=request.user, set_id=set_id, system=system, chosen=services.Chosen(**body), client_key=client_key
        )
        request.user.answer_under(self.operation)
        return Response(queries.run_row(request.user, started.run_id), status=201 if started.created else 200)


class RunView(OperationView):
    """One run."""

    get = query("run_show", queries.run_detail, STAFF, shows="run")


class FailuresView(OperationView):
    """The failed inputs of a run."""

    get = query("run_failures", queries.failures, STAFF, parameters=s.FailureListInput, shows="run")


class PredictionsView(OperationView):
    """The predictions of a run over an item set."""

    @operation("run_predictions", STAFF)
    @extend_schema(responses={(200, "application/jsonl"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, run_id: int) -> StreamingHttpResponse:
        """Download the predictions of a run over an item set, as a file that the profiles of its suite read."""
        name, lines = queries.predictions_file(request.user, run_id)
        answer = StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer


class PauseView(OperationView):
    """Pausing a run."""

    post = command(
        "run_pause", services.pause_run, ClientKeyInput, ADMINISTRATORS, then=queries.changed_run, changes="run"
    )


class ResumeView(OperationView):
    """Resuming a run."""

    post = command(
        "run_resume", services.resume_run, ClientKeyInput, ADMINISTRATORS, then=queries.changed_run, changes="run"
    )


class CancelView(OperationView):
    """Cancelling a run."""

    post = command(
        "run_cancel", services.cancel_run, ClientKeyInput, ADMINISTRATORS, then=queries.changed_run, changes="run"
    )


class RetryView(OperationView):
    """Retrying what failed."""

    post = command(
        "run_retry", services.retry_run, ClientKeyInput, ADMINISTRATORS, then=queries.changed_run, changes="run"
    )
