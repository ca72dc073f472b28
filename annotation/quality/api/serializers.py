"""JSON of review, inspection, history and what waits."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.items.models import Item
from annotation.packages.api.serializers import ContentField, PackageRow, RulesField, WorkItem
from curation.core.api.serializers import LARGEST, ClientKeyInput, PersonBrief, TextField


class VerdictBrief(serializers.Serializer[Any]):
    """A judgement."""

    outcome = serializers.CharField()
    reasons = serializers.ListField(child=serializers.CharField())
    comment = serializers.CharField()
    round = serializers.IntegerField()
    judge = PersonBrief()


class SheetItem(WorkItem):
    """An item on a review or self-check sheet."""

    author = PersonBrief(allow_null=True)
    origin = serializers.CharField(allow_null=True)
    revisions_count = serializers.IntegerField()
    review = VerdictBrief(allow_null=True)


class Sheet(PackageRow):
    """A whole package to read."""

    rules = RulesField()
    items = SheetItem(many=True)


class SampleItem(SheetItem):
    """A drawn item."""

    stratum = serializers.ChoiceField(["random", "corrected"])
    ordinal = serializers.IntegerField()
    inspection_verdict = VerdictBrief(allow_null=True)


class PassChance(serializers.Serializer[Any]):
    """How often a package with so many right items passes."""

    right_percent = serializers.IntegerField()
    chance = serializers.FloatField()


class IntervalRow(serializers.Serializer[Any]):
    """The share right in the whole package: 95 % interval and its name."""

    method = serializers.CharField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    right = serializers.IntegerField()
    n = serializers.IntegerField()


class InspectionRow(serializers.Serializer[Any]):
    """A draw and its result."""

    round = serializers.IntegerField()
    seed = serializers.CharField()
    population = serializers.IntegerField()
    size = serializers.IntegerField()
    sample = serializers.IntegerField()
    percent = serializers.IntegerField()
    pass_over_percent = serializers.IntegerField()
    errors_allowed = serializers.IntegerField()
    judged = serializers.IntegerField()
    errors = serializers.IntegerField()
    outcome = serializers.ChoiceField(["passed", "returned"], allow_null=True)
    inspector = PersonBrief(allow_null=True)
    drawn_at = serializers.DateTimeField()
    completed_at = serializers.DateTimeField(allow_null=True)
    pass_chances = PassChance(many=True)
    interval = IntervalRow(allow_null=True)


class InspectionAnswer(serializers.Serializer[Any]):
    """The inspector's page."""

    package = PackageRow()
    rules = RulesField()
    inspection = InspectionRow()
    items = SampleItem(many=True)


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


class RevisionRow(serializers.Serializer[Any]):
    """One version of an item."""

    no = serializers.IntegerField()
    author = PersonBrief()
    origin = serializers.CharField()
    content = ContentField()
    reasons = serializers.DictField(child=serializers.CharField())
    created_at = serializers.DateTimeField()


class HistoryVerdict(VerdictBrief):
    """A judgement in an item's history."""

    revision_no = serializers.IntegerField()
    stage = serializers.CharField()
    created_at = serializers.DateTimeField()


class HistoryAnswer(serializers.Serializer[Any]):
    """An item's history."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(Item.State.choices)
    revision_no = serializers.IntegerField()
    accepted_no = serializers.IntegerField(allow_null=True)
    revisions = RevisionRow(many=True)
    verdicts = HistoryVerdict(many=True)


class DayCount(serializers.Serializer[Any]):
    """Items written on a day."""

    day = serializers.DateField()
    written = serializers.IntegerField()


class WeekRow(serializers.Serializer[Any]):
    """Somebody's last seven days."""

    written = serializers.IntegerField()
    accepted = serializers.IntegerField()
    by_day = DayCount(many=True)


class BoardRow(serializers.Serializer[Any]):
    """Packages of a kind by state."""

    kind = serializers.CharField()
    states = serializers.DictField(child=serializers.IntegerField())


class WaitingAnswer(serializers.Serializer[Any]):
    """What waits; null where the person's roles do not reach."""

    working = PackageRow(many=True)
    returned = PackageRow(many=True)
    available = serializers.IntegerField(allow_null=True)
    to_review = PackageRow(many=True)
    to_inspect = PackageRow(many=True)
    images_to_judge = serializers.IntegerField(allow_null=True)
    week = WeekRow(allow_null=True)
    board = BoardRow(many=True, allow_null=True)
