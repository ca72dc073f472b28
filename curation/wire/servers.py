"""The model servers of a site, read from its environment and nowhere else.

Pages, requests and rows name servers; only the environment knows addresses and keys. So no user can make the site send
requests to an address of their choice.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args
from urllib.parse import urlsplit

#: The queue of work that asks model servers, which waits for the network nearly all the time.
QUEUE: Final = "served"

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME: Final = 32
_KEY: Final = "MODEL_SERVER_KEY_"
_LIMIT_NAME: Final = "MODEL_SERVER_LIMIT_NAME_"
_TEMPERATURE: Final = "MODEL_SERVER_TEMPERATURE_"
_NONE: Final = "none"
# Endings of names that no public host has (RFC 6762, 6761, 8375, and ICANN's reservation of ``internal``).
_PRIVATE_ENDINGS: Final = (".local", ".localhost", ".internal", ".home.arpa", ".test")


#: The parameter of a chat request that bounds the reply.
LimitName = Literal["max_tokens", "max_completion_tokens"]


class ServersMisconfigured(ValueError):
    """An entry is malformed. The message has no address and no key."""


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A model server.

    Attributes:
        name: The name that people see.
        url: The root address: above ``/v1`` for an own server, above ``/chat/completions`` for a hosted one.
        key: The API key, sent to this server only; empty: none.
        hosted: Whether a provider runs it, as opposed to a vLLM or SGLang of the operator's own.
        limit_name: The parameter that bounds a reply.
        sends_temperature: Whether chat requests have a temperature; some models refuse any.
    """

    name: str
    url: str = field(repr=False)
    key: str = field(default="", repr=False)
    hosted: bool = False
    limit_name: LimitName = "max_tokens"
    sends_temperature: bool = True

    @property
    def base_url(self) -> str:
        """The address above ``/chat/completions``."""
        return self.url if self.hosted else f"{self.url}/v1"


def read(entries: Iterable[str], environment: Mapping[str, str], hosted: Iterable[str] = ()) -> dict[str, ModelServer]:
    """Read ``name=url`` pairs, and each server's key from ``MODEL_SERVER_KEY_<NAME>``.

    ``MODEL_SERVER_LIMIT_NAME_<NAME>`` and ``MODEL_SERVER_TEMPERATURE_<NAME>=none`` say how its chat requests differ.

    Args:
        entries: Own servers, for example ``qwen=http://10.0.0.5:8000``; a path before ``/v1`` is part of the address.
        environment: Source of keys and differences; a variable's name has the server's name in capitals with ``_``
            for ``-``.
        hosted: Hosted servers, with the address as their provider documents it, for example
            ``gpt=https://api.openai.com/v1``.

    Raises:
        ServersMisconfigured: An entry is malformed, a key has no server, or a key would be sent unencrypted to a public
            host.
    """
    servers: dict[str, ModelServer] = {}
    for variable, is_hosted, given in (("MODEL_SERVERS", False, entries), ("HOSTED_MODEL_SERVERS", True, hosted)):
        for entry in given:
            server = _server(variable, entry, environment, hosted=is_hosted)
            if server.name in servers:
                raise ServersMisconfigured(f"{variable} names {server.name} twice.")
            servers[server.name] = server
    prefixes = (_KEY, _LIMIT_NAME, _TEMPERATURE)
    known = {prefix + _upper(name) for prefix in prefixes for name in servers}
    strays = {name for name in environment if name.startswith(prefixes)} - known
    if strays:
        listed = ", ".join(servers) or "none"
        raise ServersMisconfigured(
            f"{', '.join(sorted(strays))}: no such server; MODEL_SERVERS and HOSTED_MODEL_SERVERS list {listed}."
        )
    return servers


def _server(variable: str, entry: str, environment: Mapping[str, str], *, hosted: bool) -> ModelServer:
    name, equals, url = entry.strip().partition("=")
    if not equals or not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise ServersMisconfigured(
            f"{variable} wants name=url pairs, the name of a-z, 0-9 and -, at most {_LONGEST_NAME} long."
        )
    key = environment.get(_KEY + _upper(name), "")
    if key != key.strip() or not key.isascii() or not (key == "" or key.isprintable()):
        raise ServersMisconfigured(f"{_KEY}{_upper(name)} cannot be sent as a key.")
    url = _address(variable, name, url)
    parts = urlsplit(url)
    if parts.scheme == "http" and (key or hosted) and is_public(parts.hostname or ""):
        raise ServersMisconfigured(
            f"{variable}: {name} is on a public host over http, where its key could be read: use https."
        )
    if not hosted:
        url = url.removesuffix("/v1").rstrip("/")
    return ModelServer(
        name=name,
        url=url,
        key=key,
        hosted=hosted,
        limit_name=_chosen(environment, _LIMIT_NAME + _upper(name), get_args(LimitName)),
        sends_temperature=_chosen(environment, _TEMPERATURE + _upper(name), ("", _NONE)) != _NONE,
    )


def _chosen(environment: Mapping[str, str], variable: str, values: tuple[Any, ...]) -> Any:
    """A variable's value, of which there are few; the first if it is empty or not there."""
    value = environment.get(variable, "").strip()
    if value and value not in values:
        raise ServersMisconfigured(f"{variable} has to be {' or '.join(filter(None, values))}.")
    return value or values[0]


def is_public(host: str) -> bool:
    """Whether a host can be on the internet, judged by its name or address alone: no name is resolved."""
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        name = host.rstrip(".").lower()
        return "." in name and not name.endswith(_PRIVATE_ENDINGS)


def _address(variable: str, name: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
    except ValueError:
        wrong = True
    if wrong or re.search(r"[\s\\]", url):
        raise ServersMisconfigured(f"{variable}: the address of {name} is no http or https address.")
    if parts.username is not None or parts.password is not None:
        raise ServersMisconfigured(f"{variable}: {name} has a password in its address; use {_KEY}{_upper(name)}.")
    if parts.query or parts.fragment:
        raise ServersMisconfigured(f"{variable}: the address of {name} ends with a query, which is not kept.")
    return url.rstrip("/")


def _upper(name: str) -> str:
    return name.upper().replace("-", "_")
