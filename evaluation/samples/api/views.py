"""HTTP of samples of runs over item sets."""

from __future__ import annotations

from curation.core.api.operations import command, query
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.rules import ADMINISTRATORS, STAFF
from evaluation.samples import queries, services
from evaluation.samples.api import serializers as s


class PredictionListView(OperationView):
    """The entries of a run with their results."""

    refusals = (422,)  # a run over another set to compare with

    get = query(
        "prediction_list", queries.prediction_list, STAFF, parameters=s.PredictionListInput, shows="score override"
    )


class PredictionFiltersView(OperationView):
    """What samples can be filtered by."""

    get = query("prediction_filters", queries.prediction_filters, STAFF, shows="score override")


class PredictionView(OperationView):
    """One entry with the reply of a run."""

    refusals = (422,)  # a run over another set to compare with

    get = query(
        "prediction_show", queries.prediction, STAFF, parameters=s.PredictionFiltersInput, shows="score override"
    )


class OverrideView(OperationView):
    """Reading a reply in place of the rules."""

    post = command(
        "prediction_override",
        services.override_reply,
        s.OverrideInput,
        ADMINISTRATORS | reaches(inspect="all"),
        then=queries.overridden_prediction,
        status=201,
        changes="override",
    )
