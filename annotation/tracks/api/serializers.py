"""Input about items, drafts and submissions."""

from __future__ import annotations

from rest_framework import serializers

from annotation.items.api.serializers import ContentField
from annotation.items.models import Item
from annotation.tracks import queries
from curation.core.api.pages import FilteredInput, PageInput
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, TextField


class DraftInput(Input):
    """A draft; each save has a larger ``seq``."""

    base_no = serializers.IntegerField(min_value=0, max_value=LARGEST)
    seq = serializers.IntegerField(min_value=1, max_value=2**53 - 1)
    content = ContentField()
    active_ms = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    track = serializers.ChoiceField(Item.Track.choices, required=False)


class SubmitInput(ClientKeyInput):
    """A finished item."""

    base_no = serializers.IntegerField(min_value=0, max_value=LARGEST)
    content = ContentField()
    reasons = serializers.DictField(child=TextField(max_length=500, min_length=1), required=False, default=dict)
    active_ms = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    guideline = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST)
    picture_no = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    track = serializers.ChoiceField(Item.Track.choices, required=False)


class ExcludeInput(ClientKeyInput):
    """The accepted revision, and why it should not be in the benchmark."""

    revision_no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    reason = TextField(lines=True, max_length=1_000)


class ConfirmInput(ClientKeyInput):
    """The accepted revision that is still right, and the version of the picture that the person saw."""

    revision_no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    picture_no = serializers.IntegerField(min_value=0, max_value=LARGEST)


class ItemFilters(FilteredInput):
    """Which items to list, in which order."""

    filters = queries.ItemFilters

    kind = serializers.CharField(required=False, max_length=24)
    state = serializers.ChoiceField(Item.State.choices, required=False)
    category = serializers.CharField(required=False, max_length=64)
    author = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    search = serializers.CharField(required=False, max_length=100)
    sort = serializers.ChoiceField(["number", "-number"], required=False, default="number")


class ItemListInput(ItemFilters, PageInput):
    """A page of the item list."""
