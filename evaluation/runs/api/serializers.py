"""Runs as the API shows them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import ClientKeyInput, Input, LocalisedText, PersonBrief
from evaluation.runs.models import Run
from evaluation.runs.rules import SHOWN


class RunListInput(Input):
    """What the list of runs understands."""

    release = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class RunStartInput(ClientKeyInput):
    """Which system is put to which test over which release."""

    system = serializers.CharField(max_length=64)
    suite = serializers.CharField(max_length=48)
    release = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class FailureListInput(PageInput):
    """What the list of failures understands."""

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


class RunJob(serializers.Serializer[Any]):
    """The job of a run that is open, else its newest: revisions done and to do in it."""

    id = serializers.IntegerField()
    state = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class RunError(serializers.Serializer[Any]):
    """Why the newest job failed."""

    code = serializers.CharField()
    params = serializers.JSONField()


class RunErrorCount(serializers.Serializer[Any]):
    """How many inputs failed for one reason."""

    code = serializers.CharField()
    n = serializers.IntegerField()


class RunWorker(serializers.Serializer[Any]):
    """Whether workers are there to do the work, and how many."""

    alive = serializers.BooleanField()
    last_seen = serializers.DateTimeField(allow_null=True)
    workers = serializers.IntegerField()


class RunRow(serializers.Serializer[Any]):
    """A run: ``expected``, ``done`` and ``failed`` count revisions, ``errors`` pictures and texts.

    ``state`` is what people decided, ``shown`` what the run is doing; ``silent_s`` says for how long nothing was heard
    of a worker that holds a part of it. Without a release it is a rolling run over whatever is accepted.
    """

    id = serializers.IntegerField()
    system = RunSystem()
    suite = serializers.CharField()
    release = RunRelease(allow_null=True)
    state = serializers.ChoiceField(Run.State.choices)
    shown = serializers.ChoiceField(SHOWN)
    silent_s = serializers.IntegerField(allow_null=True)
    expected = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    per_minute = serializers.FloatField(allow_null=True)
    seconds_left = serializers.IntegerField(allow_null=True)
    last_error = RunError(allow_null=True)
    errors = RunErrorCount(many=True)
    worker = RunWorker()
    job = RunJob(allow_null=True)
    round = serializers.IntegerField()
    started_by = PersonBrief(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    available_actions = serializers.ListField(child=serializers.CharField())


class RunChunks(serializers.Serializer[Any]):
    """Shares of the work by state."""

    free = serializers.IntegerField()
    held = serializers.IntegerField()
    done = serializers.IntegerField()


class RunDetail(RunRow):
    """A run with everything needed to repeat it (W-E3)."""

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
    """What a system could not answer: ``variant`` is ``image`` or one of the texts, ``said`` the system's own words."""

    item = FailureItem()
    revision_no = serializers.IntegerField()
    variant = serializers.CharField()
    code = serializers.CharField()
    said = serializers.CharField(allow_blank=True)
    round = serializers.IntegerField()
    image = FailureImage()


FailurePage = paged("FailurePage", FailureRow)
