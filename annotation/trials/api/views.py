"""HTTP of blind trials."""

from __future__ import annotations

from annotation.trials import queries
from curation.core.api.operations import query
from curation.core.api.views import OperationView
from curation.people.rules import ASSIGNED_ANNOTATORS, STAFF, VERIFIERS


class BlindTrialsView(OperationView):
    """What a model answered to an item's question without its picture."""

    get = query("blind_trial_list", queries.item_trials, STAFF | ASSIGNED_ANNOTATORS | VERIFIERS, shows="item")
