"""Authentication: the session or token of a request, its person and their grants in one statement."""

from __future__ import annotations

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
from curation.people.api.attempts import count_attempt, remember_device
from curation.people.models import ApiToken, Person, PersonSession
from curation.people.rules import digest, secret_sha256

_SESSION_KEY = re.compile(r"[0-9a-z]{8,64}")
_PREFIX = re.compile(r"[0-9a-f]{12}")
_SIGNED_IN = "_signed_in_as"  # the request's attribute with the person who signed in by it


class SessionStore(DatabaseSessions):
    """Sessions in our own table; loading one also loads its person and their grants."""

    person: Person | None = None

    @classmethod
    def get_model_class(cls) -> type[PersonSession]:
        """The table with the person column."""
        return PersonSession

    def _validate_session_key(self, key: Any) -> bool:
        """Take keys as we make them alone: a cookie may contain what PostgreSQL cannot compare, such as NUL."""
        return isinstance(key, str) and _SESSION_KEY.fullmatch(key) is not None

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
    """The session's person; anonymous if the account is closed or the password has changed since."""
    session = request.session
    person_id = session.get(auth.SESSION_KEY)
    if person_id is None:
        return AnonymousUser()
    person = getattr(session, "person", None)
    if person is None or str(person.pk) != person_id:
        person = access.person_signed_in(int(person_id))  # the request that signs in has not loaded the session
    if person is None or not person.is_active:
        return AnonymousUser()
    if not constant_time_compare(session.get(auth.HASH_SESSION_KEY, ""), person.get_session_auth_hash()):
        session.flush()
        return AnonymousUser()
    return person


class PersonMiddleware:
    """Sets ``request.user`` lazily; replaces Django's, which takes another statement.

    Responses to a signed-in person have ``X-Grants``, by which an open page notices that the person's roles changed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.user = cast(Person, SimpleLazyObject(lambda: person_of(request)))
        response = self.get_response(request)
        user: object = request.__dict__["user"]
        if type(user) is Person:  # evaluated by an operation; to do it here would add a statement to every page
            response.headers["X-Grants"] = digest(user.grants)
        if (signed_in := getattr(request, _SIGNED_IN, None)) is not None:
            remember_device(request, response, signed_in)
        return response


class SessionPerson(SessionAuthentication):
    """Authenticates API requests by the session, and checks the anti-forgery token."""

    def authenticate(self, request: Request) -> tuple[Person, None] | None:
        """Return the person, or None; unsafe methods of a signed-in person need the anti-forgery token."""
        person = person_of(request._request)  # noqa: SLF001  (REST framework's own way to the session)
        if not isinstance(person, Person):
            return None
        # Not REST framework's request, which would parse the body to look for the token there.
        self.enforce_csrf(cast(Request, request._request))  # noqa: SLF001  (as above)
        person.page_benchmark = request.headers.get("X-Benchmark", "")
        return person, None

    def authenticate_header(self, request: Request) -> str:
        """Makes a refusal 401, not 403."""
        return "Session"


class TokenPerson(BaseAuthentication):
    """Programs send ``Authorization: Bearer prefix.secret``; no session is read or made, no anti-forgery token needed.

    The person's grants are narrowed to the token's benchmark and operations. A request with a token that is unknown,
    expired, revoked or of a closed account is refused, even if it has a session as well.
    """

    def authenticate(self, request: Request) -> tuple[Person, ApiToken] | None:
        """Return the token's person, or None if the request has no token.

        Raises:
            NotSignedIn: The token is not valid.
        """
        scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        prefix, _, secret = sent.strip().partition(".")
        token = access.load_token(prefix) if _PREFIX.fullmatch(prefix) else None
        sha256 = secret_sha256(secret)
        if token is None or not constant_time_compare(sha256, token.secret_sha256) or not token.person.is_active:
            raise NotSignedIn
        access.record_use(token)
        return token.person, token

    def authenticate_header(self, request: Request) -> str:
        """Makes a refusal 401, not 403."""
        return "Bearer"


def renew_session(request: HttpRequest, person: Person) -> None:
    """Keep this browser signed in after its person's password has changed, with a new key and a new device cookie."""
    auth.update_session_auth_hash(request, person)
    setattr(request, _SIGNED_IN, person)


class ClosedSignUp(DefaultAccountAdapter):
    """People get accounts by invitation and cannot sign up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Closed."""
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt; credentials that cannot be encoded count as wrong."""
        try:
            json.dumps(credentials, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise self.validation_error("username_password_mismatch") from error
        counted = count_attempt(request, self.clean_username(str(credentials.get("username", ""))))
        if counted is None:
            raise self.validation_error("too_many_login_attempts")
        self._login_failed_rl_usage = counted  # allauth rolls it back when the password is right

    def login(self, request: HttpRequest, user: Person) -> None:
        """Sign in, and remember for the answer that this browser did."""
        super().login(request, user)
        setattr(request, _SIGNED_IN, user)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Normalize the name as accounts do, and nothing more."""
        return Person.normalize_username(username)
