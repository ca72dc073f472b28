"""Input about systems."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.core.api.serializers import ClientKeyInput
from evaluation.backends.registry import SERVED
from evaluation.backends.serving import TEXT
from evaluation.systems.rules import SystemRecord

# Parameters that are handed to the model server's backend.
_PARAMETERS = ("model", "text_template", "picture_text", "normalise", "dimensions", "dtype")


class FetchInput(ClientKeyInput):
    """What to fetch: a branch, a tag, a pull request's ref or a commit; without one, the main branch.

    Code is allowed for a full commit only.
    """

    revision = serializers.RegexField(r"^[\w][\w./-]{0,63}$", required=False)
    allow_code = serializers.BooleanField(default=False)


class ServeInput(ClientKeyInput):
    """A model on one of the model servers, and how requests to it are made.

    ``server`` is a name, never an address. Without ``model`` it is the only one that is served. ``text_template``
    contains ``{text}`` once.
    """

    slug = serializers.RegexField(r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)
    name = serializers.CharField(max_length=120)
    server = serializers.CharField(max_length=32)
    model = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    text_template = serializers.CharField(max_length=2000, trim_whitespace=False, default=TEXT)
    picture_text = serializers.CharField(max_length=2000, trim_whitespace=False, allow_blank=True, default="")
    normalise = serializers.BooleanField(default=True)
    dimensions = serializers.IntegerField(min_value=1, max_value=65_536, allow_null=True, default=None)
    dtype = serializers.RegexField(r"^[a-z0-9_]*$", max_length=32, allow_blank=True, default="")
    licence = serializers.CharField(max_length=64, allow_blank=True, default="")

    def validate_text_template(self, template: str) -> str:
        """One place for the caption."""
        if template.count(TEXT) != 1:
            raise serializers.ValidationError(f"{TEXT} has to occur once.")
        return template

    @classmethod
    def parse(cls, data: Any) -> dict[str, Any]:
        """Validate ``data`` and make the system's record of it.

        Raises:
            InvalidInput.
        """
        fields = super().parse(data)
        record = SystemRecord.model_validate(
            {
                "slug": fields["slug"],
                "name": fields["name"],
                "description": dict.fromkeys(("zh-Hans", "zh-Hant", "en"), fields["name"]),
                "group": "hosted",
                "backend": SERVED,
                "locator": fields["server"],
                "licence": fields["licence"],
                "parameters": {name: fields[name] for name in _PARAMETERS},
            }
        )
        return {"record": record, "client_key": fields["client_key"]}
