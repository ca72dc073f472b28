"""JSON of pictures."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework import serializers

from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import LARGEST, ClientKeyInput, Input, LocalisedText, PersonBrief, TextField
from curation.images.models import Image, Rendition, Upload

SOURCES = ["own", "donated", "external"]
CHECK_STATES = ["waiting", "passed", "flagged", "refused"]
MOST_AT_ONCE = 200
OUTCOMES = [Image.State.ACCEPTED.value, Image.State.REFUSED.value]


class ImagesInput(PageInput):
    """Which pictures to list."""

    state = serializers.ChoiceField(Image.State.choices, required=False)
    category = serializers.SlugField(required=False, max_length=64)
    subset = serializers.RegexField(r"^[A-Z]$", required=False)
    clear = serializers.BooleanField(required=False, allow_null=True, default=None)
    flag = serializers.ChoiceField(["blurred", "near_duplicate"], required=False)
    search = serializers.CharField(required=False, max_length=32)


# --- Uploads


class UsesField(serializers.Serializer[Any]):
    """What a picture may be used for (W-P2)."""

    research = serializers.BooleanField()
    commercial = serializers.BooleanField()


class DetailsInput(Input):
    """What is said about pictures; a name that is left out stays as it was."""

    source = serializers.ChoiceField(SOURCES, required=False)
    site = serializers.CharField(required=False, allow_blank=True, max_length=48)
    url = serializers.URLField(required=False, allow_blank=True, max_length=2_000)
    author = TextField(required=False, allow_blank=True, max_length=200)
    licence = serializers.CharField(required=False, allow_blank=True, max_length=64)
    category = serializers.SlugField(required=False, allow_blank=True, max_length=64)
    uses = UsesField(required=False)
    waived = serializers.BooleanField(required=False)
    donor_consent = serializers.BooleanField(required=False)

    def validate_url(self, value: str) -> str:
        """Web addresses only: the address is shown as a link."""
        if value and not value.lower().startswith(("http://", "https://")):
            raise serializers.ValidationError("A web address is expected.")
        return value


class UploadsInput(PageInput):
    """Which of one's uploads to list; ``ids`` are separated by commas."""

    state = serializers.ChoiceField(Upload.State.choices, required=False)
    ids = serializers.CharField(required=False, max_length=40 * MOST_AT_ONCE)

    def validate_ids(self, value: str) -> list[UUID]:
        """Each id as a number of 128 bits."""
        try:
            return [UUID(part) for part in value.split(",") if part]
        except ValueError as error:
            raise serializers.ValidationError("Ids separated by commas are expected.") from error


class _Ids(Input):
    ids = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=MOST_AT_ONCE)


class DescribeInput(_Ids):
    """Details for some uploads."""

    details = DetailsInput()


class TakeInput(_Ids):
    """Which uploads become pictures."""

    client_key = serializers.UUIDField()


class UploadCheck(serializers.Serializer[Any]):
    """One thing that is looked at."""

    code = serializers.CharField()
    state = serializers.ChoiceField(CHECK_STATES)
    params = serializers.DictField()


class RowError(serializers.Serializer[Any]):
    """Why something was not done for one of many."""

    code = serializers.CharField()
    params = serializers.DictField()
    detail = serializers.CharField(required=False)


