"""OpenAPI: operation ids come from the views' own table."""

from __future__ import annotations

from typing import Any, Literal

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent

from curation.core.api.serializers import Input

# What any operation may answer instead of its result: the form, the session, the rights, nothing there, no database.
REFUSALS = (400, 401, 403, 404, 503)
# What one that changes something may answer besides: another state, too large a body, content, a pace.
REFUSED_CHANGES = (409, 413, 415, 422, 429)
REFUSAL = {
    "type": "object",
    "description": "Why something was not done: a stable code, the data behind it, an English sentence.",
    "properties": {
        "code": {"type": "string"},
        "params": {"type": "object", "additionalProperties": {}},
        "detail": {"type": "string"},
    },
    "required": ["code", "params", "detail"],
    "additionalProperties": {},
}
# Named once in the document and referred to by every operation.
REFUSED = {
    "description": "Not done, and nothing changed.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
}


class OperationSchema(AutoSchema):
    """Names every operation as the permission table does and tags it with its feature."""

    def get_operation_id(self) -> str:
        """The key of the permission table."""
        named: dict[str, str] = getattr(self.view, "operations", {})
        return named.get(self.method) or str(super().get_operation_id())

    def get_tags(self) -> list[str]:
        """The feature: ``curation.images.api.views`` → ``images``."""
        return [type(self.view).__module__.split(".")[1]]

    def get_auth(self) -> list[dict[str, list[Any]]]:
        """Both ways to say who one is; ``docs/architecture/permissions.md`` shows what tokens never do."""
        return [{"cookieAuth": []}, {"tokenAuth": []}]

    def _map_basic_serializer(self, serializer: Any, direction: Literal["request", "response"]) -> Any:
        """Input knows no other names than its own."""
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # untyped in the library
        shape = serializer if isinstance(serializer, type) else type(serializer)
        if issubclass(shape, Input):
            schema["additionalProperties"] = False
        return schema

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> Any:
        """The result, and every status that a refusal may have."""
        bodies = super()._get_response_bodies(direction=direction)
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
