"""The operator's model servers, the only ones that get pictures.

Only the environment defines them. Pages and requests use their names alone, so no user can make the site send requests
to an address of their choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from evaluation.backends.serving import ModelServer

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME = 32
_KEY = "MODEL_SERVER_KEY_"


def read(entries: Iterable[str], environment: Mapping[str, str]) -> dict[str, ModelServer]:
    """Read ``name=url`` pairs, and each server's key from ``MODEL_SERVER_KEY_<NAME>``.

    Args:
        entries: For example ``qwen=http://10.0.0.5:8000``; a path before ``/v1`` is part of the address.
        environment: Source of the keys; a variable's name has the server's name in capitals with ``_`` for ``-``.

    Raises:
        ImproperlyConfigured: An entry is malformed, or a key has no server. The message has no address and no key.
    """
    servers: dict[str, ModelServer] = {}
    for entry in entries:
        name, equals, url = entry.strip().partition("=")
        if not equals or not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
            raise ImproperlyConfigured(
                f"MODEL_SERVERS wants name=url pairs, the name of a-z, 0-9 and -, at most {_LONGEST_NAME} long."
            )
        if name in servers:
            raise ImproperlyConfigured(f"MODEL_SERVERS names {name} twice.")
        key = environment.get(_KEY + _upper(name), "")
        if key != key.strip() or not key.isascii() or not (key == "" or key.isprintable()):
            raise ImproperlyConfigured(f"{_KEY}{_upper(name)} cannot be sent as a key.")
        servers[name] = ModelServer(name=name, url=_address(name, url), key=key)
    strays = {name for name in environment if name.startswith(_KEY)} - {_KEY + _upper(name) for name in servers}
    if strays:
        raise ImproperlyConfigured(f"MODEL_SERVERS names no server for {', '.join(sorted(strays))}.")
    return servers


def require_at_least(least: float, value: float, name: str) -> None:
    """Reject a setting below its minimum.

    Raises:
        ImproperlyConfigured: The setting is too small.
    """
    if not value >= least:
        raise ImproperlyConfigured(f"{name} has to be at least {least:g}.")


def _address(name: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
    except ValueError:
        wrong = True
    if wrong or re.search(r"[\s\\]", url):
        raise ImproperlyConfigured(f"MODEL_SERVERS: the address of {name} is no http or https address.")
    if parts.username is not None or parts.password is not None:
        raise ImproperlyConfigured(f"MODEL_SERVERS: {name} has a password in its address; use {_KEY}{_upper(name)}.")
    if parts.query or parts.fragment:
        raise ImproperlyConfigured(f"MODEL_SERVERS: the address of {name} ends with a query, which is not kept.")
    return url.rstrip("/").removesuffix("/v1").rstrip("/")


def _upper(name: str) -> str:
    return name.upper().replace("-", "_")
