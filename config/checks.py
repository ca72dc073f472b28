"""Deployment checks, run by ``manage.py check --deploy --database default`` and at every start.

Web server and workers refuse to start if a check fails (``refuse_what_is_unsafe``). The demo is exempt: it listens on
this machine only, and its passwords are public.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import check_password
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004  (Django's name)
from django.db import DatabaseError, connection

from curation.mail.rules import clean_address
from curation.people.rules import DEMO_LOG_INS

log = logging.getLogger(__name__)

SHORTEST_SECRET = 50  # the length of Django's generated keys
FEWEST_CHARACTERS = 8  # different ones; a random key of this length has far more
PLACEHOLDER = re.compile(
    r"django-insecure|change.?(me|this|it)|replace.?(me|this|it)|place.?holder|your.?(own.?)?(secret|key)|example"
    r"|to.?do|secret.?key|not.?(so.?)?secret|insecure",
    re.IGNORECASE,
)
ENDPOINT = re.compile(r"https?://(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?", re.IGNORECASE)
PREFIX = re.compile(r"[A-Za-z0-9._/-]*")
SECRET_HINT = "Make one: python -c 'import secrets; print(secrets.token_urlsafe(48))'"  # noqa: S105  (says how to make one)


def _weak(secret: str) -> str:
    """Return why a secret is unsafe; empty if it is safe."""
    if PLACEHOLDER.search(secret):
        return "is a placeholder"
    if len(secret) < SHORTEST_SECRET:
        return f"is shorter than {SHORTEST_SECRET} characters"
    if len(set(secret)) < FEWEST_CHARACTERS:
        return f"has fewer than {FEWEST_CHARACTERS} different characters"
    return ""


def _unsafe_hosts() -> list[str]:
    """Return the entries of ``ALLOWED_HOSTS`` that match more than the installation's own names."""
    names: list[str] = settings.ALLOWED_HOSTS
    return [
        name for name in names if "*" in name or name in ("", ".") or (name.startswith(".") and "." not in name[1:])
    ]


def store_faults() -> list[CheckMessage]:
    """Return the faults of the bucket's settings; none without a bucket."""
    place = settings.OBJECT_STORE
    needed = {name: place[name] for name in ("bucket", "endpoint", "key_id", "secret")}
    if not any(needed.values()) and not place["prefix"]:
        return []
    faults: list[CheckMessage] = []
    if missing := [f"OBJECT_STORE_{name.upper()}" for name, value in needed.items() if not value]:
        hint = "Set all of OBJECT_STORE_BUCKET, _ENDPOINT, _KEY_ID and _SECRET, or none."
        faults.append(
            Error(f"The object store is half named: {', '.join(missing)} missing.", hint=hint, id="lantern.E008")
        )
    if place["endpoint"] and not ENDPOINT.fullmatch(place["endpoint"]):
        faults.append(
            Error(
                "OBJECT_STORE_ENDPOINT is no address of a server.",
                hint="Write https://host or https://host:port, without the bucket.",
                id="lantern.E009",
            )
        )
    if not PREFIX.fullmatch(place["prefix"]):
        reason = "OBJECT_STORE_PREFIX holds other than letters, digits, dots, dashes and slashes."
        faults.append(Error(reason, hint="Take another one.", id="lantern.E009"))
    if any("CHANGE-ME" in place[name] for name in ("key_id", "secret")):
        faults.append(Error("The object store's keys are placeholders.", hint="Fill them in.", id="lantern.E010"))
    return faults


def mail_faults() -> list[CheckMessage]:
    """Return the faults of the mail server's settings; none without one."""
    if not settings.MAIL_CONFIGURED:
        return []
    faults: list[CheckMessage] = []
    if not ENDPOINT.fullmatch(settings.SITE_URL):
        reason = "SITE_URL is missing or no address of a site, and mails need links to it."
        hint = "Write https://host or https://host:port, without a path."
        faults.append(Error(reason, hint=hint, id="lantern.E011"))
    if clean_address(parseaddr(settings.DEFAULT_FROM_EMAIL)[1]) is None:
        reason = "EMAIL_FROM is missing or no address, and mails need a sender."
        faults.append(Error(reason, hint="Write Lantern <lantern@your.host>.", id="lantern.E012"))
    return faults


