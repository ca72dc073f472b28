"""HTTP of the judgement of items by a panel."""

from __future__ import annotations

from annotation.panel import services
from annotation.panel.api import serializers as s
from annotation.peer.queries import changed_item
from curation.core.api.operations import command
from curation.core.api.views import OperationView
from curation.core.operations import reaches


class JudgeView(OperationView):
    """A verdict on an item of whose panel the person holds a seat."""

    post = command(
        "item_judge",
        services.judge_item,
        s.PanelVerdictInput,
        reaches(verify="all", inspect="all"),
        then=changed_item,
        contributes=True,
        changes="item seat",
    )
