"""Input about review, inspection, pools and quality."""

from __future__ import annotations

from rest_framework import serializers

from annotation.items.api.serializers import ContentField
from annotation.seats.rules import CLAIMED_AT_ONCE
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, TextField


class PoolQuery(Input):
    """The kind of work."""

    kind = serializers.CharField(max_length=24)


class PoolClaimInput(PoolQuery):
    """The number of seats to claim."""

    count = serializers.IntegerField(min_value=1, max_value=CLAIMED_AT_ONCE)


class SkipDecideInput(ClientKeyInput):
    """A decision on a skipped item."""

    agree = serializers.BooleanField()
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)


class QualityQuery(Input):
    """The kind of work; all by default."""

    kind = serializers.CharField(max_length=24, required=False)


class ReviewInput(ClientKeyInput):
    """A reviewer's judgement."""

    revision_no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    picture_no = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    outcome = serializers.ChoiceField(["accept", "correct", "return"])
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)
    content = ContentField(required=False)
    overrides = serializers.DictField(child=TextField(max_length=500, min_length=1), required=False)


class InspectInput(ClientKeyInput):
    """An inspector's judgement."""

    revision_no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    picture_no = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    outcome = serializers.ChoiceField(["right", "wrong"])
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)
