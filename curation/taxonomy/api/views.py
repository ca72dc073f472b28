"""HTTP of benchmarks and their categories."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.benchmarks.queries import presets
from curation.core.api.operations import operation
from curation.core.api.views import OperationView
from curation.core.operations import Entry
from curation.people.api.requests import PersonRequest
from curation.people.rules import HEADS, MEMBERS, OWNERS
from curation.taxonomy import queries, services
from curation.taxonomy.api import serializers as s


class PresetsView(OperationView):
    """Protocols to start from."""

    @operation("preset_list", OWNERS)
    @extend_schema(responses=s.PresetRow(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List the presets."""
        return Response(s.PresetRow([p.content["meta"] for p in presets().values()], many=True).data)


class PresetView(OperationView):
    """One protocol to start from."""

    @operation("preset_show", OWNERS)
    @extend_schema(responses=s.PresetAnswer)
    def get(self, request: PersonRequest, preset: str) -> Response:
        """Show a preset with its file's text."""
        return Response(s.PresetAnswer(queries.preset_page(request.user, preset)).data)


class ProtocolCheckView(OperationView):
    """A text looked at as a protocol; nothing is stored."""

    @operation("protocol_check", HEADS)
    @extend_schema(request=s.ProtocolCheckInput, responses=s.ProtocolCheckAnswer)
    def post(self, request: PersonRequest) -> Response:
        """Name every fault, or say what the text would change."""
        given = s.ProtocolCheckInput.parse(request.data)
        found = queries.check_text(request.user, given["text"], given.get("benchmark"))
        return Response(s.ProtocolCheckAnswer(found).data)


class ProtocolsView(OperationView):
    """A benchmark's protocol versions."""

    @operation("protocol_list", MEMBERS, shows="protocol")
    @extend_schema(responses=s.ProtocolRow(many=True))
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List versions, newest first."""
        return Response(s.ProtocolRow(queries.versions_of(request.user, benchmark), many=True).data)

    @operation("protocol_adopt", HEADS, changes="protocol")
    @extend_schema(request=s.ProtocolInput, responses={201: s.ProtocolAnswer})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Adopt a text as the next version."""
        given = s.ProtocolInput.parse(request.data)
        made = services.adopt_protocol(actor=request.user, benchmark_slug=benchmark, **given)
        shown = queries.version_page(request.user, benchmark, made.version)
        return Response(s.ProtocolAnswer(shown).data, status=201)


class ProtocolView(OperationView):
    """One version."""

    @operation("protocol_show", MEMBERS, shows="protocol")
    @extend_schema(responses=s.ProtocolAnswer)
    def get(self, request: PersonRequest, benchmark: str, version: int) -> Response:
        """Show a version with its file's text."""
        return Response(s.ProtocolAnswer(queries.version_page(request.user, benchmark, version)).data)


class ProtocolComparisonView(OperationView):
    """Two versions beside each other."""

    @operation("protocol_compare", MEMBERS, shows="protocol", query=s.CompareQuery)
    @extend_schema(parameters=[s.CompareQuery], responses=s.ComparisonAnswer)
    def get(self, request: PersonRequest, benchmark: str, version: int) -> Response:
        """Show what a version changed against another."""
        other = s.CompareQuery.parse(request.query_params)["with"]
        found = queries.compare_versions(request.user, benchmark, version, other)
        return Response(s.ComparisonAnswer(found).data)


class BenchmarksView(OperationView):
    """The benchmarks one takes part in."""

    @operation("benchmark_list", MEMBERS, entry=Entry.SIGNED_IN, shows="benchmark item image release")
    @extend_schema(responses=s.BenchmarkRow(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List benchmarks with counts."""
        return Response(s.BenchmarkRow(queries.benchmarks_with_counts(request.user), many=True).data)

    @operation("benchmark_create", OWNERS, by_token=False, changes="benchmark role")
    @extend_schema(request=s.BenchmarkInput, responses={201: s.BenchmarkAnswer})
    def post(self, request: PersonRequest) -> Response:
        """Create a benchmark from a preset or a protocol's text."""
        given = s.BenchmarkInput.parse(request.data)
        made = services.create_benchmark(actor=request.user, **given)
        return Response(s.BenchmarkAnswer(queries.describe(request.user, made)).data, status=201)


class BenchmarkView(OperationView):
    """One benchmark."""

    @operation("benchmark_show", MEMBERS, shows="benchmark protocol")
    @extend_schema(responses=s.BenchmarkAnswer)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """Show protocol, categories and what one may do."""
        return Response(s.BenchmarkAnswer(queries.benchmark_page(request.user, benchmark)).data)