class NearThumb(serializers.Serializer[Any]):
    """A picture that looks the same; ``distance`` in bits of 64."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    distance = serializers.IntegerField()
    thumb_url = serializers.CharField()


class ImageRef(serializers.Serializer[Any]):
    """A picture by its name."""

    id = serializers.IntegerField()
    label = serializers.CharField()


class UploadDetails(serializers.Serializer[Any]):
    """What was said about a picture so far."""

    source = serializers.ChoiceField(SOURCES, required=False)
    site = serializers.CharField(required=False)
    url = serializers.CharField(required=False)
    author = serializers.CharField(required=False)
    licence = serializers.CharField(required=False)
    category = serializers.CharField(required=False)
    uses = UsesField(required=False)
    waived = serializers.BooleanField(required=False)
    donor_consent = serializers.BooleanField(required=False)


class UploadRow(serializers.Serializer[Any]):
    """A file on its way in."""

    id = serializers.UUIDField()
    filename = serializers.CharField()
    bytes = serializers.IntegerField()
    received = serializers.IntegerField()
    kind = serializers.ChoiceField(["picture", "zip"])
    parent = serializers.UUIDField(allow_null=True)
    state = serializers.ChoiceField(Upload.State.choices)
    checks = UploadCheck(many=True)
    error = RowError(allow_null=True)
    details = UploadDetails()
    missing = serializers.ListField(child=serializers.CharField())
    width = serializers.IntegerField(allow_null=True)
    height = serializers.IntegerField(allow_null=True)
    thumb_url = serializers.CharField(allow_null=True)
    near = NearThumb(many=True)
    image = ImageRef(allow_null=True)
    expires_at = serializers.DateTimeField()


UploadPage = paged("UploadPage", UploadRow, worker_alive=serializers.BooleanField(), waiting=serializers.IntegerField())


class TakenRow(serializers.Serializer[Any]):
    """What became of one upload."""

    id = serializers.UUIDField()
    image = ImageRef(allow_null=True)
    error = RowError(allow_null=True)


class TakenRows(serializers.Serializer[Any]):
    """What became of each."""

    results = TakenRow(many=True)


# --- Judging


class ObjectsInput(Input):
    """The three counts of an inspector."""

    all = serializers.IntegerField(min_value=0, max_value=10_000)
    listed = serializers.IntegerField(min_value=0, max_value=10_000)
    main = serializers.IntegerField(min_value=0, max_value=10_000, allow_null=True, required=False, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Each is part of the one before."""
        if attrs["listed"] > attrs["all"] or (attrs["main"] or 0) > attrs["listed"]:
            raise serializers.ValidationError("all >= listed >= main is expected.")
        return attrs


class VerdictInput(ClientKeyInput):
    """A decision on a picture; ``no`` is the last one that was seen."""

    image = serializers.IntegerField(min_value=1)
    no = serializers.IntegerField(min_value=0, max_value=LARGEST)
    outcome = serializers.ChoiceField(OUTCOMES)
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), default=list, max_length=20)
    subset = serializers.RegexField(r"^[A-Z]?$", required=False, default="", allow_blank=True)
    category = serializers.SlugField(required=False, default="", allow_blank=True, max_length=64)
    objects = ObjectsInput(required=False, allow_null=True, default=None)


class JudgeInput(Input):
    """Decisions on pictures."""

    verdicts = serializers.ListField(child=VerdictInput(), min_length=1, max_length=MOST_AT_ONCE)


class MarkInput(ClientKeyInput):
    """The mark on one picture."""

    image = serializers.IntegerField(min_value=1)


class ClearInput(Input):
    """The mark on many pictures."""

    images = serializers.ListField(child=MarkInput(), min_length=1, max_length=MOST_AT_ONCE)


class HoldInput(Input):
    """How many pictures a curator wants before them."""

    size = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE)
    category = serializers.SlugField(required=False, default="", allow_blank=True, max_length=64)


class TakedownInput(ClientKeyInput):
    """Why a picture is withdrawn."""

    reason = serializers.CharField(max_length=48)
    comment = TextField(lines=True, required=False, allow_blank=True, default="")


class RestoreInput(ClientKeyInput):
    """Why a picture comes back."""

    reason = serializers.CharField(max_length=48, required=False, allow_blank=True, default="")
    comment = TextField(lines=True, required=False, allow_blank=True, default="")


# --- Pictures


class ImageCategory(serializers.Serializer[Any]):
    """The category a picture was collected for."""

    slug = serializers.CharField()
    name = LocalisedText()


class ImageSource(serializers.Serializer[Any]):
    """Where a picture comes from."""

    kind = serializers.ChoiceField(SOURCES)
    site = serializers.CharField()
    url = serializers.CharField()
    author = serializers.CharField()
    uses = UsesField(allow_null=True)
    waived = serializers.BooleanField()
    donor_consent = serializers.BooleanField()


class ImageFlag(serializers.Serializer[Any]):
    """Something a curator should look at; never a refusal."""

    code = serializers.ChoiceField(["blurred", "near_duplicate"])
    params = serializers.DictField()


