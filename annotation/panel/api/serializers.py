"""Input about the judgement of items by a panel."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.serializers import LARGEST, ClientKeyInput, TextField


class PanelVerdictInput(ClientKeyInput):
    """A judge's verdict: whether the item passes, why not, and the values of the form's other fields by their code."""

    revision_no = serializers.IntegerField(min_value=1, max_value=LARGEST)
    picture_no = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)

    outcome = serializers.ChoiceField(["pass", "fail"])
    values = serializers.DictField(child=serializers.JSONField(), required=False)
