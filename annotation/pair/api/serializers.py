"""Input about clicks and decisions."""

from __future__ import annotations

from rest_framework import serializers

from annotation.items.api.serializers import ContentField
from annotation.pair.rules import ANSWERS
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, TextField


class ClickingQuery(Input):
    """The kind of work."""

    kind = serializers.CharField(max_length=24)


class ClickInput(ClientKeyInput):
    """The answer to the next expression."""

    position = serializers.IntegerField(min_value=1, max_value=1_000)
    answer = serializers.ChoiceField(list(ANSWERS))
    x = serializers.FloatField(required=False, allow_null=True, min_value=0, max_value=1_000_000)
    y = serializers.FloatField(required=False, allow_null=True, min_value=0, max_value=1_000_000)
    ms = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    picture_no = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)


class DecideInput(ClientKeyInput):
    """A decision about an item that second people failed."""

    revision_no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    picture_no = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    outcome = serializers.ChoiceField(["right", "correct", "wrong"])
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)
    content = ContentField(required=False)
    overrides = serializers.DictField(child=TextField(max_length=500, min_length=1), required=False)
