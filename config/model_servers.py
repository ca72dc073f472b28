"""The model servers of the settings: what is malformed prevents the start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.core.exceptions import ImproperlyConfigured

from curation.wire import servers
from curation.wire.servers import ModelServer, ServersMisconfigured


def read(entries: Iterable[str], environment: Mapping[str, str], hosted: Iterable[str] = ()) -> dict[str, ModelServer]:
    """Read the servers as :func:`curation.wire.servers.read` does.

    Raises:
        ImproperlyConfigured: An entry is malformed. The message has no address and no key.
    """
    try:
        return servers.read(entries, environment, hosted)
    except ServersMisconfigured as error:
        raise ImproperlyConfigured(str(error)) from None


def require_at_least(least: float, value: float, name: str) -> None:
    """Reject a setting below its minimum.

    Raises:
        ImproperlyConfigured: The setting is too small.
    """
    if not value >= least:
        raise ImproperlyConfigured(f"{name} has to be at least {least:g}.")
