"""Runs as the API shows them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import LocalisedText


class RunSystem(serializers.Serializer[Any]):
    """The system of a run; ``is_demo`` marks one that is no baseline."""

    slug = serializers.CharField()
    name = serializers.CharField()
    revision = serializers.CharField()
    description = LocalisedText()
    is_demo = serializers.BooleanField()


class RunJob(serializers.Serializer[Any]):
    """The newest job of a run: revisions done and to do in it."""

    id = serializers.IntegerField()
    state = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class RunError(serializers.Serializer[Any]):
    """Why the newest job failed."""

    code = serializers.CharField()
    params = serializers.JSONField()


class RunWorker(serializers.Serializer[Any]):
    """Whether a worker is there to do the work."""

    alive = serializers.BooleanField()
    last_seen = serializers.DateTimeField(allow_null=True)


class AcceptanceRun(serializers.Serializer[Any]):
    """A rolling run: ``expected``, ``done`` and ``failed`` count accepted items."""

    id = serializers.IntegerField()
    system = RunSystem()
    suite = serializers.CharField()
    state = serializers.ChoiceField(choices=["open", "closed"])
    expected = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    last_error = RunError(allow_null=True)
    job = RunJob(allow_null=True)
    worker = RunWorker()
    updated_at = serializers.DateTimeField()
