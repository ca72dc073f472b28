"""HTTP of benchmarks and their categories."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.benchmarks.queries import presets
from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest
from curation.taxonomy import queries, services
from curation.taxonomy.api import serializers as s


class PresetsView(Operation):
    """Protocols to start from."""

    operations = {"GET": "preset_list"}

    @extend_schema(responses=s.PresetRow(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List the presets."""
        return Response(s.PresetRow([p.content["meta"] for p in presets().values()], many=True).data)


class BenchmarksView(Operation):
    """The benchmarks one takes part in."""

    operations = {"GET": "benchmark_list", "POST": "benchmark_create"}

    @extend_schema(responses=s.BenchmarkRow(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List benchmarks with counts."""
        return Response(s.BenchmarkRow(queries.benchmarks_with_counts(request.user), many=True).data)

    @extend_schema(request=s.BenchmarkInput, responses={201: s.BenchmarkAnswer})
    def post(self, request: PersonRequest) -> Response:
        """Create a benchmark from a preset."""
        given = s.BenchmarkInput.parse(request.data)
        made = services.create_benchmark(actor=request.user, **given)
        return Response(s.BenchmarkAnswer(queries.describe(request.user, made)).data, status=201)


class BenchmarkView(Operation):
    """One benchmark."""

    operations = {"GET": "benchmark_show"}

    @extend_schema(responses=s.BenchmarkAnswer)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Show protocol, categories and what one may do."""
        return Response(s.BenchmarkAnswer(queries.benchmark_page(request.user, benchmark)).data)
