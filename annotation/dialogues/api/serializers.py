"""Input about dialogues."""

from __future__ import annotations

from rest_framework import serializers

from annotation.dialogues.rules import LONGEST_TURN, PARTS, PERSONAL_REASONS
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, TextField


class LobbyInput(Input):
    """The parts that a person would take."""

    parts = serializers.ListField(child=serializers.ChoiceField(list(PARTS)), min_length=1, max_length=len(PARTS))


class EmptyInput(Input):
    """A command without data."""


class TurnsQuery(Input):
    """The number of the last turn that the reader holds."""

    after = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)


class SignInput(Input):
    """A sign that the page is open, or that the next turn is being typed."""

    typing = serializers.BooleanField()


class SayInput(ClientKeyInput):
    """The next turn of a dialogue."""

    no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    text = TextField(max_length=LONGEST_TURN, min_length=1)


class PauseInput(ClientKeyInput):
    """A pause."""


class LeaveInput(ClientKeyInput):
    """Why a person leaves a dialogue."""

    reason = serializers.ChoiceField(list(PERSONAL_REASONS))
