"""Addresses of systems."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.operations import operation
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import OWNERS, STAFF
from evaluation.systems import queries, services
from evaluation.systems.api import serializers as s


class SystemsView(OperationView):
    """Everything that can be put under test on this site, and what could be."""

    @operation("system_list", STAFF, shows="system")
    @extend_schema(responses=s.SystemRow(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List systems at their newest revisions, by group."""
        return Response(s.SystemRow(queries.list_systems(), many=True).data)

    @operation("system_serve", OWNERS, by_token=False, changes="system")
    @extend_schema(request=s.ServeInput, responses=s.SystemDetail)
    def post(self, request: PersonRequest) -> Response:
        """Have a worker add a model that a model server holds; while that is on its way, it is answered."""
        given = s.ServeInput.parse(request.data)
        record = s.ServeInput.record(given)
        services.request_serve(actor=request.user, record=record, client_key=given["client_key"])
        return Response(s.SystemDetail(queries.show_system(record.slug)).data)


class ModelServersView(OperationView):
    """The model servers that can be chosen."""

    @operation("model_server_list", OWNERS, shows="system")
    @extend_schema(responses=s.ModelServerRow(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List their names."""
        return Response(s.ModelServerRow(queries.model_servers(), many=True).data)


class SystemView(OperationView):
    """One system."""

    @operation("system_show", STAFF, shows="system")
    @extend_schema(responses=s.SystemDetail)
    def get(self, request: PersonRequest, system: str) -> Response:
        """Show it with its files, the fetch under way and all revisions."""
        return Response(s.SystemDetail(queries.show_system(system)).data)


class FetchView(OperationView):
    """Fetching a system's files."""

    @operation("system_fetch", OWNERS, by_token=False, changes="system")
    @extend_schema(request=s.FetchInput, responses=s.SystemDetail)
    def post(self, request: PersonRequest, system: str) -> Response:
        """Have a worker fetch a revision from the model hub; while one is on its way, that one is answered."""
        given = s.FetchInput.parse(request.data)
        services.request_fetch(actor=request.user, slug=system, **given)
        return Response(s.SystemDetail(queries.show_system(system)).data)
