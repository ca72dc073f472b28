"""JSON of releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from annotation.releases import rules, states
from annotation.releases.models import Release, ReleaseFile
from annotation.releases.queries import CHANGES
from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import ClientKeyInput, JobAnswer, TextField
from curation.core.transitions import available_actions
from curation.people.models import Person


class ReleaseUpdateInput(ClientKeyInput):
    """What a draft is going to be. The seed travels as text: JavaScript's numbers end at 2^53."""

    seed = serializers.RegexField(r"^[0-9]{1,18}$", required=False)
    splits_from = serializers.ChoiceField(Release.SplitsFrom.choices, required=False)
    notes = TextField(lines=True, allow_blank=True, max_length=4_000, required=False)


class ReleaseInput(ReleaseUpdateInput):
    """A new draft; without a seed one is drawn."""

    kind = serializers.CharField(max_length=24)


class WithdrawInput(ClientKeyInput):
    """Why a release is taken back; everybody who may see the release reads it."""

    reason = TextField(lines=True, max_length=1_000)


class ChangesInput(PageInput):
    """Which changes to list."""

    change = serializers.ChoiceField(CHANGES)


class ReleaseRow(serializers.Serializer[Any]):
    """A release in lists and after commands.

    ``images`` and ``items`` of one that is not frozen are what it would hold now; ``freezing``: a worker is at it.
    """

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    label = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(Release.State.choices)
    freezing = serializers.BooleanField()
    seed = serializers.CharField()
    created_at = serializers.DateTimeField()
    frozen_at = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(allow_null=True)
    digest = serializers.CharField(allow_null=True)
    images = serializers.IntegerField()
    items = serializers.IntegerField()
    available_actions = serializers.SerializerMethodField()

    def get_available_actions(self, release: Mapping[str, Any]) -> list[str]:
        """Operations the reader may do now; none while a worker freezes it."""
        viewer: Person = self.context["viewer"]
        if release["freezing"]:
            return []
        return available_actions(
            states.TABLE, release["state"], may=lambda operation: viewer.may(release["benchmark_id"], operation)
        )


ReleasePage = paged("ReleasePage", ReleaseRow)


class GateRow(serializers.Serializer[Any]):
    """Something that keeps a draft from being frozen, and the page where it can be mended."""

    code = serializers.CharField()
    params = serializers.DictField()
    label = serializers.CharField()
    link = serializers.CharField(allow_null=True)


class GateCount(serializers.Serializer[Any]):
    """How often a gate fails, also beyond those that are named."""

    code = serializers.CharField()
    n = serializers.IntegerField()


class LeftOutRow(serializers.Serializer[Any]):
    """How many things of one sort are not in a release, and the page that lists them."""

    code = serializers.ChoiceField(list(rules.LEFT_OUT))
    n = serializers.IntegerField()
    link = serializers.CharField()


class ReleaseFileRow(serializers.Serializer[Any]):
    """A file to download; ``is_key``: it holds answers that the others withhold."""

    name = serializers.CharField()
    format = serializers.CharField()
    is_key = serializers.BooleanField()
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    url = serializers.SerializerMethodField()

    def get_url(self, file: ReleaseFile) -> str:
        """Where."""
        return f"/api/v1/releases/{file.release_id}/files/{file.name}"


class SplitRow(serializers.Serializer[Any]):
    """A split and what it holds; ``withheld``: its answers go into a file of their own."""

    name = serializers.CharField()
    images = serializers.IntegerField()
    items = serializers.IntegerField()
    withheld = serializers.BooleanField()


class ReleaseBrief(serializers.Serializer[Any]):
    """A release as others name it."""

    id = serializers.IntegerField()
    label = serializers.CharField()


class ChangeCounts(serializers.Serializer[Any]):
    """How many items came in, went, or read otherwise since the release before."""

    added = serializers.IntegerField()
    removed = serializers.IntegerField()
    changed = serializers.IntegerField()


class ReleaseDetail(ReleaseRow):
    """A release's page: gates and what is left out as they are now, or as they were when it was frozen.

    A draft goes by the version of the protocol that the benchmark follows now, any other by the one it was checked by.
    """

    protocol_version = serializers.IntegerField()
    splits_from = serializers.ChoiceField(Release.SplitsFrom.choices)
    notes = serializers.CharField()
    checked_at = serializers.DateTimeField(allow_null=True)
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    withdrawn_reason = serializers.CharField()
    previous = ReleaseBrief(allow_null=True)
    gates = GateRow(many=True)
    gate_counts = GateCount(many=True)
    left_out = LeftOutRow(many=True)
    splits = SplitRow(many=True)
    formats = serializers.ListField(child=serializers.CharField())
    files = ReleaseFileRow(many=True)
    missing_files = serializers.ListField(child=serializers.CharField())
    changes = ChangeCounts(allow_null=True)
    job = JobAnswer(allow_null=True)


class ChangedImage(serializers.Serializer[Any]):
    """The picture of a change."""

    label = serializers.CharField()
    thumb_url = serializers.CharField()


class ChangeRow(serializers.Serializer[Any]):
    """An item that came in, went, or reads otherwise; texts are the first of what stands or stood there."""

    label = serializers.CharField()
    change = serializers.ChoiceField(CHANGES)
    revision = serializers.IntegerField(allow_null=True)
    previous_revision = serializers.IntegerField(allow_null=True)
    image = ChangedImage(allow_null=True)
    first_text = serializers.CharField(allow_null=True)
    previous_text = serializers.CharField(allow_null=True)


ChangePage = paged("ReleaseChangePage", ChangeRow)


class ImageReleaseRow(serializers.Serializer[Any]):
    """A frozen release that holds a picture."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    state = serializers.ChoiceField(Release.State.choices)
    split = serializers.CharField()
    frozen_at = serializers.DateTimeField(allow_null=True)
