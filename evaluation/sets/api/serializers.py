"""Input about item sets."""

from __future__ import annotations

from rest_framework import serializers

from curation.core.api.serializers import ClientKeyInput, TextField
from evaluation.sets.rules import NAME


class SetInput(ClientKeyInput):
    """The files of a set (``multipart/form-data``)."""

    name = TextField(max_length=NAME)
    suite = serializers.CharField(max_length=48)
    gold = serializers.FileField(max_length=1_000, allow_empty_file=True)
    pictures = serializers.FileField(max_length=1_000, allow_empty_file=True, required=False)
    dialogues = serializers.FileField(max_length=1_000, allow_empty_file=True, required=False)