class NearImage(serializers.Serializer[Any]):
    """A picture that looks much the same; ``distance`` in bits of 64."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    distance = serializers.IntegerField()


class ImageObjects(serializers.Serializer[Any]):
    """The three counts of an inspector (CVLUE section 3.3)."""

    all = serializers.IntegerField()
    listed = serializers.IntegerField()
    main = serializers.IntegerField(allow_null=True)


class ImageRow(serializers.Serializer[Any]):
    """A picture."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    label = serializers.CharField()
    state = serializers.ChoiceField(Image.State.choices)
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    sha256 = serializers.CharField()
    thumb_url = serializers.CharField()
    view_url = serializers.CharField()
    clean_url = serializers.CharField()
    category = ImageCategory(allow_null=True)
    collected_for = ImageCategory(allow_null=True)
    subset = serializers.CharField(allow_blank=True)
    objects = ImageObjects(allow_null=True)
    verdict_no = serializers.IntegerField()
    source = ImageSource()
    licence = serializers.CharField()
    contributor = PersonBrief()
    personal_information_clear = serializers.BooleanField()
    flags = ImageFlag(many=True)
    near = NearImage(many=True)
    created_at = serializers.DateTimeField()
    available_actions = serializers.ListField(child=serializers.CharField())


class ImageVerdictRow(serializers.Serializer[Any]):
    """A decision that was made."""

    id = serializers.IntegerField()
    judge = PersonBrief()
    outcome = serializers.ChoiceField(OUTCOMES)
    reasons = serializers.ListField(child=serializers.CharField())
    details = serializers.DictField()
    created_at = serializers.DateTimeField()


class RenditionRow(serializers.Serializer[Any]):
    """A file that is served."""

    id = serializers.IntegerField()
    role = serializers.ChoiceField(Rendition.Role.choices)
    version = serializers.IntegerField()
    sha256 = serializers.CharField()
    bytes = serializers.IntegerField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    url = serializers.CharField()


class TakedownRow(serializers.Serializer[Any]):
    """A picture was withdrawn or brought back."""

    restored = serializers.BooleanField()
    by = PersonBrief()
    reason = serializers.CharField()
    comment = serializers.CharField()
    at = serializers.DateTimeField()


class NearTwin(NearThumb):
    """A picture that looks the same, for looking at both side by side."""

    view_url = serializers.CharField()
    clean_url = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    state = serializers.ChoiceField(Image.State.choices)
    contributor = PersonBrief()


class ImageAnswer(ImageRow):
    """A picture with its files and what was decided."""

    near = NearTwin(many=True)  # more of each than in lists
    verdicts = ImageVerdictRow(many=True)
    takedowns = TakedownRow(many=True)
    original_kept = serializers.BooleanField()
    renditions = RenditionRow(many=True)


class CategoryCount(serializers.Serializer[Any]):
    """Pictures of a category against what is wanted."""

    slug = serializers.CharField()
    accepted = serializers.IntegerField()
    received = serializers.IntegerField()
    minimum = serializers.IntegerField(allow_null=True)
    target = serializers.IntegerField(allow_null=True)


class SubsetCount(serializers.Serializer[Any]):
    """Pictures of a subset."""

    subset = serializers.CharField()
    accepted = serializers.IntegerField()


class ImageCounts(serializers.Serializer[Any]):
    """How many pictures there are."""

    received = serializers.IntegerField()
    accepted = serializers.IntegerField()
    refused = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    clear = serializers.IntegerField()
    to_judge = serializers.IntegerField()
    by_category = CategoryCount(many=True)
    by_subset = SubsetCount(many=True)


class HeldAnswer(serializers.Serializer[Any]):
    """A curator's batch."""

    images = ImageRow(many=True)
    until = serializers.DateTimeField(allow_null=True)
    held_by_others = serializers.IntegerField()
    others_until = serializers.DateTimeField(allow_null=True)


class RenewedAnswer(serializers.Serializer[Any]):
    """Until when the batch is kept; null when nothing is left of it."""

    until = serializers.DateTimeField(allow_null=True)


class JudgedRow(serializers.Serializer[Any]):
    """What became of one decision."""

    image_id = serializers.IntegerField()
    image = ImageRow(allow_null=True)
    error = RowError(allow_null=True)


class JudgedRows(serializers.Serializer[Any]):
    """What became of each."""

    results = JudgedRow(many=True)


ImagePage = paged("ImagePage", ImageRow)
