"""Addresses of runs."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest
from evaluation.runs import queries
from evaluation.runs.api.serializers import AcceptanceRun


class RunsView(Operation):
    """What systems make of accepted work as it comes."""

    operations: ClassVar = {"GET": "run_list"}

    @extend_schema(responses=AcceptanceRun(many=True))
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List the benchmark's rolling runs with how far they are."""
        rows = queries.acceptance_runs(request.user, benchmark, self.operation)
        return Response(AcceptanceRun(rows, many=True).data)
