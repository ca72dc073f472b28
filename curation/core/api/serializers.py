"""The base of all input: parsing, and refusal of unknown fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django.db.models.manager import BaseManager
from rest_framework import serializers

from curation.core import text
from curation.core.errors import InvalidInput, TextRefused
from curation.core.models import Job

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
def shaped(shape: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """The one instance of a serializer that all requests read and write by.

    REST framework copies every field for every instance, which costs more than using them; reading and writing by
    ``run_validation`` and ``to_representation`` leaves no trace in the instance.
    """
    return shape()


Write = Callable[[Any], Any]


@cache
def written(shape: type[serializers.Serializer[Any]]) -> Write:
    """What converts a value to its documented shape: the serializer's ``to_representation``, compiled once.

    REST framework looks up again for each row which fields are read and whether a value is a function. Where a shape
    or one of its fields has a method of its own, that is used.
    """
    return _writer(shaped(shape))


def _writer(field: Any) -> Write:
    kind = type(field)
    if isinstance(field, serializers.ListSerializer) and (
        kind.to_representation is serializers.ListSerializer.to_representation
    ):
        one = _writer(field.child)
        return lambda rows: [one(row) for row in (rows.all() if isinstance(rows, BaseManager) else rows)]
    if not isinstance(field, serializers.Serializer) or (
        kind.to_representation is not serializers.Serializer.to_representation
    ):
        write: Write = field.to_representation
        return write
    steps = [
        (str(one.field_name), _place(one), one.get_attribute, _writer(one))
        for one in field.fields.values()
        if not one.write_only
    ]

    def row(value: Any) -> dict[str, Any]:
        values = {}
        by_key = isinstance(value, dict)
        for name, place, get, write in steps:
            try:
                if place is None:
                    one = get(value)
                else:
                    one = value[place] if by_key else getattr(value, place)
                    if callable(one):
                        one = get(value)
            except (KeyError, AttributeError):
                # Not there, or the row is neither: the field knows whether it has a default or may be left out.
                try:
                    one = get(value)
                except serializers.SkipField:
                    continue
            except serializers.SkipField:
                continue
            values[name] = None if one is None else write(one)
        return values

    return row


def _place(field: Any) -> str | None:
    """The name of the field's value, if it is one name and the field has no method of its own for it."""
    plain = type(field).get_attribute is serializers.Field.get_attribute
    return field.source_attrs[0] if plain and len(field.source_attrs) == 1 else None


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
        serializer = shaped(cls)
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


class PersonBrief(serializers.Serializer[Any]):
    """A person as others see them."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class JobAnswer(serializers.Serializer[Any]):
    """Background work as its page shows it; ``total`` is null while nobody knows how much there is to do."""

    id = serializers.IntegerField()
    kind = serializers.CharField(source="task")
    state = serializers.ChoiceField(Job.State.choices)
    done = serializers.IntegerField()
    total = serializers.SerializerMethodField()
    error_code = serializers.SerializerMethodField()
    error_params = serializers.DictField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_total(self, job: Any) -> int | None:
        """Steps, once they were counted."""
        return job.total or None

    def get_error_code(self, job: Any) -> str | None:
        """Why it failed, translated by code."""
        return job.error_code or None
