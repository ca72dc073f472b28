"""Input about review, inspection, pools and quality."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.packages.api.serializers import ContentField
from annotation.seats.rules import CLAIMED_AT_ONCE
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, TextField


class PoolQuery(Input):
    """Which kind of work."""

    kind = serializers.CharField(max_length=24)


class PoolClaimInput(PoolQuery):
    """How many seats are wanted."""

    count = serializers.IntegerField(min_value=1, max_value=CLAIMED_AT_ONCE)


class SeatsInput(Input):
    """Some of one's seats."""

    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1), min_length=1, max_length=100
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Hand them over as ids."""
        return {"seat_ids": attrs["seats"]}


class SkipDecideInput(ClientKeyInput):
    """Whether an item is rightly left unwritten."""

    agree = serializers.BooleanField()
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)


class QualityQuery(Input):
    """Which kind of work; without one, all."""

    kind = serializers.CharField(max_length=24, required=False)


class ReviewInput(ClientKeyInput):
    """A senior's judgement."""

    revision_no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    outcome = serializers.ChoiceField(["accept", "correct", "return"])
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)
    content = ContentField(required=False)
    overrides = serializers.DictField(child=TextField(max_length=500, min_length=1), required=False)


class InspectInput(ClientKeyInput):
    """An inspector's judgement."""

    revision_no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    outcome = serializers.ChoiceField(["right", "wrong"])
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)
