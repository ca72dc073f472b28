"""The base of all input: parsing, and refusal of unknown fields."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from rest_framework import serializers

from curation.core import text
from curation.core.errors import InvalidInput, TextRefused

LARGEST = 2**31 - 1  # what an integer column holds: revision numbers, positions, sizes


class TextField(serializers.CharField):
    """Text a person typed: NFC, stripped; characters that are never stored are refused."""

    def __init__(self, *, lines: bool = False, **kwargs: Any) -> None:
        self.lines = lines
        kwargs.setdefault("max_length", 2_000)
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the text as it is stored."""
        if not isinstance(data, str):
            self.fail("invalid")
        try:
            cleaned = text.clean(data, lines=self.lines)
        except TextRefused as error:
            raise serializers.ValidationError(str(error), code="text_refused") from error
        if not self.allow_blank and text.shows_nothing(cleaned):
            self.fail("blank")
        return str(super().to_internal_value(cleaned))


@cache
def serializer_of(input_class: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """The single instance of a serializer for all requests.

    REST framework copies every field for each instance, which takes longer than parsing. ``run_validation`` does not
    change the instance.
    """
    return input_class()


class Input(serializers.Serializer[Any]):
    """A request body or query; unknown fields are refused, so that a misspelt one is not ignored."""

    @classmethod
    def parse(cls, data: Any) -> dict[str, Any]:
        """Validate ``data``.

        Raises:
            InvalidInput: ``params.fields`` maps each invalid field to the reasons.
        """
        if not hasattr(data, "keys"):
            raise InvalidInput(fields={"": ["An object is expected."]})
        serializer = serializer_of(cls)
        unknown = sorted(set(data.keys()) - set(serializer.fields))
        if unknown:
            raise InvalidInput(fields={name: ["Unknown field."] for name in unknown})
        try:
            return dict(serializer.run_validation(data))
        except serializers.ValidationError as error:
            raise InvalidInput(fields=_plain(error.detail)) from error

    @classmethod
    def parse_form(cls, parts: Any) -> dict[str, Any]:
        """Validate the parts of a ``multipart/form-data`` body.

        Raises:
            InvalidInput: As :meth:`parse`; or a part is repeated.
        """
        if faults := {name: ["Repeated."] for name, values in parts.lists() if len(values) > 1}:
            raise InvalidInput(fields=faults)
        return cls.parse(parts.dict())

    def to_internal_value(self, data: Any) -> Any:
        """Refuse unknown fields in nested parts of a body, too."""
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, Mapping) else []
        if unknown:
            raise serializers.ValidationError({name: ["Unknown field."] for name in unknown})
        return super().to_internal_value(data)


def _plain(errors: Any) -> Any:
    if isinstance(errors, dict):
        return {str(k): _plain(v) for k, v in errors.items()}
    return [_plain(e) if isinstance(e, dict | list) else str(e) for e in errors]


class LocalisedText(serializers.Serializer[Any]):
    """A name in the three interface languages."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Fields are language tags, which are not Python names."""
        return {tag: TextField(max_length=200) for tag in ("zh-Hans", "zh-Hant", "en")}


class ClientKeyInput(Input):
    """A command without further data; a repeat is recognised by the key."""

    client_key = serializers.UUIDField()


class RevisionInput(ClientKeyInput):
    """A command on a row with a revision; an outdated one is refused."""

    revision = serializers.IntegerField(min_value=0, max_value=LARGEST)
