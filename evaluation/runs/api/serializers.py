"""Runs as the API shows them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import ClientKeyInput, Input, LocalisedText, PersonBrief
from evaluation.runs.models import Run
from evaluation.runs.rules import DISPLAY_STATES


class RunListInput(Input):
    """Filters of the list of runs."""

    release = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class RunStartInput(ClientKeyInput):
    """Which system to test with which suite on which release."""

    system = serializers.CharField(max_length=64)
    suite = serializers.CharField(max_length=48)
    release = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class FailureListInput(PageInput):
    """Filters of the list of failures."""

    code = serializers.CharField(required=False, max_length=64)


class RunSystem(serializers.Serializer[Any]):
    """The system of a run; ``is_demo`` marks one that is no baseline."""

    slug = serializers.CharField()
    name = serializers.CharField()
    revision = serializers.CharField()
    description = LocalisedText()
    is_demo = serializers.BooleanField()


class RunRelease(serializers.Serializer[Any]):
    """The release a run is over."""

    id = serializers.IntegerField()
    label = serializers.CharField()


class RunError(serializers.Serializer[Any]):
    """Why the last chunk failed."""

    code = serializers.CharField()
    params = serializers.JSONField()


class RunErrorCount(serializers.Serializer[Any]):
    """How many inputs failed with one error code."""

    code = serializers.CharField()
    n = serializers.IntegerField()


class RunWorker(serializers.Serializer[Any]):
    """Whether workers are alive, and how many."""

    alive = serializers.BooleanField()
    last_seen = serializers.DateTimeField(allow_null=True)
    workers = serializers.IntegerField()


class RunRow(serializers.Serializer[Any]):
    """A run: ``expected``, ``done`` and ``failed`` count revisions, ``errors`` pictures and texts.

    ``state`` is what people decided, ``shown`` what the run is doing; ``silent_s`` are the seconds since the last
    heartbeat of a worker on it. Without a release it is a rolling run over whatever is accepted.
    """

    id = serializers.IntegerField()
    system = RunSystem()
    suite = serializers.CharField()
    release = RunRelease(allow_null=True)
    state = serializers.ChoiceField(Run.State.choices)
    shown = serializers.ChoiceField(DISPLAY_STATES)
    silent_s = serializers.IntegerField(allow_null=True)
    expected = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    per_minute = serializers.FloatField(allow_null=True)
    seconds_left = serializers.IntegerField(allow_null=True)
    last_error = RunError(allow_null=True)
    errors = RunErrorCount(many=True)
    worker = RunWorker()
    round = serializers.IntegerField()
    started_by = PersonBrief(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    available_actions = serializers.ListField(child=serializers.CharField())


class RunChunks(serializers.Serializer[Any]):
    """How many chunks of the work are in each state."""

    queued = serializers.IntegerField()
    running = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()


class RunDetail(RunRow):
    """A run with everything needed to repeat it."""

    settings = serializers.JSONField()
    environment = serializers.JSONField()
    chunks = RunChunks()


class FailureItem(serializers.Serializer[Any]):
    """The item of a failure."""

    id = serializers.IntegerField()
    label = serializers.CharField()


class FailureImage(serializers.Serializer[Any]):
    """The picture of a failure."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    thumb_url = serializers.CharField(allow_blank=True)


class FailureRow(serializers.Serializer[Any]):
    """A failed input: ``variant`` is ``image`` or one of the texts, ``message`` the system's own error text."""

    item = FailureItem()
    revision_no = serializers.IntegerField()
    variant = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField(allow_blank=True)
    round = serializers.IntegerField()
    image = FailureImage()


FailurePage = paged("FailurePage", FailureRow)
