"""Input about submissions."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.serializers import ClientKeyInput, TextField


class SubmissionInput(ClientKeyInput):
    """A file of predictions (``multipart/form-data``)."""

    file = serializers.FileField(max_length=1_000, allow_empty_file=True)
    system = TextField(max_length=120)
    note = TextField(required=False, allow_blank=True, max_length=500, default="")
    profile = serializers.CharField(max_length=48)
