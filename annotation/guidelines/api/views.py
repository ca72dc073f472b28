"""HTTP of guidelines."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.guidelines import queries, services
from annotation.guidelines.api import serializers as s
from curation.core.api.operations import operation
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, MEMBERS


class GuidelinesView(OperationView):
    """What annotators are told to do, kind by kind."""

    @operation("guideline_list", MEMBERS, shows="guideline")
    @extend_schema(responses=s.GuidelineRow(many=True))
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List the version in force of every kind of the protocol."""
        return Response(s.GuidelineRow(queries.list_guidelines(request.user, benchmark), many=True).data)


class GuidelineView(OperationView):
    """A kind's guidelines."""

    @operation("guideline_show", MEMBERS, shows="guideline", query=s.GuidelineQuery)
    @extend_schema(parameters=[s.GuidelineQuery], responses=s.GuidelineAnswer)
    def get(self, request: PersonRequest, benchmark: str, kind: str) -> Response:
        """Show one version with its text."""
        given = {"version": None} | s.GuidelineQuery.parse(request.query_params.dict())
        return Response(s.GuidelineAnswer(queries.guideline_json(request.user, benchmark, kind, **given)).data)

    @operation("guideline_add", ADMINISTRATORS, changes="guideline")
    @extend_schema(request=s.GuidelineInput, responses={201: s.GuidelineAnswer})
    def post(self, request: PersonRequest, benchmark: str, kind: str) -> Response:
        """Publish the next version."""
        given = s.GuidelineInput.parse(request.data)
        made = services.add_guideline(actor=request.user, benchmark_slug=benchmark, kind=kind, **given)
        answer = queries.guideline_json(request.user, benchmark, kind, version=made.version)
        return Response(s.GuidelineAnswer(answer).data, status=201)


class GuidelinePresetView(OperationView):
    """Guidelines to start from."""

    @operation("guideline_preset", ADMINISTRATORS)
    @extend_schema(responses=s.GuidelinePreset)
    def get(self, request: PersonRequest, benchmark: str, kind: str) -> Response:
        """Show the text that ships for the benchmark's protocol."""
        return Response(s.GuidelinePreset({"text": queries.preset_text(request.user, benchmark, kind)}).data)


class GuidelineAcknowledgeView(OperationView):
    """Guidelines that were read."""

    @operation("guideline_acknowledge", MEMBERS, by_token=False, changes="guideline")
    @extend_schema(request=s.AcknowledgeInput, responses=s.AcknowledgeAnswer)
    def post(self, request: PersonRequest, benchmark: str, kind: str) -> Response:
        """Say that I have read the newest version and work by it."""
        given = s.AcknowledgeInput.parse(request.data)
        read = services.acknowledge_guideline(actor=request.user, benchmark_slug=benchmark, kind=kind, **given)
        return Response(s.AcknowledgeAnswer({"version": read.version, "acknowledged": True}).data)
