"""Addresses of systems."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest
from evaluation.systems import queries
from evaluation.systems.api.serializers import SystemDetail


class SystemsView(Operation):
    """Everything that can be put under test on this site."""

    operations: ClassVar = {"GET": "system_list"}

    @extend_schema(responses=SystemDetail(many=True))
    def get(self, request: PersonRequest) -> Response:
        """List systems and revisions, newest first."""
        return Response(SystemDetail(queries.every_system(), many=True).data)
