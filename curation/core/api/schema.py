"""The OpenAPI description: operation ids, answers and errors of the declared operations."""

from __future__ import annotations

from typing import Any, Literal

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, list_hash
from pydantic import TypeAdapter

from curation.core.api.serializers import Input

# The error statuses of every operation: invalid input, no session, no permission, no such row, no database.
REFUSALS = (400, 401, 403, 404, 503)
# The further error statuses of writes: conflicting state, body too large, wrong type, invalid content, rate limit.
REFUSED_CHANGES = (409, 413, 415, 422, 429)
REFUSAL = {
    "type": "object",
    "description": "An error: a stable code, its data, and an English sentence.",
    "properties": {
        "code": {"type": "string"},
        "params": {"type": "object", "additionalProperties": {}},
        "detail": {"type": "string"},
    },
    "required": ["code", "params", "detail"],
    "additionalProperties": {},
}
# Defined once in the document; every operation refers to it.
REFUSED = {
    "description": "Refused; nothing was changed.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
}


class OperationSchema(AutoSchema):
    """Gives every operation its declared name, and a tag for its feature."""

    def get_operation_id(self) -> str:
        """The declared name."""
        names: dict[str, str] = getattr(self.view, "operations", {})
        return names.get(self.method) or str(super().get_operation_id())

    def get_tags(self) -> list[str]:
        """The feature: ``curation.images.api.views`` → ``images``."""
        return [type(self.view).__module__.split(".")[1]]

    def get_auth(self) -> list[dict[str, list[Any]]]:
        """Session or token; ``docs/architecture/permissions.md`` lists what no token may do."""
        return [{"cookieAuth": []}, {"tokenAuth": []}]

    def _map_basic_serializer(self, serializer: Any, direction: Literal["request", "response"]) -> Any:
        """Input accepts no other fields than its own."""
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # untyped in the library
        shape = serializer if isinstance(serializer, type) else type(serializer)
        if issubclass(shape, Input):
            schema["additionalProperties"] = False
        return schema

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> Any:
        """The result, and every status of an error."""
        bodies = super()._get_response_bodies(direction=direction)
        shape = getattr(getattr(self.view, self.method.lower(), None), "shape", None)
        if shape is not None:
            schema = self._describe(shape)
            for success in [status for status in bodies if status.startswith("2")]:
                bodies[success] = {"description": "", "content": {"application/json": {"schema": schema}}}
        for kind, name, schema in (
            (ResolvedComponent.SCHEMA, "Refusal", REFUSAL),
            (ResolvedComponent.RESPONSE, "Refused", REFUSED),
        ):
            component = ResolvedComponent(name, kind, schema, object=name)  # type: ignore[no-untyped-call]  # untyped in the library
            self.registry.register_on_missing(component)
        changes = REFUSED_CHANGES if self.method != "GET" else ()
        for status in sorted({*REFUSALS, *changes, *getattr(self.view, "refusals", ())}):
            bodies.setdefault(str(status), {"$ref": "#/components/responses/Refused"})
        return bodies

    def _describe(self, shape: Any) -> dict[str, Any]:
        """The JSON schema of an answer's type; the types inside it become components of the document."""
        schema = TypeAdapter(shape).json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
        for name, component in schema.pop("$defs", {}).items():
            self._register(name, component)
        if "title" in schema and schema.get("type") == "object" and "properties" in schema:
            name = schema["title"]
            self._register(name, schema)
            return {"$ref": f"#/components/schemas/{name}"}
        described: dict[str, Any] = to_openapi(schema)
        return described

    def _register(self, name: str, schema: dict[str, Any]) -> None:
        """Add a shape to the document's components.

        Raises:
            ValueError: Another shape has the name.
        """
        component = ResolvedComponent(name, ResolvedComponent.SCHEMA, to_openapi(schema), object=name)  # type: ignore[no-untyped-call]  # untyped in the library
        if component in self.registry and self.registry[component].schema != component.schema:
            raise ValueError(f"Two different shapes are called {name}.")
        self.registry.register_on_missing(component)


def to_openapi(schema: Any) -> Any:
    """Convert pydantic's JSON schema to OpenAPI 3.0: no null, no ``const``, no derived titles."""
    match schema:
        case {"anyOf": [*parts], **rest} if {"type": "null"} in parts:
            kept = [to_openapi(part) for part in parts if part != {"type": "null"}]
            one = kept[0] if len(kept) == 1 else {"anyOf": kept}
            # Keys next to ``$ref`` are ignored.
            return to_openapi(rest) | ({"allOf": [one]} if "$ref" in one else one) | {"nullable": True}
        case {"enum": words, "x-enum-labels": labels, **rest}:
            # The component of an enum gets its name by this id.
            return to_openapi(rest) | {
                "enum": words,
                "x-spec-enum-id": list_hash(list(zip(words, labels, strict=True))),
            }
        case {"const": word, "type": kind}:
            return {"enum": [word], "type": kind}
        case dict():
            return {
                key: {name: to_openapi(part) for name, part in value.items()}
                if key == "properties"
                else to_openapi(value)
                for key, value in schema.items()
                if not (key == "title" and isinstance(value, str))
            }
        case list():
            return [to_openapi(part) for part in schema]
    return schema
