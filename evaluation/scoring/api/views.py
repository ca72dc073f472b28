"""Addresses of scores."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from curation.core.api.operations import operation
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, STAFF
from evaluation.scoring import queries, services
from evaluation.scoring.api.serializers import ReleaseScores


class ScoresView(OperationView):
    """What systems score on a release."""

    @operation("release_scores", STAFF, shows="score release")
    @extend_schema(responses=ReleaseScores)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """Show the newest scores of each system."""
        return Response(ReleaseScores(queries.release_scores(request.user, release_id, self.operation)).data)


class ScoreView(OperationView):
    """Scoring on request."""

    @operation("release_score", ADMINISTRATORS, changes="score")
    @extend_schema(request=ClientKeyInput, responses={202: ReleaseScores})
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Have a frozen release scored anew."""
        given = ClientKeyInput.parse(request.data)
        scores = services.request_scores(actor=request.user, release_id=release_id, **given)
        return Response(ReleaseScores(scores).data, status=202)
