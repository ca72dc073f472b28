"""HTTP of leaderboards and samples."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.operations import operation
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import STAFF
from evaluation.leaderboards import queries
from evaluation.leaderboards.api import serializers as s

# An SVG is a document: shown by itself it may neither run nor load anything.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


class LeaderboardView(OperationView):
    """The systems of a release side by side."""

    @operation("leaderboard_show", STAFF, shows="score submission run", query=s.BoardQuery)
    @extend_schema(parameters=[s.BoardQuery], responses=s.Leaderboard)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """Show each system's newest complete scores, over everything and by group."""
        given = s.BoardQuery.parse(request.query_params.dict())
        found = queries.leaderboard(request.user, release_id, self.operation, **given)
        return Response(s.Leaderboard(found).data)


class ComparisonView(OperationView):
    """Two systems on the queries both were ranked on."""

    @operation("leaderboard_compare", STAFF, shows="score", query=s.ComparisonQuery)
    @extend_schema(parameters=[s.ComparisonQuery], responses=s.SystemsCompared)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """Compare two runs query by query, with pictures as the independent units."""
        given = s.ComparisonQuery.parse(request.query_params.dict())
        found = queries.comparison(request.user, release_id, self.operation, **given)
        return Response(s.SystemsCompared(found).data)


class LeaderboardFileView(OperationView):
    """The board as a file."""

    @operation("leaderboard_file", STAFF, query=s.FileQuery)
    @extend_schema(
        parameters=[s.FileQuery],
        responses={
            (200, "text/csv"): OpenApiTypes.BINARY,
            (200, "application/x-tex"): OpenApiTypes.BINARY,
            (200, "image/svg+xml"): OpenApiTypes.BINARY,
            (200, "image/png"): OpenApiTypes.BINARY,
        },
    )
    def get(self, request: PersonRequest, release_id: int, name: str) -> HttpResponse:
        """Send a table or a chart; equal scores give equal bytes."""
        given = s.FileQuery.parse(request.query_params.dict())
        file = queries.board_file(request.user, release_id, self.operation, name=name, **given)
        answer = HttpResponse(file.content, content_type=file.content_type)
        shown = "inline" if file.content_type.startswith("image/") else "attachment"
        answer["Content-Disposition"] = f'{shown}; filename="{file.name}"'
        answer["Content-Security-Policy"] = POLICY
        answer["Cache-Control"] = "private, no-cache"
        answer["X-Content-Type-Options"] = "nosniff"
        return answer


class SamplesView(OperationView):
    """The queries behind the numbers."""

    @operation("sample_list", STAFF, shows="score", query=s.SamplesQuery)
    @extend_schema(parameters=[s.SamplesQuery], responses=s.SamplePage)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """List a run's queries with their ranks."""
        given = {"cursor": None, **s.SamplesQuery.parse(request.query_params.dict())}
        found = queries.samples_page(request.user, release_id, self.operation, **given)
        return Response(s.SamplePage(found).data)


class SampleView(OperationView):
    """One query."""

    @operation("sample_show", STAFF, shows="score", query=s.SampleFilters)
    @extend_schema(parameters=[s.SampleFilters], responses=s.Sample)
    def get(self, request: PersonRequest, release_id: int, scope: str, ordinal: int) -> Response:
        """Show a query with every system's first answers; filters say where ``previous`` and ``next`` lead."""
        given = s.SampleFilters.parse(request.query_params.dict())
        found = queries.sample(request.user, release_id, self.operation, scope=scope, ordinal=ordinal, **given)
        return Response(s.Sample(found).data)
