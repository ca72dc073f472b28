"""Input about pictures and uploads."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework import serializers

from curation.core.api.pages import FilteredInput, PageInput
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, TextField
from curation.core.text import BIDI_CONTROLS
from curation.images import queries, services
from curation.images.models import Image, Upload
from curation.images.rules import (
    FLAGS,
    MOST_REGIONS,
    ORIGINS,
    OUTCOMES,
    REGION_TREATMENTS,
    REGION_TYPES,
    SOURCES,
    Objects,
    Region,
)

MOST_AXES = 20
LONGEST_AXIS = 48  # characters of a code
MOST_AT_ONCE = 200  # pictures or uploads of one request, whose rows stay locked until it ends


class ImageFilters(FilteredInput):
    """Which pictures to list, in which order."""

    filters = queries.ImageFilters

    state = serializers.ChoiceField(Image.State.choices, required=False)
    category = serializers.SlugField(required=False, max_length=64)
    axes = serializers.RegexField(
        r"^[a-z][a-z0-9_]*:[a-zA-Z0-9_-]+( [a-z][a-z0-9_]*:[a-zA-Z0-9_-]+)*$",
        required=False,
        max_length=500,
        help_text="Values of dimensions, separated by blanks: ``grade:high difficulty:hard``.",
    )
    subset = serializers.RegexField(r"^[A-Z]$", required=False)
    clear = serializers.BooleanField(required=False, allow_null=True, default=None)
    flag = serializers.ChoiceField(FLAGS, required=False)
    search = serializers.CharField(required=False, max_length=100)
    sort = serializers.ChoiceField(["-number", "number"], required=False, default="-number")


class ImagesInput(ImageFilters, PageInput):
    """A page of the list of pictures."""


class UsesField(serializers.Serializer[Any]):
    """What a picture may be used for."""

    research = serializers.BooleanField()
    commercial = serializers.BooleanField()


class AxesField(serializers.DictField):
    """Values of further dimensions by the dimension's code; an empty value removes the old one."""

    child = serializers.SlugField(max_length=64, allow_blank=True)

    def to_internal_value(self, data: Any) -> Any:
        """Limit how many there are, so that a request is not longer than any protocol needs."""
        values = super().to_internal_value(data)
        if len(values) > MOST_AXES or any(len(axis) > LONGEST_AXIS for axis in values):
            raise serializers.ValidationError("A few values by the codes of dimensions are expected.")
        return values


class DetailsInput(Input):
    """Details of pictures; those left out stay as they are."""

    source = serializers.ChoiceField(SOURCES, required=False)
    site = serializers.CharField(required=False, allow_blank=True, max_length=48)
    url = serializers.URLField(required=False, allow_blank=True, max_length=2_000)
    author = TextField(required=False, allow_blank=True, max_length=200)
    licence = serializers.CharField(required=False, allow_blank=True, max_length=64)
    category = serializers.SlugField(required=False, allow_blank=True, max_length=64)
    axes = AxesField(required=False)
    team = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LARGEST)
    uses = UsesField(required=False)
    waived = serializers.BooleanField(required=False)
    donor_consent = serializers.BooleanField(required=False)

    def validate_url(self, value: str) -> str:
        """Web addresses only, and no direction controls: the address is shown as a link."""
        if not BIDI_CONTROLS.isdisjoint(value):
            raise serializers.ValidationError("Direction controls are not allowed.", code="text_refused")
        if value and not value.lower().startswith(("http://", "https://")):
            raise serializers.ValidationError("A web address is expected.")
        return value


class UploadsInput(PageInput):
    """Which of the person's uploads to list; ``ids`` are separated by commas."""

    state = serializers.ChoiceField(Upload.State.choices, required=False)
    ids = serializers.CharField(required=False, max_length=40 * MOST_AT_ONCE)

    def validate_ids(self, value: str) -> list[UUID]:
        """Parse the ids."""
        try:
            return [UUID(part) for part in value.split(",") if part]
        except ValueError as error:
            raise serializers.ValidationError("Ids separated by commas are expected.") from error


class _Ids(Input):
    ids = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=MOST_AT_ONCE)


class DescribeInput(_Ids):
    """Details for some uploads."""

    details = DetailsInput()


