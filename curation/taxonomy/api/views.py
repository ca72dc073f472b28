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


class PresetView(Operation):
    """One protocol to start from."""

    operations = {"GET": "preset_show"}

    @extend_schema(responses=s.PresetAnswer)
    def get(self, request: PersonRequest, preset: str) -> Response:
        """Show a preset with its file's text."""
        return Response(s.PresetAnswer(queries.preset_page(request.user, preset)).data)


class ProtocolCheckView(Operation):
    """A text looked at as a protocol; nothing is stored."""

    operations = {"POST": "protocol_check"}

    @extend_schema(request=s.ProtocolCheckInput, responses=s.ProtocolCheckAnswer)
    def post(self, request: PersonRequest) -> Response:
        """Name every fault, or say what the text would change."""
        given = s.ProtocolCheckInput.parse(request.data)
        found = queries.check_text(request.user, given["text"], given.get("benchmark"))
        return Response(s.ProtocolCheckAnswer(found).data)


class ProtocolsView(Operation):
    """A benchmark's protocol versions."""

    operations = {"GET": "protocol_list", "POST": "protocol_adopt"}

    @extend_schema(responses=s.ProtocolRow(many=True))
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List versions, newest first."""
        return Response(s.ProtocolRow(queries.versions_of(request.user, benchmark), many=True).data)

    @extend_schema(request=s.ProtocolInput, responses={201: s.ProtocolAnswer})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Adopt a text as the next version."""
        given = s.ProtocolInput.parse(request.data)
        made = services.adopt_protocol(actor=request.user, benchmark_slug=benchmark, **given)
        shown = queries.version_page(request.user, benchmark, made.version)
        return Response(s.ProtocolAnswer(shown).data, status=201)


class ProtocolView(Operation):
    """One version."""

    operations = {"GET": "protocol_show"}

    @extend_schema(responses=s.ProtocolAnswer)
    def get(self, request: PersonRequest, benchmark: str, version: int) -> Response:
        """Show a version with its file's text."""
        return Response(s.ProtocolAnswer(queries.version_page(request.user, benchmark, version)).data)


class ProtocolComparisonView(Operation):
    """Two versions beside each other."""

    operations = {"GET": "protocol_compare"}
    query = s.CompareQuery

    @extend_schema(parameters=[s.CompareQuery], responses=s.ComparisonAnswer)
    def get(self, request: PersonRequest, benchmark: str, version: int) -> Response:
        """Show what a version changed against another."""
        other = s.CompareQuery.parse(request.query_params)["with"]
        found = queries.compare_versions(request.user, benchmark, version, other)
        return Response(s.ComparisonAnswer(found).data)


class BenchmarksView(Operation):
    """The benchmarks one takes part in."""

    operations = {"GET": "benchmark_list", "POST": "benchmark_create"}

    @extend_schema(responses=s.BenchmarkRow(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List benchmarks with counts."""
        return Response(s.BenchmarkRow(queries.benchmarks_with_counts(request.user), many=True).data)

    @extend_schema(request=s.BenchmarkInput, responses={201: s.BenchmarkAnswer})
    def post(self, request: PersonRequest) -> Response:
        """Create a benchmark from a preset or a protocol's text."""
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
