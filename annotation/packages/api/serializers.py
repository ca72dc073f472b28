"""JSON of packages and of the work in them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.items.models import Item
from annotation.kinds.base import Rules
from annotation.kinds.registry import KINDS
from annotation.packages.models import Package
from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import (
    LARGEST,
    ClientKeyInput,
    Input,
    LocalisedText,
    PersonBrief,
    RevisionInput,
    TextField,
)


class PackageRow(serializers.Serializer[Any]):
    """A package."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    label = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(Package.State.choices)
    round = serializers.IntegerField()
    revision = serializers.IntegerField()
    size = serializers.IntegerField()
    written = serializers.IntegerField()
    checked = serializers.IntegerField()
    assignee = PersonBrief(allow_null=True)
    reviewer = PersonBrief(allow_null=True)
    state_changed_at = serializers.DateTimeField()
    available_actions = serializers.ListField(child=serializers.CharField())


class ClaimAnswer(PackageRow):
    """A claimed package."""

    already_held = serializers.BooleanField()


class BuildAnswer(serializers.Serializer[Any]):
    """What a build made."""

    made = PackageRow(many=True)
    items = serializers.IntegerField()
    left_over = serializers.IntegerField()


class CategoryBrief(serializers.Serializer[Any]):
    """A picture's category."""

    slug = serializers.CharField()
    name = LocalisedText()


class PictureBrief(serializers.Serializer[Any]):
    """A picture as work on it shows it; width and height are the clean rendition's."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    view_url = serializers.CharField()
    thumb_url = serializers.CharField()
    clean_url = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    category = CategoryBrief(allow_null=True)


class SpanRow(serializers.Serializer[Any]):
    """A stretch of a text field in UTF-16 code units."""

    field = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class FindingRow(serializers.Serializer[Any]):
    """What a rule says."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(["error", "warn"])
    params = serializers.DictField()
    spans = SpanRow(many=True)
    overridable = serializers.BooleanField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """``field`` would hide an attribute of the base class."""
        return {**super().get_fields(), "field": serializers.CharField()}


@extend_schema_field({"type": "object", "additionalProperties": True})
class ContentField(serializers.JSONField):
    """Content of an item; its shape is its kind's."""


class DraftRow(serializers.Serializer[Any]):
    """What was typed and not handed in."""

    content = ContentField()
    seq = serializers.IntegerField()
    base_no = serializers.IntegerField()
    active_ms = serializers.IntegerField()


class SentBack(serializers.Serializer[Any]):
    """Why an item came back."""

    stage = serializers.CharField()
    reasons = serializers.ListField(child=serializers.CharField())
    comment = serializers.CharField()
    by = PersonBrief(allow_null=True)


class SkippedRow(serializers.Serializer[Any]):
    """Why an item was left unwritten."""

    reasons = serializers.ListField(child=serializers.CharField())
    comment = serializers.CharField()
    at = serializers.DateTimeField()


class WorkItem(serializers.Serializer[Any]):
    """An item in the workspace."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    label = serializers.CharField()
    position = serializers.IntegerField()
    state = serializers.ChoiceField(Item.State.choices)
    revision_no = serializers.IntegerField()
    image = PictureBrief()
    content = ContentField(allow_null=True)
    draft = DraftRow(allow_null=True)
    findings = FindingRow(many=True)
    reasons = serializers.DictField(child=serializers.CharField())
    returned = SentBack(allow_null=True)
    skipped = SkippedRow(allow_null=True)
    comments = serializers.IntegerField()
    checked = serializers.BooleanField()


class PackageDetail(PackageRow):
    """A package with its items."""

    items = WorkItem(many=True)


class RulesField(serializers.Field[Rules, Any, Any, Any]):
    """What the workspace shows of a kind's rules; ``kind`` in it says which shape it has."""

    def to_representation(self, value: Rules) -> dict[str, Any]:
        """As JSON."""
        return value.model_dump(mode="json")


