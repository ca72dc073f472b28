"""JSON of imports."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.imports.models import Import, ImportRow
from annotation.imports.queries import OUTCOMES
from annotation.imports.rules import FORMATS
from annotation.imports.services.taking import AUTO
from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import ClientKeyInput, JobAnswer, PersonBrief, TextField

FORMAT_CHOICES = list(FORMATS)


class ImportFileInput(ClientKeyInput):
    """A file with texts that were written elsewhere (``multipart/form-data``).

    ``format`` ``auto`` looks at the file's beginning. ``reason`` overrides findings that allow it, in every row.
    """

    file = serializers.FileField(max_length=1_000, allow_empty_file=True)
    format = serializers.ChoiceField([AUTO, *FORMAT_CHOICES], default=AUTO)
    kind = serializers.CharField(max_length=24)
    target = serializers.ChoiceField(Import.Target.choices)
    reason = TextField(required=False, allow_blank=True, max_length=500, default="")


class ImportCounts(serializers.Serializer[Any]):
    """How many rows the file has, as far as it was read, and what became of them."""

    rows = serializers.IntegerField()
    made = serializers.IntegerField()
    drafted = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    refused = serializers.IntegerField()


class ImportDetail(serializers.Serializer[Any]):
    """One file that was brought in."""

    id = serializers.IntegerField()
    kind = serializers.CharField()
    format = serializers.ChoiceField(FORMAT_CHOICES)
    target = serializers.ChoiceField(Import.Target.choices)
    name = serializers.CharField()
    bytes = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    created_by = PersonBrief()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    counts = ImportCounts()
    job = JobAnswer(allow_null=True)


ImportPage = paged("ImportPage", ImportDetail)


class ImportRowsInput(PageInput):
    """Which rows of the report to list."""

    outcome = serializers.ChoiceField(list(OUTCOMES), required=False)


class ImportedItem(serializers.Serializer[Any]):
    """The item that a row is about."""

    id = serializers.IntegerField()
    label = serializers.CharField()


class ImportReportRow(serializers.Serializer[Any]):
    """What became of a row; ``code`` says why it was refused."""

    line = serializers.IntegerField()
    outcome = serializers.ChoiceField(list(OUTCOMES))
    label = serializers.CharField(allow_blank=True)
    code = serializers.SerializerMethodField()
    params = serializers.DictField()
    item = ImportedItem(allow_null=True)

    def get_code(self, row: ImportRow) -> str | None:
        """Translated by code."""
        return row.code or None


ImportReportPage = paged("ImportReportPage", ImportReportRow)
