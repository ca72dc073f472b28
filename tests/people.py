"""People for tests: a benchmark with one person per role, and browsers signed in as them."""

from __future__ import annotations

import csv
import io
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings
from django.contrib import auth
from django.test import Client
from django.utils.crypto import get_random_string

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.rules import consent_sha256
from curation.people import services
from curation.people.api.session import SessionStore
from curation.people.models import Consent, Person, RoleGrant
from tests.protocols import names

PASSWORD = "a-long-test-password"


class Role(StrEnum):
    """Codes of the roles that the presets name, and the site's owner."""

    OWNER = "owner"
    ADMIN = "admin"
    CURATOR = "curator"
    SENIOR = "senior"
    ANNOTATOR = "annotator"
    CONTRIBUTOR = "contributor"


# What the presets' roles may do, for protocols of tests that name no roles themselves.
ROLES = [
    {"code": code, "name": names(code), "capabilities": capabilities}
    for code, capabilities in {
        "admin": ["administer", "collect", "inspect_images"],
        "curator": ["collect", "inspect_images", "inspect"],
        "senior": ["review"],
        "annotator": ["annotate"],
        "contributor": ["collect"],
    }.items()
]


@dataclass
class World:
    """A benchmark with its people."""

    benchmark: Benchmark
    owner: Person
    admin: Person
    curator: Person
    curator2: Person
    senior: Person
    senior2: Person
    annotator: Person
    annotator2: Person
    contributor: Person
    stranger: Person


def person(username: str, benchmark: Benchmark | None = None, *roles: str, consent: bool = True) -> Person:
    """Make an account with roles, which agreed to what the benchmark asks unless told otherwise."""
    [made] = people({username: roles}, benchmark, consent=consent)
    return made


def people(roles: dict[str, Sequence[str]], benchmark: Benchmark | None, *, consent: bool = True) -> list[Person]:
    """Make accounts with the roles named for each, in a few statements for all."""
    made = [Person(username=Person.normalize_username(name), name=f"{name} 名") for name in roles]
    for who in made:
        who.set_password(PASSWORD)
    Person.objects.bulk_create(made)
    RoleGrant.objects.bulk_create(
        RoleGrant(person=who, benchmark=None if role == Role.OWNER else benchmark, role=role)
        for who, held in zip(made, roles.values(), strict=True)
        for role in held
    )
    if benchmark is not None and consent:
        Consent.objects.bulk_create(filter(None, (_consent(who, benchmark, 1) for who in made)))
    return list(Person.objects.filter(pk__in=[who.pk for who in made]).order_by("pk"))


def agree(who: Person, benchmark: Benchmark, *, given: bool = True) -> None:
    """Write down that somebody agreed to the benchmark's consent text, if it has one."""
    no = Consent.objects.filter(person=who, benchmark=benchmark).count() + 1
    consent = _consent(who, benchmark, no, given=given)
    if consent is not None:
        consent.save(force_insert=True)
        who.grants = None


def _consent(who: Person, benchmark: Benchmark, no: int, *, given: bool = True) -> Consent | None:
    version = benchmark.protocol
    if version is None or not version.consent_sha256:
        return None
    return Consent(
        person=who,
        benchmark=benchmark,
        no=no,
        given=given,
        text_version=version.content["consent"]["version"],
        text_sha256=version.consent_sha256,
        client_key=uuid.uuid4(),
    )


def world(content: dict, slug: str = "cvlue", prefix: str = "", *, consent: bool = True) -> World:
    """Make a benchmark whose protocol has ``content`` (and the standard roles where it names none), and its people."""
    content = {"roles": ROLES} | content
    benchmark = Benchmark.objects.create(slug=slug, title={"zh-Hans": "测试", "zh-Hant": "測試", "en": "Test"})
    version = ProtocolVersion.objects.create(
        benchmark=benchmark,
        version=1,
        name=content.get("meta", {}).get("name", "test"),
        source_sha256="0" * 64,
        content=content,
        consent_sha256=consent_sha256(content),
    )
    benchmark.protocol = version
    benchmark.save(update_fields=["protocol"])
    members = ("admin", "curator", "curator2", "senior", "senior2", "annotator", "annotator2", "contributor")
    made = people({f"{prefix}{name}": [Role(name.rstrip("2"))] for name in members}, benchmark, consent=consent)
    owner, stranger = people({f"{prefix}owner": [Role.OWNER], f"{prefix}stranger": []}, None)
    return World(benchmark=benchmark, owner=owner, stranger=stranger, **dict(zip(members, made, strict=True)))


def signed_in(who: Person) -> Client:
    """A browser with a real session of ``who``; sends and expects JSON.

    The session is written as signing in leaves it, in one statement: Django's ``force_login`` takes ten, and tests sign
    in a thousand times. What signing in itself does is tested where it is asked for by its address.
    """
    session, backend = SessionStore(), "allauth.account.auth_backends.AuthenticationBackend"
    values = {auth.SESSION_KEY: str(who.pk), auth.BACKEND_SESSION_KEY: backend}
    session._session_key = get_random_string(32)
    session._session_cache = values | {auth.HASH_SESSION_KEY: who.get_session_auth_hash()}
    session.create_model_instance(session._session_cache).save(force_insert=True)
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return client


def send(browser: Client, method: str, address: str, body: dict | None = None, **headers: str):
    """Ask the API for ``address`` (behind ``/api/v1/``) as JSON."""
    text = "" if body is None else json.dumps(body)
    return browser.generic(method, f"/api/v1/{address}", text, content_type="application/json", headers=headers)


def told(answer) -> tuple[int, str]:
    """Status and code of a refusal."""
    return answer.status_code, answer.json()["code"]


def key() -> str:
    """A fresh client key."""
    return str(uuid.uuid4())


__all__ = [
    "PASSWORD",
    "ROLES",
    "Role",
    "World",
    "agree",
    "csv_rows",
    "key",
    "person",
    "send",
    "services",
    "signed_in",
    "told",
    "world",
]


def csv_rows(browser: Client, address: str) -> list[dict[str, str]]:
    """The rows of a CSV file behind ``/api/v1/``, which is sent in parts and begins with the mark of UTF-8."""
    answer = browser.get(f"/api/v1/{address}")
    assert (answer.status_code, answer.streaming, answer["Content-Type"]) == (200, True, "text/csv; charset=utf-8")
    content = answer.getvalue()
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
