"""Putting values into their shapes: what REST framework says, with less looking up."""

from collections import UserDict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework import serializers

from curation.core.api.serializers import shaped, written


class Inner(serializers.Serializer[Any]):
    """A part with a value of its own and one of its row's."""

    code = serializers.CharField()
    doubled = serializers.SerializerMethodField()

    def get_doubled(self, value: Any) -> int:
        """A method field."""
        return len(value["code"] if isinstance(value, dict | UserDict) else value.code) * 2


class Own(serializers.Serializer[Any]):
    """A shape with a way of its own."""

    def to_representation(self, value: Any) -> dict[str, Any]:
        """Not by its fields."""
        return {"own": str(value)}


class Whole(serializers.Serializer[Any]):
    """Everything a shape of ours has."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="label", allow_null=True)
    deep = serializers.CharField(source="inner.code")
    inner = Inner()
    inners = Inner(many=True)
    maybe = Inner(allow_null=True)
    own = Own()
    at = serializers.DateTimeField()
    counted = serializers.IntegerField(source="count_it")
    fallback = serializers.CharField(default="none given")
    left_out = serializers.CharField(required=False)
    secret = serializers.CharField(write_only=True)
    tags = serializers.ListField(child=serializers.CharField())
    free = serializers.JSONField()


@dataclass
class Part:
    code: str


@dataclass
class Row:
    """The same as an object, with a method where the mapping has a function."""

    id: int = 7
    label: str | None = None
    at: datetime = datetime(2026, 11, 21, tzinfo=UTC)
    own: int = 3
    maybe: Part | None = None
    secret: str = "s"

    @property
    def inner(self) -> Part:
        return Part("花灯")

    @property
    def inners(self) -> list[Part]:
        return [Part("a"), Part("𠮷")]

    def count_it(self) -> int:
        return 5

    tags = ("x", "y")
    free: Any = None


def _mapping(inner: Any = dict) -> dict[str, Any]:
    return {
        "id": 7,
        "label": None,
        "inner": inner(code="花灯"),
        "inners": [inner(code="a"), inner(code="𠮷")],
        "maybe": None,
        "own": 3,
        "at": datetime(2026, 11, 21, tzinfo=UTC),
        "count_it": lambda: 5,
        "secret": "s",
        "tags": ["x", "y"],
        "free": None,
    }


TOLD = {
    "id": 7,
    "name": None,
    "deep": "花灯",
    "inner": {"code": "花灯", "doubled": 4},
    "inners": [{"code": "a", "doubled": 2}, {"code": "𠮷", "doubled": 2}],
    "maybe": None,
    "own": {"own": "3"},
    "at": "2026-11-21T00:00:00Z",
    "counted": 5,
    "fallback": "none given",
    "tags": ["x", "y"],
    "free": None,
}


@pytest.mark.parametrize(
    "value", [_mapping(), _mapping(UserDict), UserDict(_mapping()), Row()], ids=["dict", "parts", "mapping", "object"]
)
def test_a_value_is_told_as_the_framework_tells_it(value: Any) -> None:
    assert written(Whole)(value) == TOLD
    assert shaped(Whole).to_representation(value) == TOLD


def test_what_is_not_there_is_an_error_as_before() -> None:
    with pytest.raises(KeyError, match="KeyError when attempting to get a value for field `id`"):
        written(Whole)({})
    with pytest.raises(AttributeError, match="field `code`"):
        written(Inner)(object())
