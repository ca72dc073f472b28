"""HTTP of scores."""

from __future__ import annotations

from curation.core.api.operations import command, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.rules import ADMINISTRATORS, STAFF
from evaluation.scoring import queries, services
from evaluation.scoring.api.serializers import ScoresInput


class ScoresView(OperationView):
    """What systems score on a release."""

    get = query("release_scores", queries.release_scores, STAFF, parameters=ScoresInput, shows="score release")


class ScoreView(OperationView):
    """Scoring on request."""

    post = command(
        "release_score",
        services.request_scores,
        ClientKeyInput,
        ADMINISTRATORS,
        then=queries.requested_scores,
        status=202,
        changes="score",
    )
