"""Input about seats."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import Input


class SeatsInput(Input):
    """Some of the person's seats."""

    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1), min_length=1, max_length=100
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Rename ``seats`` to the parameter ``seat_ids``."""
        return {"seat_ids": attrs["seats"]}
