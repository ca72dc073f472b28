"""OpenAPI: operation ids come from the views' own table."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema


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
