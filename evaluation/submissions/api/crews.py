"""HTTP of crews, people who submit together."""

from __future__ import annotations

from curation.core.api.operations import command, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.throttles import LinkTries
from curation.core.api.views import OperationView
from curation.people.rules import SUBMITTERS
from evaluation.submissions import queries, services
from evaluation.submissions.api import serializers as s


class CrewView(OperationView):
    """One's crew in a benchmark."""

    get = query("crew_show", queries.crew_page, SUBMITTERS, shows="crew", by_token=False)
    put = command(
        "crew_name",
        services.name_crew,
        s.CrewNameInput,
        SUBMITTERS,
        then=queries.own_crew,
        by_token=False,
        changes="crew submission",
    )


class LinkView(OperationView):
    """The link by which others join one's crew."""

    post = command(
        "crew_link",
        services.create_crew_link,
        ClientKeyInput,
        SUBMITTERS,
        then=queries.crew_link,
        status=201,
        by_token=False,
        changes="crew",
    )


class InvitationView(OperationView):
    """What a crew's link is for."""

    refusals = (410,)
    throttle_classes = (LinkTries,)

    post = command("crew_invitation", queries.crew_invitation, s.CrewTokenInput, SUBMITTERS, by_token=False)


class JoinView(OperationView):
    """Joining a crew."""

    refusals = (410,)
    throttle_classes = (LinkTries,)

    post = command(
        "crew_join",
        services.join_crew,
        s.CrewJoinInput,
        SUBMITTERS,
        then=queries.own_crew,
        by_token=False,
        changes="crew submission",
    )


class LeaveView(OperationView):
    """Leaving a crew."""

    post = command(
        "crew_leave",
        services.leave_crew,
        ClientKeyInput,
        SUBMITTERS,
        then=queries.own_crew,
        by_token=False,
        changes="crew submission",
    )
