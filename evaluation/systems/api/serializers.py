"""Systems as the API shows them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import ClientKeyInput, JobAnswer, LocalisedText
from evaluation.backends.registry import SERVED
from evaluation.backends.serving import TEXT
from evaluation.systems.rules import Access, SystemRecord, SystemState

STATES = [(state.value, state.value) for state in SystemState]


class FetchInput(ClientKeyInput):
    """What to fetch: a branch, a tag, a pull request's ref or a commit; without one, the main branch.

    Code is allowed for a full commit only.
    """

    revision = serializers.RegexField(r"^[\w][\w./-]{0,63}$", required=False)
    allow_code = serializers.BooleanField(default=False)


class ServeInput(ClientKeyInput):
    """A model on one of the model servers, and how it is asked.

    ``server`` is a name, never an address. Without ``model`` it is the only one that is served. ``text_template`` holds
    ``{text}`` once.
    """

    slug = serializers.RegexField(r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)
    name = serializers.CharField(max_length=120)
    server = serializers.CharField(max_length=32)
    model = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    text_template = serializers.CharField(max_length=2000, trim_whitespace=False, default=TEXT)
    picture_text = serializers.CharField(max_length=2000, trim_whitespace=False, allow_blank=True, default="")
    normalise = serializers.BooleanField(default=True)
    dimensions = serializers.IntegerField(min_value=1, max_value=65_536, allow_null=True, default=None)
    dtype = serializers.RegexField(r"^[a-z0-9_]*$", max_length=32, allow_blank=True, default="")
    licence = serializers.CharField(max_length=64, allow_blank=True, default="")

    def validate_text_template(self, template: str) -> str:
        """One place for the caption."""
        if template.count(TEXT) != 1:
            raise serializers.ValidationError(f"{TEXT} has to stand in it once.")
        return template

    @staticmethod
    def record(given: dict[str, Any]) -> SystemRecord:
        """What was said, as a system's record."""
        asked = ("model", "text_template", "picture_text", "normalise", "dimensions", "dtype")
        return SystemRecord.model_validate(
            {
                "slug": given["slug"],
                "name": given["name"],
                "description": dict.fromkeys(("zh-Hans", "zh-Hant", "en"), given["name"]),
                "group": "hosted",
                "backend": SERVED,
                "locator": given["server"],
                "licence": given["licence"],
                "parameters": {name: given[name] for name in asked},
            }
        )


class ModelServerRow(serializers.Serializer[Any]):
    """A model server that the operator has set up. Its address and its key are nobody's business here."""

    name = serializers.CharField()


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
    server = serializers.SerializerMethodField()
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

    def get_server(self, system: dict[str, Any]) -> str:
        """The model server that pictures and captions are sent to; empty: they stay with our workers."""
        return str(system["locator"]) if system["backend"] == SERVED else ""


class SystemRow(SystemRevision):
    """A system at its newest revision; ``worker`` is told while it is being fetched."""

    worker = FetchWorker(allow_null=True)


class SystemDetail(SystemRow):
    """A system with all its revisions, newest first."""

    revisions = SystemRevision(many=True)
