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

    @operation("run_list", STAFF, shows="run", query=s.RunListInput)
    @extend_schema(parameters=[s.RunListInput], responses=s.RunRow(many=True))
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List rolling runs and runs over releases with how far they are, newest first."""
        given = s.RunListInput.parse(request.query_params.dict())
        rows = queries.run_list(request.user, benchmark, self.operation, release_id=given.get("release"))
        return Response(s.RunRow(rows, many=True).data)

    @operation("run_start", ADMINISTRATORS, changes="run system")
    @extend_schema(request=s.RunStartInput, responses={201: s.RunRow, 200: s.RunRow})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Put a system to a test over a release; while such a run is open that one is answered."""
        given = s.RunStartInput.parse(request.data)
        started = services.start_run(
            actor=request.user,
            benchmark_slug=benchmark,
            system_slug=given["system"],
            suite_name=given["suite"],
            release_id=given["release"],
            client_key=given["client_key"],
        )
        row = queries.run_row(request.user, started.run_id, self.operation)
        return self.answer(s.RunRow, row, status=201 if started.made else 200)


class RunView(OperationView):
    """One run."""

    @operation("run_show", STAFF, shows="run")
    @extend_schema(responses=s.RunDetail)
    def get(self, request: PersonRequest, run_id: int) -> Response:
        """Show it with its settings and what it was carried out with."""
        return self.answer(s.RunDetail, queries.run_detail(request.user, run_id, self.operation))


class FailuresView(OperationView):
    """What a run could not answer."""

    @operation("run_failures", STAFF, shows="run", query=s.FailureListInput)
    @extend_schema(parameters=[s.FailureListInput], responses=s.FailurePage)
    def get(self, request: PersonRequest, run_id: int) -> Response:
        """List it by item."""
        given = {"cursor": None, "code": None, **s.FailureListInput.parse(request.query_params.dict())}
        return self.answer(s.FailurePage, queries.failures(request.user, run_id, self.operation, **given))


class PauseView(OperationView):
    """Holding a run."""

    @operation("run_pause", ADMINISTRATORS, changes="run")
    @extend_schema(request=ClientKeyInput, responses=s.RunRow)
    def post(self, request: PersonRequest, run_id: int) -> Response:
        """Hold it; workers stop after the chunk in hand."""
        given = ClientKeyInput.parse(request.data)
        services.pause_run(actor=request.user, run_id=run_id, client_key=given["client_key"])
        return self.answer(s.RunRow, queries.run_row(request.user, run_id, self.operation))


class ResumeView(OperationView):
    """Going on with a run."""

    @operation("run_resume", ADMINISTRATORS, changes="run")
    @extend_schema(request=ClientKeyInput, responses=s.RunRow)
    def post(self, request: PersonRequest, run_id: int) -> Response:
        """Go on with a run that was held."""
        given = ClientKeyInput.parse(request.data)
        services.resume_run(actor=request.user, run_id=run_id, client_key=given["client_key"])
        return self.answer(s.RunRow, queries.run_row(request.user, run_id, self.operation))


class CancelView(OperationView):
    """Giving a run up."""

    @operation("run_cancel", ADMINISTRATORS, changes="run")
    @extend_schema(request=ClientKeyInput, responses=s.RunRow)
    def post(self, request: PersonRequest, run_id: int) -> Response:
        """Give it up for good; what it has answered stays."""
        given = ClientKeyInput.parse(request.data)
        services.cancel_run(actor=request.user, run_id=run_id, client_key=given["client_key"])
        return self.answer(s.RunRow, queries.run_row(request.user, run_id, self.operation))


class RetryView(OperationView):
    """Trying again what failed."""

    @operation("run_retry", ADMINISTRATORS, changes="run")
    @extend_schema(request=ClientKeyInput, responses=s.RunRow)
    def post(self, request: PersonRequest, run_id: int) -> Response:
        """Try again what the system could not answer, and a job that failed at once."""
        given = ClientKeyInput.parse(request.data)
        services.retry_run(actor=request.user, run_id=run_id, client_key=given["client_key"])
        return self.answer(s.RunRow, queries.run_row(request.user, run_id, self.operation))
