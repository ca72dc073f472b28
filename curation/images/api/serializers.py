"""JSON of pictures."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.pages import PageInput, paged
from curation.core.api.serializers import ClientKeyInput, LocalisedText, PersonBrief, TextField
from curation.images.models import Image, Rendition

SOURCES = ["own", "external"]
OUTCOMES = [Image.State.ACCEPTED.value, Image.State.REFUSED.value]


class ImagesInput(PageInput):
    """Which pictures to list."""

    state = serializers.ChoiceField(Image.State.choices, required=False)
    category = serializers.SlugField(required=False, max_length=64)


class UploadInput(ClientKeyInput):
    """A picture and where it comes from."""

    file = serializers.FileField()
    source = serializers.ChoiceField(SOURCES)
    source_url = serializers.URLField(required=False, allow_blank=True, default="", max_length=2_000)
    author = TextField(required=False, allow_blank=True, default="", max_length=200)
    licence = serializers.CharField(max_length=64)
    category = serializers.SlugField(required=False, allow_blank=True, default="", max_length=64)

    def validate_source_url(self, value: str) -> str:
        """Web addresses only: the address is shown as a link."""
        if value and not value.lower().startswith(("http://", "https://")):
            raise serializers.ValidationError("A web address is expected.")
        return value


class JudgeInput(ClientKeyInput):
    """A decision on a picture."""

    outcome = serializers.ChoiceField(OUTCOMES)
    reasons = serializers.ListField(child=serializers.CharField(max_length=48), default=list, max_length=20)


class ImageCategory(serializers.Serializer[Any]):
    """The category a picture was collected for."""

    slug = serializers.CharField()
    name = LocalisedText()


class ImageSource(serializers.Serializer[Any]):
    """Where a picture comes from."""

    kind = serializers.ChoiceField(SOURCES)
    url = serializers.CharField()
    author = serializers.CharField()


class ImageFlag(serializers.Serializer[Any]):
    """Something a curator should look at; never a refusal."""

    code = serializers.ChoiceField(["blurred", "near_duplicate"])
    params = serializers.DictField()


class NearImage(serializers.Serializer[Any]):
    """A picture that looks much the same; ``distance`` in bits of 64."""

    id = serializers.IntegerField()
    label = serializers.CharField()
    distance = serializers.IntegerField()


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
    subset = serializers.CharField(allow_blank=True)
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


class ImageAnswer(ImageRow):
    """A picture with its files and what was decided."""

    verdicts = ImageVerdictRow(many=True)
    renditions = RenditionRow(many=True)


class ImageCounts(serializers.Serializer[Any]):
    """How many pictures there are of each state, before filters."""

    received = serializers.IntegerField()
    accepted = serializers.IntegerField()
    refused = serializers.IntegerField()
    personal_information_clear = serializers.IntegerField()


ImagePage = paged("ImagePage", ImageRow, counts=ImageCounts())
