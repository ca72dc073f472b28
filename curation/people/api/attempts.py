"""Limits on failed log-ins, and who has to wait after another person's wrong passwords.

A browser without a device cookie waits after 5 failures in 5 minutes for its name from its address, after 30 a minute
or 200 an hour from its address, and after 100 an hour for its name from anywhere. So wrong passwords from one address
keep a person waiting at that address, and elsewhere only once there are 100 in an hour. A limit that is used up holds
while the failures go on, and for its period at most after they end.

A browser that signed in before as the person has a device cookie (OWASP, "Slow Down Online Guessing Attacks with Device
Cookies") and waits only after failures of its own, 10 in 5 minutes; a new password ends all cookies. It shares the
limit on all log-ins from its address (``LOG_INS_PER_MINUTE``), right and wrong, with everybody there.

Names are counted whether or not they exist, so that no answer tells which do. Addresses are those that allauth finds:
the connection's, or behind our own proxy the one that the proxy added to ``X-Forwarded-For``.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from allauth.core.internal import ratelimit
from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare

from curation.core.errors import TooManyRequests
from curation.people import access
from curation.people.errors import PasswordTooWeak
from curation.people.models import Person

COOKIE: Final = "device"
COOKIE_SECONDS: Final = 365 * 24 * 3600
COOKIE_PATH: Final = "/_allauth/"
_APP: Final = "allauth.account"  # whose settings hold the limits
_SALT: Final = "curation.people.device"
_PASSWORD_SECONDS: Final = 5 * 60  # the period of ``password_change_failed``


def count_attempt(request: HttpRequest, username: str) -> ratelimit.RateLimitUsage | None:
    """Count an attempt as failed until it is known to succeed.

    Args:
        request: The request.
        username: The name that was sent, in the form that accounts have.

    Returns:
        What was counted, to be rolled back after a success; None if the attempt is refused.
    """
    name = username.lower()
    device = _device(request, username)
    limits: dict[str, str | None]
    if device is not None:
        limits = {"login_failed_device": device}
    else:
        limits = {
            "login_failed_name_at_address": f"{ratelimit.get_ip(request)} {name}",
            "login_failed_address": None,
            "login_failed_name": name,
        }
    counted = ratelimit.RateLimitUsage(usage=[])
    for action, key in limits.items():
        usage = ratelimit.consume(request, app=_APP, action=action, key=key)
        if usage is None:
            counted.rollback()
            return None
        counted.usage += usage.usage
    return counted


@contextmanager
def limited_password_attempt(request: HttpRequest, person: Person) -> Iterator[None]:
    """Change a person's password inside; wrong ones are counted, so that an unlocked screen reveals none by trying.

    Raises:
        TooManyRequests: There were too many wrong passwords for this person.
    """
    counted = ratelimit.consume(request, app=_APP, action="password_change_failed", key=str(person.pk))
    if counted is None:
        raise TooManyRequests(seconds=_PASSWORD_SECONDS)
    try:
        yield
    except PasswordTooWeak:  # the current one was right
        counted.rollback()
        raise
    counted.rollback()


@contextmanager
def counted_sign_up(request: HttpRequest) -> Iterator[None]:
    """Count a new account from an address, unless it is not created; attempts are counted on their own.

    Raises:
        TooManyRequests: The address created as many accounts as it may in an hour, or tried too many names.
    """
    tried = ratelimit.consume(request, app=_APP, action="sign_up_tried")
    made = ratelimit.consume(request, app=_APP, action="sign_up") if tried is not None else None
    if made is None:
        raise TooManyRequests(seconds=3600)
    try:
        yield
    except Exception:
        made.rollback()
        raise


def remember_device(request: HttpRequest, response: HttpResponseBase, person: Person) -> None:
    """Give a browser that has just signed in its device cookie."""
    content = {"person": person.pk, "password": person.get_session_auth_hash(), "device": secrets.token_hex(8)}
    response.set_cookie(
        COOKIE,
        signing.dumps(content, salt=_SALT),
        max_age=COOKIE_SECONDS,
        path=COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _device(request: HttpRequest, username: str) -> str | None:
    """The device of a valid cookie of this person; the database is asked only for cookies that we signed."""
    try:
        content = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=COOKIE_SECONDS)
    except signing.BadSignature:
        return None
    person = access.person_signed_in(content["person"])
    if person is None or person.username.lower() != username.lower():
        return None
    if not constant_time_compare(content["password"], person.get_session_auth_hash()):
        return None
    return str(content["device"])