class FinalizeInput(_Ids):
    """Which uploads become pictures."""

    client_key = serializers.UUIDField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Drop the key: each upload has its own, which makes a repeat harmless."""
        return {"ids": attrs["ids"]}


class ObjectsInput(Input):
    """The counts of an inspector."""

    all = serializers.IntegerField(min_value=0, max_value=10_000)
    listed = serializers.IntegerField(min_value=0, max_value=10_000)
    main = serializers.IntegerField(min_value=0, max_value=10_000, allow_null=True, required=False, default=None)
    categories = serializers.IntegerField(min_value=0, max_value=10_000, allow_null=True, required=False, default=None)

    def validate(self, attrs: dict[str, Any]) -> Any:
        """Require all >= listed >= main and categories; return the counts as the services expect them."""
        if max(attrs["main"] or 0, attrs["categories"] or 0) > attrs["listed"] or attrs["listed"] > attrs["all"]:
            raise serializers.ValidationError("all >= listed >= main and categories is expected.")
        return Objects(**attrs)


class VerdictInput(ClientKeyInput):
    """A decision on a picture; ``no`` is the number of decisions that the client loaded."""

    image = serializers.IntegerField(min_value=1)
    no = serializers.IntegerField(min_value=0, max_value=LARGEST)
    outcome = serializers.ChoiceField(OUTCOMES)
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), default=list, max_length=20)
    subset = serializers.RegexField(r"^[A-Z]?$", required=False, default="", allow_blank=True)
    category = serializers.SlugField(required=False, default="", allow_blank=True, max_length=64)
    objects = ObjectsInput(required=False, allow_null=True, default=None)

    def validate(self, attrs: dict[str, Any]) -> Any:
        """Return the decision as the service expects it."""
        return services.Verdict(image_id=attrs.pop("image"), **attrs)


class JudgeInput(Input):
    """Decisions on pictures."""

    verdicts = serializers.ListField(child=VerdictInput(), min_length=1, max_length=MOST_AT_ONCE)


class MarkInput(ClientKeyInput):
    """The tick of one picture; ``no`` is the ``redaction_no`` that the client loaded."""

    image = serializers.IntegerField(min_value=1, max_value=LARGEST)
    no = serializers.IntegerField(min_value=0, max_value=LARGEST)

    def validate(self, attrs: dict[str, Any]) -> Any:
        """Return the tick as the service expects it."""
        return services.Mark(attrs["image"], attrs["client_key"], attrs["no"])


class ClearInput(Input):
    """The ticks of many pictures."""

    images = serializers.ListField(source="marks", child=MarkInput(), min_length=1, max_length=MOST_AT_ONCE)


class _Pixels(serializers.FloatField):
    """A coordinate or length in pixels."""

    def __init__(self) -> None:
        super().__init__(min_value=0, max_value=100_000)

    def to_internal_value(self, data: Any) -> float:
        """Refuse ``true`` and ``false``, which Python counts among the numbers."""
        if isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class RegionInput(Input):
    """A region of a picture; ``reason`` says why it stays visible (``exempt``) and is empty otherwise."""

    key = serializers.CharField(max_length=40)
    box = serializers.ListField(child=_Pixels(), min_length=4, max_length=4)
    what = serializers.ChoiceField(REGION_TYPES)
    how = serializers.ChoiceField(REGION_TREATMENTS)
    reason = TextField(required=False, allow_blank=True, default="", max_length=200)
    origin = serializers.ChoiceField(ORIGINS, required=False, default="person")

    def validate(self, attrs: dict[str, Any]) -> Any:
        """Return the region as the service expects it."""
        return Region(**attrs | {"box": tuple(attrs["box"])})


class CoverInput(ClientKeyInput):
    """Regions of a picture; ``no`` is the ``redaction_no`` that the client loaded."""

    no = serializers.IntegerField(min_value=0, max_value=LARGEST)
    regions = serializers.ListField(child=RegionInput(), min_length=1, max_length=MOST_REGIONS)


class CoverHoldInput(Input):
    """How many pictures to reserve, after which number, and whether only those in which a detector found something."""

    size = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE)
    after = serializers.IntegerField(required=False, default=0, min_value=0, max_value=LARGEST)
    proposed = serializers.BooleanField(required=False, default=False)


class HoldInput(Input):
    """How many pictures to reserve."""

    size = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE)
    category = serializers.SlugField(required=False, default="", allow_blank=True, max_length=64)


class CorrectInput(ClientKeyInput):
    """The right category, licence, subset or values of dimensions of a picture; what is left out or empty stays."""

    category = serializers.SlugField(required=False, default="", allow_blank=True, max_length=64)
    licence = serializers.CharField(required=False, default="", allow_blank=True, max_length=64)
    subset = serializers.RegexField(r"^[A-Z]?$", required=False, default="", allow_blank=True)
    objects = ObjectsInput(required=False, allow_null=True, default=None)
    axes = AxesField(required=False, default=dict)


class TakedownInput(ClientKeyInput):
    """Why a picture is withdrawn."""

    reason = serializers.CharField(max_length=48)
    comment = TextField(lines=True, required=False, allow_blank=True, default="")


class RestoreInput(ClientKeyInput):
    """Why a picture is restored."""

    reason = serializers.CharField(max_length=48, required=False, allow_blank=True, default="")
    comment = TextField(lines=True, required=False, allow_blank=True, default="")
