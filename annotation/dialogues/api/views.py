"""HTTP of dialogues."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from annotation.dialogues import queries, services
from annotation.dialogues.api import serializers as s
from curation.core.api.operations import command, operation, query
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest

_TWO = reaches(question="assigned", answer="assigned")


class LobbyView(OperationView):
    """Waiting for a partner."""

    get = query("lobby_show", queries.lobby, _TWO, shows="dialogue")
    post = command(
        "lobby_join",
        services.join_lobby,
        s.LobbyInput,
        _TWO,
        then=queries.lobby_of,
        contributes=True,
        by_token=False,
        changes="dialogue",
    )


class LobbyLeaveView(OperationView):
    """Waiting no longer."""

    post = command(
        "lobby_leave",
        services.leave_lobby,
        s.EmptyInput,
        _TWO,
        then=queries.lobby_of,
        by_token=False,
        changes="dialogue",
    )


class DialogueView(OperationView):
    """A dialogue of the reader's."""

    get = query("dialogue_show", queries.dialogue, _TWO, shows="dialogue")


class TurnsView(OperationView):
    """The turns of a dialogue."""

    get = query("turn_list", queries.turns, _TWO, parameters=s.TurnsQuery, shows="dialogue")
    post = command(
        "turn_say",
        services.say,
        s.SayInput,
        _TWO,
        then=queries.changed_dialogue,
        contributes=True,
        by_token=False,
        changes="dialogue item",
    )


class SignView(OperationView):
    """Showing that one is there, or types."""

    @operation("dialogue_sign", _TWO, by_token=False, body=s.SignInput)
    @extend_schema(request=s.SignInput, responses={204: None})
    def post(self, request: PersonRequest, dialogue_id: int) -> Response:
        """Show the partner that one's page is open, or that one types; nothing of what is typed."""
        services.give_sign(actor=request.user, dialogue_id=dialogue_id, **s.SignInput.parse(request.data))
        return Response(status=204)


class PauseView(OperationView):
    """Pausing a dialogue."""

    post = command(
        "dialogue_pause",
        services.pause,
        s.PauseInput,
        _TWO,
        then=queries.changed_dialogue,
        by_token=False,
        changes="dialogue",
    )


class ResumeView(OperationView):
    """Coming back to a dialogue."""

    post = command(
        "dialogue_resume",
        services.resume,
        s.EmptyInput,
        _TWO,
        then=queries.changed_dialogue,
        contributes=True,
        by_token=False,
        changes="dialogue",
    )


class LeaveView(OperationView):
    """Leaving a dialogue."""

    post = command(
        "dialogue_leave",
        services.leave,
        s.LeaveInput,
        _TWO,
        then=queries.changed_dialogue,
        by_token=False,
        changes="dialogue",
    )
