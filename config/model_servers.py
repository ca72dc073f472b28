"""The model servers that an installation's operator has set up: the only ones that pictures are ever sent to.

They are named in the environment and nowhere else. Pages and requests know their names alone, so nobody who uses the
site can have it ask an address of their choosing.
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
        entries: Such as ``qwen=http://10.0.0.5:8000``; a path in front of ``/v1`` belongs to the address.
        environment: Where the keys stand, the name in capitals with ``_`` for ``-``.

    Raises:
        ImproperlyConfigured: An entry is no such pair, or a key belongs to no server. No address and no key is quoted.
    """
    found: dict[str, ModelServer] = {}
    for entry in entries:
        name, equals, url = entry.strip().partition("=")
        if not equals or not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
            raise ImproperlyConfigured(
                f"MODEL_SERVERS wants name=url pairs, the name of a-z, 0-9 and -, at most {_LONGEST_NAME} long."
            )
        if name in found:
            raise ImproperlyConfigured(f"MODEL_SERVERS names {name} twice.")
        key = environment.get(_KEY + _upper(name), "")
        if key != key.strip() or not key.isascii() or not (key == "" or key.isprintable()):
            raise ImproperlyConfigured(f"{_KEY}{_upper(name)} cannot be sent as a key.")
        found[name] = ModelServer(name=name, url=_address(name, url), key=key)
    strays = {name for name in environment if name.startswith(_KEY)} - {_KEY + _upper(name) for name in found}
    if strays:
        raise ImproperlyConfigured(f"MODEL_SERVERS names no server for {', '.join(sorted(strays))}.")
    return found


def require_at_least(least: float, value: float, name: str) -> None:
    """Refuse a setting below the least that makes sense.

    Raises:
        ImproperlyConfigured: It is less.
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