class RulesFieldDescription(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # how it registers
    """Describes the field as one of the registered kinds' shapes."""

    target_class = RulesField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Refer to a component for each kind."""
        refs = {name: auto_schema.resolve_serializer(KINDS[name].rules_shape, direction).ref for name in KINDS}
        return {
            "oneOf": list(refs.values()),
            "discriminator": {
                "propertyName": "kind",
                "mapping": {name: ref["$ref"] for name, ref in refs.items()},
            },
        }


class GuidelineBrief(serializers.Serializer[Any]):
    """The newest guidelines of a kind, and whether who asks has acknowledged them."""

    version = serializers.IntegerField()
    acknowledged = serializers.BooleanField()


class NextWork(serializers.Serializer[Any]):
    """The item to write and those after it."""

    package = PackageRow()
    rules = RulesField()
    guideline = GuidelineBrief(allow_null=True)
    items = WorkItem(many=True)


class NextInput(Input):
    """Where the annotator is."""

    after = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST, default=0)


class PackageListInput(PageInput):
    """Filters of the package list."""

    state = serializers.ChoiceField(Package.State.choices, required=False)
    kind = serializers.CharField(required=False, max_length=24)
    assignee = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    stalled = serializers.BooleanField(required=False, default=False)


class PreviewInput(Input):
    """How to batch: the rule of a build without its key."""

    kind = serializers.CharField(max_length=24)
    size = serializers.IntegerField(required=False, min_value=1, max_value=1_000)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=2**53 - 1)
    complete_only = serializers.BooleanField(required=False, default=False)
    mix = serializers.ChoiceField(["shuffled", "spread", "single"], required=False, default="shuffled")
    categories = serializers.ListField(
        child=serializers.SlugField(max_length=64), required=False, allow_empty=False, max_length=500
    )
    maximum = serializers.IntegerField(required=False, min_value=1, max_value=1_000)
    assignees = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1), required=False, max_length=200
    )


class BuildInput(PreviewInput, ClientKeyInput):
    """How to batch."""


class AssignInput(RevisionInput):
    """Whom to give a package."""

    person = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class TakeBackInput(RevisionInput):
    """What the annotator is told."""

    comment = TextField(max_length=500, required=False, allow_blank=True, default="")


class MixedRow(serializers.Serializer[Any]):
    """How many items are on pictures of a category; null for pictures that have none."""

    slug = serializers.CharField(allow_null=True)
    name = LocalisedText(allow_null=True)
    n = serializers.IntegerField()


class PreviewPackage(serializers.Serializer[Any]):
    """A package that would be made."""

    number = serializers.IntegerField()
    items = serializers.IntegerField()
    categories = MixedRow(many=True)


class PassChanceRow(serializers.Serializer[Any]):
    """The chance that a package of which this share is right passes."""

    right_percent = serializers.IntegerField()
    chance = serializers.FloatField()


class PreviewInspection(serializers.Serializer[Any]):
    """What the inspection of a full package would draw, and what passing would mean."""

    size = serializers.IntegerField()
    errors_allowed = serializers.IntegerField()
    pass_chances = PassChanceRow(many=True)


class PreviewWarning(serializers.Serializer[Any]):
    """Something hardly anybody wants; translated by ``code``."""

    code = serializers.CharField()
    params = serializers.DictField()


class PreviewAnswer(serializers.Serializer[Any]):
    """What a build by this rule and seed would make now; the first 50 of ``total`` packages."""

    waiting = serializers.IntegerField()
    chosen = serializers.IntegerField()
    left_over = serializers.IntegerField()
    size = serializers.IntegerField()
    seed = serializers.IntegerField()
    total = serializers.IntegerField()
    packages = PreviewPackage(many=True)
    categories = MixedRow(many=True)
    inspection = PreviewInspection()
    warnings = PreviewWarning(many=True)


class ClaimInput(Input):
    """Which kind of work."""

    kind = serializers.CharField(max_length=24)


class DraftInput(Input):
    """What was typed, with a number that grows."""

    base_no = serializers.IntegerField(min_value=0, max_value=LARGEST)
    seq = serializers.IntegerField(min_value=1, max_value=2**53 - 1)
    content = ContentField()
    active_ms = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)


class DraftAnswer(serializers.Serializer[Any]):
    """What the rules say about it."""

    seq = serializers.IntegerField()
    findings = FindingRow(many=True)
    saved_at = serializers.DateTimeField()


class SubmitInput(ClientKeyInput):
    """A finished item."""

    base_no = serializers.IntegerField(min_value=0, max_value=LARGEST)
    content = ContentField()
    reasons = serializers.DictField(child=TextField(max_length=500, min_length=1), required=False, default=dict)
    active_ms = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    guideline = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST)


class SubmitAnswer(serializers.Serializer[Any]):
    """The revision that was written, now or at an earlier try."""

    item_id = serializers.IntegerField()
    state = serializers.ChoiceField(Item.State.choices)
    revision_no = serializers.IntegerField()
    findings = FindingRow(many=True)
    replayed = serializers.BooleanField()


class SkipInput(ClientKeyInput):
    """Leaving an item unwritten: a reason of the protocol's list, a comment, or both."""

    base_no = serializers.IntegerField(min_value=0, max_value=LARGEST)
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), required=False, default=list)
    comment = TextField(lines=True, required=False, allow_blank=True, default="")


class SkipAnswer(serializers.Serializer[Any]):
    """The item that was left, now or at an earlier try."""

    item_id = serializers.IntegerField()
    state = serializers.ChoiceField(Item.State.choices)
    replayed = serializers.BooleanField()


