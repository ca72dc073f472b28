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
from curation.images.rules import FLAGS, OUTCOMES, SOURCES, Objects

MOST_AT_ONCE = 200  # pictures or uploads of one request, whose rows stay locked until it ends


class ImageFilters(FilteredInput):
    """Which pictures to list, in which order."""

    filters = queries.ImageFilters

    state = serializers.ChoiceField(Image.State.choices, required=False)
    category = serializers.SlugField(required=False, max_length=64)
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


class DetailsInput(Input):
    """Details of pictures; those left out stay as they are."""

    source = serializers.ChoiceField(SOURCES, required=False)
    site = serializers.CharField(required=False, allow_blank=True, max_length=48)
    url = serializers.URLField(required=False, allow_blank=True, max_length=2_000)
    author = TextField(required=False, allow_blank=True, max_length=200)
    licence = serializers.CharField(required=False, allow_blank=True, max_length=64)
    category = serializers.SlugField(required=False, allow_blank=True, max_length=64)
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
    """The mark on one picture."""

    image = serializers.IntegerField(min_value=1)

    def validate(self, attrs: dict[str, Any]) -> Any:
        """Return the picture with the key of its mark."""
        return attrs["image"], attrs["client_key"]


class ClearInput(Input):
    """The mark on many pictures."""

    images = serializers.ListField(source="marks", child=MarkInput(), min_length=1, max_length=MOST_AT_ONCE)


class HoldInput(Input):
    """How many pictures to reserve."""

    size = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE)
    category = serializers.SlugField(required=False, default="", allow_blank=True, max_length=64)


class CorrectInput(ClientKeyInput):
    """The right category, licence or subset of a picture; what is left out or empty stays."""

    category = serializers.SlugField(required=False, default="", allow_blank=True, max_length=64)
    licence = serializers.CharField(required=False, default="", allow_blank=True, max_length=64)
    subset = serializers.RegexField(r"^[A-Z]?$", required=False, default="", allow_blank=True)
    objects = ObjectsInput(required=False, allow_null=True, default=None)


class TakedownInput(ClientKeyInput):
    """Why a picture is withdrawn."""

    reason = serializers.CharField(max_length=48)
    comment = TextField(lines=True, required=False, allow_blank=True, default="")


class RestoreInput(ClientKeyInput):
    """Why a picture is restored."""

    reason = serializers.CharField(max_length=48, required=False, allow_blank=True, default="")
    comment = TextField(lines=True, required=False, allow_blank=True, default="")
