"""Addresses of systems."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest
from evaluation.systems import queries, services
from evaluation.systems.api import serializers as s


class SystemsView(Operation):
    """Everything that can be put under test on this site, and what could be."""

    operations: ClassVar = {"GET": "system_list"}

    @extend_schema(responses=s.SystemRow(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List systems at their newest revisions, by group."""
        return Response(s.SystemRow(queries.list_systems(), many=True).data)


class SystemView(Operation):
    """One system."""

    operations: ClassVar = {"GET": "system_show"}

    @extend_schema(responses=s.SystemDetail)
    def get(self, request: PersonRequest, system: str) -> Response:
        """Show it with its files, the fetch under way and all revisions."""
        return Response(s.SystemDetail(queries.show_system(system)).data)


class FetchView(Operation):
    """Fetching a system's files."""

    operations: ClassVar = {"POST": "system_fetch"}

    @extend_schema(request=s.FetchInput, responses=s.SystemDetail)
    def post(self, request: PersonRequest, system: str) -> Response:
        """Have a worker fetch a revision from the model hub; while one is on its way, that one is answered."""
        given = s.FetchInput.parse(request.data)
        services.request_fetch(actor=request.user, slug=system, **given)
        return Response(s.SystemDetail(queries.show_system(system)).data)