class TickInput(Input):
    """An item read at a revision; 0 takes the tick back."""

    id = serializers.IntegerField(min_value=1)
    revision_no = serializers.IntegerField(min_value=0, max_value=LARGEST)


class SelfCheckInput(RevisionInput):
    """Items the annotator has read again."""

    items = serializers.ListField(child=TickInput(), allow_empty=False, max_length=1_000)


PackagePage = paged("PackagePage", PackageRow, counts=serializers.DictField(child=serializers.IntegerField()))


class PackageName(serializers.Serializer[Any]):
    """A package as other pages name it."""

    id = serializers.IntegerField()
    label = serializers.CharField()


class ImageItemRow(serializers.Serializer[Any]):
    """An item made on a picture."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(Item.State.choices)
    revision_no = serializers.IntegerField()
    package = PackageName(allow_null=True)


class PackagePlace(PackageName):
    """The package an item is in, with its state."""

    state = serializers.ChoiceField(Package.State.choices)


class PictureThumb(serializers.Serializer[Any]):
    """A picture as lists show it."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    thumb_url = serializers.CharField()
    category = CategoryBrief(allow_null=True)


class ItemListInput(PageInput):
    """Filters of the item list."""

    kind = serializers.CharField(required=False, max_length=24)
    state = serializers.ChoiceField(Item.State.choices, required=False)
    category = serializers.CharField(required=False, max_length=64)
    author = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class ItemRow(ImageItemRow):
    """An item in a list."""

    slot = serializers.IntegerField()
    image = PictureThumb()
    first_text = serializers.CharField()


ItemPage = paged(
    "ItemPage",
    ItemRow,
    counts=serializers.DictField(child=serializers.IntegerField()),
    # So many of a category or of an author that not all were counted.
    counts_are_capped=serializers.BooleanField(),
)


class ItemAnswer(serializers.Serializer[Any]):
    """One item."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    label = serializers.CharField()
    kind = serializers.CharField()
    slot = serializers.IntegerField()
    state = serializers.ChoiceField(Item.State.choices)
    revision_no = serializers.IntegerField()
    accepted_no = serializers.IntegerField(allow_null=True)
    image = PictureBrief()
    content = ContentField(allow_null=True)
    reasons = serializers.DictField(child=serializers.CharField())
    rules = RulesField()
    package = PackagePlace(allow_null=True)
    comments = serializers.IntegerField()
    available_actions = serializers.ListField(child=serializers.CharField())


class ImportRow(Input):
    """A picture by its label or number, and which of its items of the kind."""

    image = serializers.CharField(max_length=48)
    slot = serializers.IntegerField(required=False, min_value=0, max_value=999, default=0)


class ImportInput(ClientKeyInput):
    """Items to make."""

    kind = serializers.CharField(max_length=24)
    rows = serializers.ListField(child=ImportRow(), allow_empty=False, max_length=1_000)


class ImportAnswer(serializers.Serializer[Any]):
    """What an import made, and what was there already."""

    made = serializers.IntegerField()
    existing = serializers.IntegerField()


class StateOfPackages(serializers.Serializer[Any]):
    """Packages in a state: how many, since when the oldest stands there, how many have not moved for too long."""

    n = serializers.IntegerField()
    oldest_at = serializers.DateTimeField(allow_null=True)
    stalled = serializers.IntegerField()


class KindProgress(serializers.Serializer[Any]):
    """How far a kind of work is."""

    kind = serializers.CharField()
    items = serializers.DictField(child=serializers.IntegerField())
    packages = serializers.DictField(child=StateOfPackages())
    accepted = serializers.IntegerField()
    target = serializers.IntegerField(allow_null=True)


class CategoryProgress(serializers.Serializer[Any]):
    """Accepted pictures of a category against what the protocol wants."""

    slug = serializers.CharField()
    name = LocalisedText()
    n = serializers.IntegerField()
    minimum = serializers.IntegerField(allow_null=True)
    target = serializers.IntegerField(allow_null=True)


class PictureProgress(serializers.Serializer[Any]):
    """Accepted pictures against what the protocol wants."""

    accepted = serializers.IntegerField()
    minimum = serializers.IntegerField(allow_null=True)
    categories = CategoryProgress(many=True)


class SeatProgress(serializers.Serializer[Any]):
    """Places to judge in a pool."""

    purpose = serializers.CharField()
    kind = serializers.CharField()
    free = serializers.IntegerField()
    held = serializers.IntegerField()
    done = serializers.IntegerField()


class BoardAnswer(serializers.Serializer[Any]):
    """How far a benchmark's work is."""

    stall_days = serializers.IntegerField()
    kinds = KindProgress(many=True)
    pictures = PictureProgress()
    seats = SeatProgress(many=True)
