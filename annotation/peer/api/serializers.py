"""Input about the items of teams."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.peer.rules import HELD
from curation.core.api.pages import PageInput
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, TextField


class BoardInput(PageInput):
    """The kind of work, the team, and which of its pictures."""

    kind = serializers.CharField(max_length=24)
    team = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    show = serializers.ChoiceField(["all", "room", "returned", "to_check", "drafts"], required=False, default="all")
    category = serializers.CharField(required=False, max_length=64)
    author = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    reason = serializers.CharField(required=False, max_length=48)


class PlacesInput(Input):
    """The kind of work, and the team where there are teams."""

    kind = serializers.CharField(max_length=24)
    team = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class CreateInput(ClientKeyInput):
    """The kind of work and the picture."""

    kind = serializers.CharField(max_length=24)
    image = serializers.IntegerField(min_value=1, max_value=2**63 - 1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Rename ``image`` to the parameter ``image_id``."""
        attrs["image_id"] = attrs.pop("image")
        return attrs


class JudgedInput(ClientKeyInput):
    """The revision that the person read, and the version of the picture that they saw."""

    revision_no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    picture_no = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)


class SendBackInput(JudgedInput):
    """Why an item is sent back."""

    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)


class ReopenInput(SendBackInput):
    """Why an accepted item goes back to its author."""


class DiscardInput(ClientKeyInput):
    """The newest revision of the item; 0 before the first."""

    revision_no = serializers.IntegerField(min_value=0, max_value=LARGEST)


class SpotChecksQuery(PageInput):
    """The kind of work, and whether to count what would be drawn now."""

    kind = serializers.CharField(max_length=24)
    preview = serializers.BooleanField(required=False, default=False)


class SpotCheckSheetQuery(Input):
    """The kind of work."""

    kind = serializers.CharField(max_length=24)


class StatisticsQuery(Input):
    """The kind of work."""

    kind = serializers.CharField(max_length=24)


class DrawInput(ClientKeyInput):
    """The kind of work."""

    kind = serializers.CharField(max_length=24)


class SpotCheckInput(SendBackInput):
    """A judgement of a drawn item; a wrong one needs a reason."""

    outcome = serializers.ChoiceField(["right", "wrong"])


class PeerPoolQuery(Input):
    """The kind of work; and the team, for curators."""

    kind = serializers.CharField(max_length=24)
    team = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class PeerClaimInput(PeerPoolQuery):
    """The number of items to claim."""

    count = serializers.IntegerField(required=False, default=1, min_value=1, max_value=HELD)
