"""Who a request comes from: a session or a token, with its person and their grants in one statement."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, cast

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import auth
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from curation.core.errors import NotSignedIn
from curation.people import access
from curation.people.models import ApiToken, Person, PersonSession
from curation.people.rules import digest

_PREFIX = re.compile(r"[0-9a-f]{12}")


class SessionStore(DatabaseSessions):
    """Sessions in our own table; loading one brings its person and their grants along."""

    person: Person | None = None

    @classmethod
    def get_model_class(cls) -> type[PersonSession]:
        """The table with the person column."""
        return PersonSession

    def _get_session_from_db(self) -> PersonSession | None:
        row = access.load_session(self.session_key)
        if row is None:
            self._session_key = None
            return None
        self.person = row.person
        return row

    def create_model_instance(self, data: dict[str, Any]) -> PersonSession:
        """Copy the signed-in person's id into its own column."""
        row = cast(PersonSession, super().create_model_instance(data))
        person_id = data.get(auth.SESSION_KEY)
        row.person_id = int(person_id) if person_id is not None else None
        return row


def person_of(request: HttpRequest) -> Person | AnonymousUser:
    """Whoever the session belongs to; nobody when the account is closed or the password changed since."""
    session = request.session
    signed_in_as = session.get(auth.SESSION_KEY)
    if signed_in_as is None:
        return AnonymousUser()
    person = getattr(session, "person", None)
    if person is None or str(person.pk) != signed_in_as:
        person = access.person_signed_in(int(signed_in_as))  # right after sign-in, before the session was loaded anew
    if person is None or not person.is_active:
        return AnonymousUser()
    if not constant_time_compare(session.get(auth.HASH_SESSION_KEY, ""), person.get_session_auth_hash()):
        session.flush()
        return AnonymousUser()
    return person


class PersonMiddleware:
    """Sets ``request.user`` lazily; replaces Django's, which asks the database once more.

    Answers to somebody signed in carry ``X-Grants``, so that an open page notices when its person's roles change.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.user = cast(Person, SimpleLazyObject(lambda: person_of(request)))
        response = self.get_response(request)
        who: object = request.__dict__["user"]
        if type(who) is Person:  # an operation asked who it is; asking here would be a statement for every page
            response.headers["X-Grants"] = digest(who.grants)
        return response


class SessionPerson(SessionAuthentication):
    """API requests are made by the session's person, with the anti-forgery token checked."""

    def authenticate(self, request: Request) -> tuple[Person, None] | None:
        """Return the person or None; unsafe methods need the token even when nobody is signed in yet."""
        person = person_of(request._request)  # noqa: SLF001  (REST framework's own way to the session)
        if not isinstance(person, Person):
            return None
        self.enforce_csrf(request)
        return person, None

    def authenticate_header(self, request: Request) -> str:
        """Makes a refusal 401, not 403."""
        return "Session"


class TokenPerson(BaseAuthentication):
    """Programs send ``Authorization: Bearer prefix.secret``; no session is read or made, no anti-forgery token needed.

    The person's grants are narrowed to the token's benchmark and operations. A token that is unknown, expired,
    revoked or its owner's closed account is no sign-in at all, whatever else the request carries.
    """

    def authenticate(self, request: Request) -> tuple[Person, ApiToken] | None:
        """Return the token's person, or None when the request brings no token.

        Raises:
            NotSignedIn: It brings one that opens nothing.
        """
        scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        prefix, _, secret = sent.strip().partition(".")
        token = access.load_token(prefix) if _PREFIX.fullmatch(prefix) else None
        given = hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
        if token is None or not constant_time_compare(given, token.secret_sha256) or not token.person.is_active:
            raise NotSignedIn
        access.note_use(token)
        return token.person, token

    def authenticate_header(self, request: Request) -> str:
        """Makes a refusal 401, not 403."""
        return "Bearer"


class ClosedSignUp(DefaultAccountAdapter):
    """Accounts are made by invitation, never by strangers."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Closed."""
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the try; credentials that cannot even be encoded are wrong ones."""
        try:
            json.dumps(credentials, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise self.validation_error("username_password_mismatch") from error
        super().pre_authenticate(request, **credentials)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Leave names as the person typed them, composed."""
        return Person.normalize_username(username)
