"""Input about packages and the work in them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.packages import queries
from annotation.packages.models import Package
from curation.core.api.pages import FilteredInput, PageInput
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, RevisionInput, TextField


class NextInput(Input):
    """The annotator's position in the package."""

    after = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST, default=0)


class PackageFilters(FilteredInput):
    """Which packages to list, in which order."""

    filters = queries.PackageFilters

    state = serializers.ChoiceField(Package.State.choices, required=False)
    kind = serializers.CharField(required=False, max_length=24)
    assignee = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    stalled = serializers.BooleanField(required=False, default=False)
    search = serializers.CharField(required=False, max_length=100)
    sort = serializers.ChoiceField(["number", "-number", "since", "-since"], required=False, default="number")


class PackageListInput(PackageFilters, PageInput):
    """A page of the package list."""


class PreviewInput(Input):
    """The rule of a build, without the client's key."""

    kind = serializers.CharField(max_length=24)
    size = serializers.IntegerField(required=False, min_value=1, max_value=1_000)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=2**53 - 1)
    complete_only = serializers.BooleanField(required=False, default=False)
    mix = serializers.ChoiceField(["shuffled", "spread", "single"], required=False, default="shuffled")
    categories = serializers.ListField(
        child=serializers.SlugField(max_length=64), required=False, allow_empty=False, max_length=500
    )
    maximum = serializers.IntegerField(required=False, min_value=1, max_value=1_000)
    assignees = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1), required=False, max_length=200
    )


class BuildInput(PreviewInput, ClientKeyInput):
    """The rule of a build."""


class AssignInput(RevisionInput):
    """The person to assign a package to."""

    person = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class RevokeInput(RevisionInput):
    """The comment that the annotator gets with the notification."""

    comment = TextField(max_length=500, required=False, allow_blank=True, default="")


class ClaimInput(Input):
    """The kind of work."""

    kind = serializers.CharField(max_length=24)


class SkipInput(ClientKeyInput):
    """Why an item is skipped: a reason of the protocol's list, a comment, or both."""

    base_no = serializers.IntegerField(min_value=0, max_value=LARGEST)
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, default=list)
    comment = TextField(lines=True, required=False, allow_blank=True, default="")


class TickInput(Input):
    """An item that was read at a revision; 0 removes the tick."""

    id = serializers.IntegerField(min_value=1)
    revision_no = serializers.IntegerField(min_value=0, max_value=LARGEST)


class SelfCheckInput(RevisionInput):
    """Items the annotator has read again."""

    items = serializers.ListField(child=TickInput(), allow_empty=False, max_length=1_000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Convert the list to revisions by item id."""
        items = attrs.pop("items")
        return {**attrs, "ticks": {tick["id"]: tick["revision_no"] for tick in items}}


class ImportRow(Input):
    """A picture, by its label or number, and a slot."""

    image = serializers.CharField(max_length=48)
    slot = serializers.IntegerField(required=False, min_value=0, max_value=999, default=0)


class ImportInput(ClientKeyInput):
    """Items to make."""

    kind = serializers.CharField(max_length=24)
    rows = serializers.ListField(child=ImportRow(), allow_empty=False, max_length=1_000)
