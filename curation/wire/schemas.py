"""The schema of a structured reply, as servers take it with ``"strict": true``.

OpenAI: every object forbids further properties and requires all of its own, the root is an object, and ``default``,
``oneOf`` and words beside a ``$ref`` are refused (https://platform.openai.com/docs/guides/structured-outputs,
"Supported schemas"). vLLM and SGLang take the same. Bounds such as ``maximum`` or ``maxLength`` are left out, because
servers differ in which they take: pydantic checks the reply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

_LONGEST_NAME: Final = 64
# Of one value, and of what contains others. Words that pydantic adds and that are not here are left out.
_VALUE_WORDS: Final = ("type", "description", "title", "enum", "const")
_NO_FORM: Final = "a reply cannot have this form with a strict schema: {place} {fault}"


def response_format(form: type[BaseModel]) -> dict[str, Any]:
    """The part of a request that asks for a reply of a form.

    An optional field is required here, too: a model writes its default or null instead of leaving it out.

    Raises:
        ValueError: The form has a part that a strict schema cannot describe: an object with free keys, any value, a
            tuple, or no object at its root.
    """
    name = re.sub(r"[^A-Za-z0-9_-]", "_", form.__name__)[:_LONGEST_NAME]
    return {"type": "json_schema", "json_schema": {"name": name, "schema": strict_schema(form), "strict": True}}


def strict_schema(form: type[BaseModel]) -> dict[str, Any]:
    """The strict JSON schema of a form.

    Raises:
        ValueError: See :func:`response_format`.
    """
    whole = form.model_json_schema()
    parts = whole.pop("$defs", {})
    if "$ref" in whole:  # a form that contains itself
        whole = parts[whole["$ref"].removeprefix("#/$defs/")]
    schema = _strict(whole, form.__name__)
    if schema.get("type") != "object":
        raise ValueError(_NO_FORM.format(place=form.__name__, fault="is no object"))
    if parts:
        schema["$defs"] = {name: _strict(part, name) for name, part in parts.items()}
    return schema


def _strict(schema: Mapping[str, Any], place: str) -> dict[str, Any]:
    strict = {word: schema[word] for word in _VALUE_WORDS if word in schema}
    if reference := schema.get("$ref"):
        # Nothing may stand beside a reference.
        return {"$ref": reference} if not strict else {**strict, "anyOf": [{"$ref": reference}]}
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return {**strict, "anyOf": [_strict(choice, place) for choice in choices]}
    if schema.get("type") == "object":
        if schema.get("additionalProperties"):
            raise ValueError(_NO_FORM.format(place=place, fault="has free keys"))
        properties = schema.get("properties", {})
        strict["properties"] = {name: _strict(part, f"{place}.{name}") for name, part in properties.items()}
        strict["required"] = list(properties)
        strict["additionalProperties"] = False
    elif schema.get("type") == "array":
        if "items" not in schema:
            raise ValueError(_NO_FORM.format(place=place, fault="has no type for its elements"))
        strict["items"] = _strict(schema["items"], f"{place}[]")
    elif not strict.keys() & {"type", "enum", "const"}:
        raise ValueError(_NO_FORM.format(place=place, fault="has no type"))
    return strict
