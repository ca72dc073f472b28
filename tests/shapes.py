"""Validators of the shapes that answers declare: exactly these keys, each of its type."""

from functools import cache
from typing import Any, get_args, get_type_hints

from pydantic import ConfigDict, TypeAdapter
from typing_extensions import is_typeddict


@cache
def adapter(shape: Any) -> TypeAdapter[Any]:
    """What refuses an answer with a key too many, one too few, or a value of another type."""
    _forbid_other_keys(shape, set())
    return TypeAdapter(shape)


def _forbid_other_keys(shape: Any, seen: set[Any]) -> None:
    if is_typeddict(shape) and shape not in seen:
        seen.add(shape)
        shape.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
        for part in get_type_hints(shape).values():
            _forbid_other_keys(part, seen)
    for part in get_args(shape):
        _forbid_other_keys(part, seen)
