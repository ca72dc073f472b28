"""HTTP of guidelines."""

from __future__ import annotations

from annotation.guidelines import queries, services
from annotation.guidelines.api import serializers as s
from curation.core.api.operations import command, query
from curation.core.api.views import OperationView
from curation.people.rules import ADMINISTRATORS, MEMBERS


class GuidelinesView(OperationView):
    """The guidelines of every kind of the protocol."""

    get = query("guideline_list", queries.guideline_rows, MEMBERS, shows="guideline")


class GuidelineView(OperationView):
    """A kind's guidelines."""

    get = query("guideline_show", queries.guideline, MEMBERS, parameters=s.GuidelineQuery, shows="guideline")
    post = command(
        "guideline_add",
        services.add_guideline,
        s.GuidelineInput,
        ADMINISTRATORS,
        then=queries.published_guideline,
        status=201,
        changes="guideline",
    )


class GuidelinePresetView(OperationView):
    """The built-in template of a kind's guidelines."""

    get = query("guideline_preset", queries.preset, ADMINISTRATORS)


class GuidelineAcknowledgeView(OperationView):
    """Acknowledging the newest guidelines."""

    post = command(
        "guideline_acknowledge",
        services.acknowledge_guideline,
        s.AcknowledgeInput,
        MEMBERS,
        then=queries.acknowledge_answer,
        by_token=False,
        changes="guideline",
    )
