"""Input about imports."""

from __future__ import annotations

from rest_framework import serializers

from annotation.imports.models import OUTCOMES, Import
from annotation.imports.rules import FORMATS
from annotation.imports.services.creating import AUTO
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput, TextField


class ImportFileInput(ClientKeyInput):
    """A file with texts that were written elsewhere (``multipart/form-data``).

    ``format`` ``auto`` detects the format from the file's beginning. ``reason`` overrides findings that allow it, in
    every row. ``team`` is that of all rows; without it, rows of kinds that teams work on name theirs.
    """

    file = serializers.FileField(max_length=1_000, allow_empty_file=True)
    format = serializers.ChoiceField([AUTO, *FORMATS], default=AUTO)
    kind = serializers.CharField(max_length=24)
    target = serializers.ChoiceField(Import.Target.choices)
    team = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    reason = TextField(required=False, allow_blank=True, max_length=500, default="")


class ImportRowsInput(PageInput):
    """Which rows of the report to list."""

    outcome = serializers.ChoiceField(OUTCOMES, required=False)
