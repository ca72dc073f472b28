"""HTTP of runs."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.operations import operation
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, STAFF
from evaluation.runs import queries, services
from evaluation.runs.api import serializers as s


class RunsView(OperationView):
    """The runs of a benchmark."""

    @operation("run_list", STAFF, shows="run release item", query=s.RunListInput)
    @extend_schema(parameters=[s.RunListInput], responses=s.RunRow(many=True))
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List rolling runs and runs over releases with their progress, newest first."""
        filters = s.RunListInput.parse(request.query_params.dict())
        rows = queries.run_list(request.user, benchmark, self.operation, release_id=filters.get("release"))
        return Response(s.RunRow(rows, many=True).data)

    @operation("run_start", ADMINISTRATORS, changes="run system")
    @extend_schema(request=s.RunStartInput, responses={201: s.RunRow, 200: s.RunRow})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Test a system on a release; if such a run is open, that one is returned."""
        body = s.RunStartInput.parse(request.data)
        started = services.start_run(
            actor=request.user,
            benchmark_slug=benchmark,
            system_slug=body["system"],
            suite_name=body["suite"],
            release_id=body["release"],
            client_key=body["client_key"],
        )
        row = queries.run_row(request.user, started.run_id, self.operation)
        return self.answer(s.RunRow, row, status=201 if started.created else 200)


class RunView(OperationView):
    """One run."""

    @operation("run_show", STAFF, shows="run")
    @extend_schema(responses=s.RunDetail)
    def get(self, request: PersonRequest, run_id: int) -> Response:
        """Show it with its settings and its workers' environments."""
        return self.answer(s.RunDetail, queries.run_detail(request.user, run_id, self.operation))


class FailuresView(OperationView):
    """The failed inputs of a run."""

    @operation("run_failures", STAFF, shows="run", query=s.FailureListInput)
    @extend_schema(parameters=[s.FailureListInput], responses=s.FailurePage)
    def get(self, request: PersonRequest, run_id: int) -> Response:
        """List them by item."""
        filters = {"cursor": None, "code": None, **s.FailureListInput.parse(request.query_params.dict())}
        return self.answer(s.FailurePage, queries.failures(request.user, run_id, self.operation, **filters))


class PauseView(OperationView):
    """Pausing a run."""

    @operation("run_pause", ADMINISTRATORS, changes="run")
    @extend_schema(request=ClientKeyInput, responses=s.RunRow)
    def post(self, request: PersonRequest, run_id: int) -> Response:
        """Pause it; workers stop after the chunk in hand."""
        body = ClientKeyInput.parse(request.data)
        services.pause_run(actor=request.user, run_id=run_id, client_key=body["client_key"])
        return self.answer(s.RunRow, queries.run_row(request.user, run_id, self.operation))


class ResumeView(OperationView):
    """Resuming a run."""

    @operation("run_resume", ADMINISTRATORS, changes="run")
    @extend_schema(request=ClientKeyInput, responses=s.RunRow)
    def post(self, request: PersonRequest, run_id: int) -> Response:
        """Resume a paused run."""
        body = ClientKeyInput.parse(request.data)
        services.resume_run(actor=request.user, run_id=run_id, client_key=body["client_key"])
        return self.answer(s.RunRow, queries.run_row(request.user, run_id, self.operation))


class CancelView(OperationView):
    """Cancelling a run."""

    @operation("run_cancel", ADMINISTRATORS, changes="run")
    @extend_schema(request=ClientKeyInput, responses=s.RunRow)
    def post(self, request: PersonRequest, run_id: int) -> Response:
        """Cancel it for good; its answers stay."""
        body = ClientKeyInput.parse(request.data)
        services.cancel_run(actor=request.user, run_id=run_id, client_key=body["client_key"])
        return self.answer(s.RunRow, queries.run_row(request.user, run_id, self.operation))


class RetryView(OperationView):
    """Retrying what failed."""

    @operation("run_retry", ADMINISTRATORS, changes="run")
    @extend_schema(request=ClientKeyInput, responses=s.RunRow)
    def post(self, request: PersonRequest, run_id: int) -> Response:
        """Retry the failed inputs, and at once the chunks that failed."""
        body = ClientKeyInput.parse(request.data)
        services.retry_run(actor=request.user, run_id=run_id, client_key=body["client_key"])
        return self.answer(s.RunRow, queries.run_row(request.user, run_id, self.operation))
