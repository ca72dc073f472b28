"""HTTP of runs."""

from __future__ import annotations

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


class RunView(OperationView):
    """One run."""

    get = query("run_show", queries.run_detail, STAFF, shows="run")


class FailuresView(OperationView):
    """The failed inputs of a run."""

    get = query("run_failures", queries.failures, STAFF, parameters=s.FailureListInput, shows="run")


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
