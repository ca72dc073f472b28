"""Addresses of scores."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest
from evaluation.scoring import queries, services
from evaluation.scoring.api.serializers import ReleaseScores


class ScoresView(Operation):
    """What systems score on a release."""

    operations: ClassVar = {"GET": "release_scores"}

    @extend_schema(responses=ReleaseScores)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """Show the newest scores of each system."""
        return Response(ReleaseScores(queries.release_scores(request.user, release_id, self.operation)).data)


class ScoreView(Operation):
    """Scoring on request."""

    operations: ClassVar = {"POST": "release_score"}

    @extend_schema(request=ClientKeyInput, responses={202: ReleaseScores})
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Have a frozen release scored anew."""
        given = ClientKeyInput.parse(request.data)
        scores = services.request_scores(actor=request.user, release_id=release_id, **given)
        return Response(ReleaseScores(scores).data, status=202)
