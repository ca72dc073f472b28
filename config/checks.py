"""What must not go into service, looked for by ``manage.py check --deploy --database default`` and at every start.

Web server and workers refuse to start when one of them finds something (``refuse_what_is_unsafe``). The demo is left
alone: it listens on this machine only and everybody knows its passwords.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import check_password
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004  (Django's name)
from django.db import DatabaseError, connection

from curation.people.rules import DEMO_LOG_INS

log = logging.getLogger(__name__)

SHORTEST_SECRET = 50
FEWEST_CHARACTERS = 8
PLACEHOLDER = re.compile(
    r"django-insecure|change.?(me|this|it)|replace.?(me|this|it)|place.?holder|your.?(own.?)?(secret|key)|example"
    r"|to.?do|secret.?key|not.?(so.?)?secret|insecure",
    re.IGNORECASE,
)
ENDPOINT = re.compile(r"https?://(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?", re.IGNORECASE)
PREFIX = re.compile(r"[A-Za-z0-9._/-]*")
SECRET_HINT = "Make one: python -c 'import secrets; print(secrets.token_urlsafe(48))'"  # noqa: S105  (says how to make one)


def _weak(secret: str) -> str:
    """Why a secret is none; empty when it may be one."""
    if PLACEHOLDER.search(secret):
        return "is a placeholder"
    if len(secret) < SHORTEST_SECRET:
        return f"is shorter than {SHORTEST_SECRET} characters"
    if len(set(secret)) < FEWEST_CHARACTERS:
        return f"has fewer than {FEWEST_CHARACTERS} different characters"
    return ""


def _unsafe_hosts() -> list[str]:
    """Hosts of ``ALLOWED_HOSTS`` that stand for more than one installation's own names."""
    names: list[str] = settings.ALLOWED_HOSTS
    return [
        name for name in names if "*" in name or name in ("", ".") or (name.startswith(".") and "." not in name[1:])
    ]


def store_faults() -> list[CheckMessage]:
    """What is amiss with the bucket's settings; nothing where there is no bucket."""
    place = settings.OBJECT_STORE
    needed = {name: place[name] for name in ("bucket", "endpoint", "key_id", "secret")}
    if not any(needed.values()) and not place["prefix"]:
        return []
    found: list[CheckMessage] = []
    if missing := [f"OBJECT_STORE_{name.upper()}" for name, value in needed.items() if not value]:
        hint = "Set all of OBJECT_STORE_BUCKET, _ENDPOINT, _KEY_ID and _SECRET, or none."
        found.append(
            Error(f"The object store is half named: {', '.join(missing)} missing.", hint=hint, id="lantern.E008")
        )
    if place["endpoint"] and not ENDPOINT.fullmatch(place["endpoint"]):
        found.append(
            Error(
                "OBJECT_STORE_ENDPOINT is no address of a server.",
                hint="Write https://host or https://host:port, without the bucket.",
                id="lantern.E009",
            )
        )
    if not PREFIX.fullmatch(place["prefix"]):
        said = "OBJECT_STORE_PREFIX holds other than letters, digits, dots, dashes and slashes."
        found.append(Error(said, hint="Take another one.", id="lantern.E009"))
    if any("CHANGE-ME" in place[name] for name in ("key_id", "secret")):
        found.append(Error("The object store's keys are placeholders.", hint="Fill them in.", id="lantern.E010"))
    return found


@register(Tags.security, deploy=True)
def check_settings(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Settings that would open the site, or that leave it half set up."""
    found = store_faults()
    if settings.DEMO:
        return found
    if why := _weak(settings.SECRET_KEY):
        found.append(Error(f"SECRET_KEY {why}.", hint=SECRET_HINT, id="lantern.E001"))
    if settings.DEBUG:
        found.append(Error("DEBUG is on.", hint="Take DEBUG out of the environment.", id="lantern.E002"))
    if not settings.ALLOWED_HOSTS or (wild := _unsafe_hosts()):
        said = (
            f"ALLOWED_HOSTS holds {', '.join(map(repr, wild))}" if settings.ALLOWED_HOSTS else "ALLOWED_HOSTS is empty"
        )
        found.append(Error(f"{said}.", hint="Name the site's own host names.", id="lantern.E003"))
    if settings.METRICS_TOKEN and (len(settings.METRICS_TOKEN) < 20 or PLACEHOLDER.search(settings.METRICS_TOKEN)):
        found.append(Error("METRICS_TOKEN is short or a placeholder.", hint=SECRET_HINT, id="lantern.E004"))
    if settings.SECURE_PROXY_SSL_HEADER and not settings.SESSION_COOKIE_SECURE:
        found.append(
            Error(
                "BEHIND_TLS_PROXY is on and COOKIES_SECURE is off: cookies would also travel in the open.",
                hint="Set COOKIES_SECURE=true.",
                id="lantern.E005",
            )
        )
    if any(origin.startswith("http://") or "*" in origin for origin in settings.CSRF_TRUSTED_ORIGINS):
        found.append(
            Error(
                "CSRF_TRUSTED_ORIGINS holds a wildcard or an address without TLS.",
                hint="Write https:// and the site's own host name.",
                id="lantern.E006",
            )
        )
    if settings.PASSWORD_HASHERS[0].rpartition(".")[2] in ("MD5PasswordHasher", "UnsaltedMD5PasswordHasher"):
        found.append(Warning("PASSWORD_HASHER is a quick one.", hint="Leave it unset.", id="lantern.W001"))
    return found


@register(Tags.database, deploy=True)
def check_accounts(
    app_configs: Any = None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Accounts of the demo that anybody can sign in to: their passwords are printed in its page.

    One statement, and a password's check for each account with such a name; ``databases`` as Django gives it to checks
    that ask one.
    """
    if settings.DEMO or not databases:
        return []
    known = {entry["username"]: entry["password"] for entry in DEMO_LOG_INS}
    kept = get_user_model().objects.filter(username__in=known, is_active=True).order_by("username")
    names = [name for name, kept_as in kept.values_list("username", "password") if check_password(known[name], kept_as)]
    if not names:
        return []
    return [
        Error(
            f"Accounts of the demo can still sign in with its public password: {', '.join(names)}.",
            hint="Give them other passwords (manage.py changepassword NAME), or close them under People.",
            id="lantern.E007",
        )
    ]


def _accounts_at_start() -> list[CheckMessage]:
    """The same at a start, which must not fail where the database is away for a moment or not set up yet."""
    try:
        return check_accounts(databases=["default"])
    except DatabaseError as error:
        log.warning("accounts were not looked at: %s", type(error).__name__)
        return []
    finally:
        connection.close()  # processes that are forked from this one must not share it


def refuse_what_is_unsafe() -> None:
    """End this process when it would open the site.

    Raises:
        SystemExit: With every fault and its code on standard error.
    """
    found = [fault for fault in (*check_settings(), *_accounts_at_start()) if fault.is_serious()]
    if found:
        raise SystemExit("Lantern does not start like this:\n" + "\n".join(str(fault) for fault in found))