def live_faults() -> list[CheckMessage]:
    """Return the faults of the live channel's settings."""
    faults: list[CheckMessage] = []
    origins = (settings.LIVE_ORIGIN, settings.LIVE_PAGE_ORIGIN)
    if any(origins) and not all(ENDPOINT.fullmatch(origin) for origin in origins):
        reason = "LIVE_ORIGIN and LIVE_PAGE_ORIGIN are not both addresses of a server."
        hint = "Write https://host or https://host:port, without a path; leave both empty behind one host name."
        faults.append(Error(reason, hint=hint, id="lantern.E013"))
    is_pooled = settings.DATABASES["default"]["OPTIONS"]["prepare_threshold"] is None
    if is_pooled and not settings.LIVE_DATABASE:
        reason = "PREPARED_STATEMENTS is off, as behind a pooler, and LIVE_DATABASE_URL is not set."
        hint = "Pages are not notified of what is new through a pooler: name the database server itself."
        faults.append(Warning(reason, hint=hint, id="lantern.W002"))
    return faults


@register(Tags.security, deploy=True)
def check_settings(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Check for settings that would open the site or that are incomplete."""
    faults = [*store_faults(), *mail_faults(), *live_faults()]
    if settings.DEMO:
        return faults
    if why := _weak(settings.SECRET_KEY):
        faults.append(Error(f"SECRET_KEY {why}.", hint=SECRET_HINT, id="lantern.E001"))
    if settings.DEBUG:
        faults.append(Error("DEBUG is on.", hint="Take DEBUG out of the environment.", id="lantern.E002"))
    if not settings.ALLOWED_HOSTS or (wild := _unsafe_hosts()):
        reason = (
            f"ALLOWED_HOSTS holds {', '.join(map(repr, wild))}" if settings.ALLOWED_HOSTS else "ALLOWED_HOSTS is empty"
        )
        faults.append(Error(f"{reason}.", hint="Name the site's own host names.", id="lantern.E003"))
    if settings.METRICS_TOKEN and (len(settings.METRICS_TOKEN) < 20 or PLACEHOLDER.search(settings.METRICS_TOKEN)):
        faults.append(Error("METRICS_TOKEN is short or a placeholder.", hint=SECRET_HINT, id="lantern.E004"))
    if settings.SECURE_PROXY_SSL_HEADER and not settings.SESSION_COOKIE_SECURE:
        faults.append(
            Error(
                "BEHIND_TLS_PROXY is on and COOKIES_SECURE is off: cookies would also travel in the open.",
                hint="Set COOKIES_SECURE=true.",
                id="lantern.E005",
            )
        )
    if any(origin.startswith("http://") or "*" in origin for origin in settings.CSRF_TRUSTED_ORIGINS):
        faults.append(
            Error(
                "CSRF_TRUSTED_ORIGINS holds a wildcard or an address without TLS.",
                hint="Write https:// and the site's own host name.",
                id="lantern.E006",
            )
        )
    if settings.PASSWORD_HASHERS[0].rpartition(".")[2] in ("MD5PasswordHasher", "UnsaltedMD5PasswordHasher"):
        faults.append(Warning("PASSWORD_HASHER is a quick one.", hint="Leave it unset.", id="lantern.W001"))
    return faults


@register(Tags.database, deploy=True)
def check_accounts(
    app_configs: Any = None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Check for demo accounts with their public passwords.

    This takes one query, and one password check for each account with a demo name; ``databases`` is what Django passes
    to checks that use the database.
    """
    if settings.DEMO or not databases:
        return []
    passwords = {entry["username"]: entry["password"] for entry in DEMO_LOG_INS}
    accounts = get_user_model().objects.filter(username__in=passwords, is_active=True).order_by("username")
    names = [
        name
        for name, stored_password in accounts.values_list("username", "password")
        if check_password(passwords[name], stored_password)
    ]
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
    """Check the accounts at a start; the start must not fail while the database is unavailable or not set up yet."""
    try:
        return check_accounts(databases=["default"])
    except DatabaseError as error:
        log.warning("accounts were not looked at: %s", type(error).__name__)
        return []
    finally:
        connection.close()  # forked processes must not share this connection


def refuse_what_is_unsafe() -> None:
    """End this process if a check fails.

    Raises:
        SystemExit: With every fault and its code on standard error.
    """
    faults = [fault for fault in (*check_settings(), *_accounts_at_start()) if fault.is_serious()]
    if faults:
        raise SystemExit("Lantern does not start like this:\n" + "\n".join(str(fault) for fault in faults))
