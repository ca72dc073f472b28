"""Systems as the API shows them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import ClientKeyInput, JobAnswer, LocalisedText
from evaluation.systems.rules import Access, SystemState

STATES = [(state.value, state.value) for state in SystemState]


class FetchInput(ClientKeyInput):
    """What to fetch: a branch, a tag, a pull request's ref or a commit; without one, the main branch.

    Code is allowed for a full commit only.
    """

    revision = serializers.RegexField(r"^[\w][\w./-]{0,63}$", required=False)
    allow_code = serializers.BooleanField(default=False)


class SystemFile(serializers.Serializer[Any]):
    """A file that the backend reads."""

    name = serializers.CharField()
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()


class FetchWorker(serializers.Serializer[Any]):
    """Whether there is a worker that could carry out a fetch."""

    alive = serializers.BooleanField()
    last_seen = serializers.DateTimeField(allow_null=True)


class SystemRevision(serializers.Serializer[Any]):
    """A system (W-E1): ``id``, ``revision`` and files are there once it was added, ``is_demo`` marks no baseline.

    A job counts in KiB.
    """

    id = serializers.IntegerField(allow_null=True)
    slug = serializers.CharField()
    name = serializers.CharField()
    description = LocalisedText()
    organisation = serializers.CharField()
    access = serializers.ChoiceField([(a.value, a.value) for a in Access])
    architecture = serializers.CharField()
    size_millions = serializers.FloatField(allow_null=True)
    group = serializers.CharField()
    languages = serializers.ListField(child=serializers.CharField())
    backend = serializers.CharField()
    revision = serializers.CharField()
    hub_id = serializers.CharField()
    homepage = serializers.CharField()
    licence = serializers.CharField()
    parameters = serializers.JSONField()
    capabilities = serializers.ListField(child=serializers.CharField())
    is_demo = serializers.BooleanField()
    runs_code = serializers.BooleanField()
    state = serializers.ChoiceField(STATES)
    job = JobAnswer(allow_null=True)
    files = SystemFile(many=True)
    files_sha256 = serializers.CharField()
    created_at = serializers.DateTimeField(allow_null=True)
    runs = serializers.IntegerField()


class SystemRow(SystemRevision):
    """A system at its newest revision; ``worker`` is told while it is being fetched."""

    worker = FetchWorker(allow_null=True)


class SystemDetail(SystemRow):
    """A system with all its revisions, newest first."""

    revisions = SystemRevision(many=True)
