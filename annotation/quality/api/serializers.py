"""JSON of review, inspection, history and what waits."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.items.models import Item
from annotation.packages.api.serializers import ContentField, PackageRow, RulesField, WorkItem
from annotation.seats.rules import CLAIMED_AT_ONCE
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, PersonBrief, TextField


class VerdictBrief(serializers.Serializer[Any]):
    """A judgement."""

    outcome = serializers.CharField()
    reasons = serializers.ListField(child=serializers.CharField())
    comment = serializers.CharField()
    round = serializers.IntegerField()
    judge = PersonBrief(allow_null=True)


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


class PoolItem(SheetItem):
    """An item that somebody holds a seat of."""

    seat = serializers.IntegerField()
    lease_until = serializers.DateTimeField()
    package = serializers.IntegerField()
    package_label = serializers.CharField()
    round = serializers.IntegerField()


class PoolAnswer(serializers.Serializer[Any]):
    """A pool, and what is in one's hands."""

    purpose = serializers.ChoiceField(["review", "inspection"])
    kind = serializers.CharField()
    free = serializers.IntegerField()
    held = serializers.IntegerField()
    done = serializers.IntegerField()
    mine = serializers.IntegerField()
    held_maximum = serializers.IntegerField()
    people = serializers.IntegerField()
    rules = RulesField()
    lease_seconds = serializers.IntegerField()
    heartbeat_seconds = serializers.IntegerField()
    items = PoolItem(many=True)


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


class KeptSeat(serializers.Serializer[Any]):
    """A seat that is still one's own."""

    seat = serializers.IntegerField()
    lease_until = serializers.DateTimeField()


class RenewAnswer(serializers.Serializer[Any]):
    """Which seats are still one's own, and which were handed on."""

    kept = KeptSeat(many=True)
    lost = serializers.ListField(child=serializers.IntegerField())


class SkipDecideInput(ClientKeyInput):
    """Whether an item is rightly left unwritten."""

    agree = serializers.BooleanField()
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, max_length=20)
    comment = TextField(lines=True, max_length=2_000, required=False, allow_blank=True)


class SetAside(serializers.Serializer[Any]):
    """An item that left its package."""

    item_id = serializers.IntegerField()
    state = serializers.ChoiceField(Item.State.choices)


class QualityQuery(Input):
    """Which kind of work; without one, all."""

    kind = serializers.CharField(max_length=24, required=False)


class RateInterval(serializers.Serializer[Any]):
    """A 95 % interval and its name."""

    method = serializers.CharField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class ReasonCount(serializers.Serializer[Any]):
    """How often a reason was given."""

    code = serializers.CharField()
    n = serializers.IntegerField()


class WriterRow(serializers.Serializer[Any]):
    """How somebody's work of a kind was judged; the person is null where names are hidden."""

    person = PersonBrief(allow_null=True)
    mine = serializers.BooleanField()
    kind = serializers.CharField()
    written = serializers.IntegerField()
    handed_in = serializers.IntegerField()
    judged = serializers.IntegerField()
    accepted_first = serializers.IntegerField()
    rate = serializers.FloatField(allow_null=True)
    interval = RateInterval(allow_null=True)
    median_active_ms = serializers.IntegerField(allow_null=True)
    returned_reasons = ReasonCount(many=True)


class JudgeRow(serializers.Serializer[Any]):
    """How often somebody's judgements were upheld by those who looked after them."""

    person = PersonBrief(allow_null=True)
    mine = serializers.BooleanField()
    kind = serializers.CharField()
    stage = serializers.ChoiceField(["review", "inspection"])
    judged = serializers.IntegerField()
    checked = serializers.IntegerField()
    upheld = serializers.IntegerField()
    rate = serializers.FloatField(allow_null=True)
    interval = RateInterval(allow_null=True)


class MeasureRow(serializers.Serializer[Any]):
    """A measure of agreement; null where it is undefined."""

    name = serializers.ChoiceField(["cohen_kappa", "fleiss_kappa", "krippendorff_alpha"])
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    method = serializers.CharField()


class AgreementRow(serializers.Serializer[Any]):
    """Agreement between two stages, or between colleagues of one."""

    kind = serializers.CharField()
    between = serializers.ChoiceField(["review-inspection", "review-review", "inspection-inspection"])
    items = serializers.IntegerField()
    observed = serializers.FloatField(allow_null=True)
    measures = MeasureRow(many=True)


class PackageRate(serializers.Serializer[Any]):
    """What the inspection of a package showed."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    right = serializers.IntegerField()
    n = serializers.IntegerField()
    rate = serializers.FloatField()


class QualityAnswer(serializers.Serializer[Any]):
    """Acceptance and agreement."""

    blind = serializers.BooleanField()
    people = WriterRow(many=True)
    judges = JudgeRow(many=True)
    agreement = AgreementRow(many=True)
    packages = PackageRate(many=True)


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
    author = PersonBrief(allow_null=True)
    origin = serializers.CharField()
    content = ContentField()
    reasons = serializers.DictField(child=serializers.CharField())
    guideline_version = serializers.IntegerField(allow_null=True)
    active_ms = serializers.IntegerField(allow_null=True)
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
    judged = serializers.IntegerField()
    accepted_first = serializers.IntegerField()
    active_ms = serializers.IntegerField()
    by_day = DayCount(many=True)


class BoardRow(serializers.Serializer[Any]):
    """Packages of a kind by state."""

    kind = serializers.CharField()
    states = serializers.DictField(child=serializers.IntegerField())


class PoolWaiting(serializers.Serializer[Any]):
    """A pool the person may judge from: what can be taken, and what they hold."""

    purpose = serializers.ChoiceField(["review", "inspection"])
    kind = serializers.CharField()
    free = serializers.IntegerField()
    mine = serializers.IntegerField()


class WaitingAnswer(serializers.Serializer[Any]):
    """What waits; null where the person's roles do not reach."""

    assigned = PackageRow(many=True)
    working = PackageRow(many=True)
    returned = PackageRow(many=True)
    available = serializers.IntegerField(allow_null=True)
    available_by_kind = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    to_review = PackageRow(many=True)
    to_inspect = PackageRow(many=True)
    pools = PoolWaiting(many=True)
    images_to_judge = serializers.IntegerField(allow_null=True)
    week = WeekRow(allow_null=True)
    board = BoardRow(many=True, allow_null=True)
