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
from evaluation.runs.rules import Grid
from evaluation.runs.shapes import RunPlan, RunRow, RunsStarted


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
    @operation("set_run_start", ADMINISTRATORS, body=s.GridStartInput, answer=RunsStarted, changes="run system set")
    def post(self, request: PersonRequest, set_id: int) -> Response:
        """Test systems on an item set in a grid of settings; where such a run is open, that one is returned."""
        body = s.GridStartInput.parse(request.data)
        client_key = body.pop("client_key")
        started = services.start_set_runs(actor=request.user, set_id=set_id, grid=Grid(**body), client_key=client_key)
        request.user.answer_under(self.operation)
        runs = queries.started_runs(request.user, started.benchmark_slug, started.run_ids)
        answer: RunsStarted = {"runs": runs, "created": started.created}
        return Response(answer, status=201 if started.created else 200)


class SetRunPlanView(OperationView):
    """What starting runs over an item set does."""

    # A read with a body, because the choices may be too long for an address.
    @operation("set_run_plan", ADMINISTRATORS, body=s.GridInput, answer=RunPlan, shows="run system set budget offer")
    def post(self, request: PersonRequest, set_id: int) -> Response:
        """Tell what each cell of a grid asks, costs at most and takes, and why it cannot be started."""
        grid = Grid(**s.GridInput.parse(request.data))
        return Response(services.plan_set_runs(request.user, set_id, grid=grid))


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
