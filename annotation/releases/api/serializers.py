"""JSON of releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from annotation.releases import states
from annotation.releases.models import Release, ReleaseFile
from curation.core.api.pages import paged
from curation.core.api.serializers import ClientKeyInput, JobAnswer
from curation.core.transitions import available_actions
from curation.people.models import Person


class ReleaseInput(ClientKeyInput):
    """A new draft. The seed travels as text: JavaScript's numbers end at 2^53."""

    kind = serializers.CharField(max_length=24)
    seed = serializers.RegexField(r"^[0-9]{1,18}$", required=False)


class ReleaseRow(serializers.Serializer[Any]):
    """A release in lists and after commands; ``images`` and ``items`` of a draft are what it would hold now."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    label = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(Release.State.choices)
    seed = serializers.CharField()
    created_at = serializers.DateTimeField()
    frozen_at = serializers.DateTimeField(allow_null=True)
    digest = serializers.CharField(allow_null=True)
    images = serializers.IntegerField()
    items = serializers.IntegerField()
    available_actions = serializers.SerializerMethodField()

    def get_available_actions(self, release: Mapping[str, Any]) -> list[str]:
        """Operations the reader may do now."""
        viewer: Person = self.context["viewer"]
        return available_actions(states.TABLE, release["state"], lambda op: viewer.may(release["benchmark_id"], op))


ReleasePage = paged("ReleasePage", ReleaseRow)


class GateRow(serializers.Serializer[Any]):
    """Something that keeps a draft from being frozen, and the page where it can be mended."""

    code = serializers.CharField()
    params = serializers.DictField()
    label = serializers.CharField()
    link = serializers.CharField(allow_null=True)


class ReleaseFileRow(serializers.Serializer[Any]):
    """A file to download."""

    name = serializers.CharField()
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    url = serializers.SerializerMethodField()

    def get_url(self, file: ReleaseFile) -> str:
        """Where."""
        return f"/api/v1/releases/{file.release_id}/files/{file.name}"


class SplitRow(serializers.Serializer[Any]):
    """A split and what it holds."""

    name = serializers.CharField()
    images = serializers.IntegerField()
    items = serializers.IntegerField()


class ReleaseDetail(ReleaseRow):
    """A release's page."""

    gates = GateRow(many=True)
    splits = SplitRow(many=True)
    files = ReleaseFileRow(many=True)
    job = JobAnswer(allow_null=True)


class ImageReleaseRow(serializers.Serializer[Any]):
    """A frozen release that holds a picture."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    state = serializers.ChoiceField(Release.State.choices)
    split = serializers.CharField()
    frozen_at = serializers.DateTimeField(allow_null=True)
