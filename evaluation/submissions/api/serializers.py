"""Input about submissions."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput, Input, TextField
from evaluation.submissions.rules import CREW_NAME


class KindInput(Input):
    """Which kind of a release; without it the first that is answered."""

    kind = serializers.CharField(required=False, max_length=24)


class SubmissionsInput(PageInput, KindInput):
    """A page of the submissions for a kind of a release."""


class SubmissionInput(ClientKeyInput):
    """A file of predictions (``multipart/form-data``)."""

    file = serializers.FileField(max_length=1_000, allow_empty_file=True)
    system = TextField(max_length=120)
    note = TextField(required=False, allow_blank=True, max_length=500, default="")
    profile = serializers.CharField(max_length=48)


class HideInput(ClientKeyInput):
    """Why a submission is taken off the leaderboard."""

    reason = TextField(max_length=500)


class CrewNameInput(ClientKeyInput):
    """The name of a crew."""

    name = TextField(max_length=CREW_NAME)


class CrewTokenInput(Input):
    """The secret of a crew's link."""

    token = serializers.CharField(max_length=200)


class CrewJoinInput(CrewTokenInput, ClientKeyInput):
    """Joining a crew."""
