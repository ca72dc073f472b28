"""People for tests: a benchmark with one person per role, and browsers signed in as them."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from enum import StrEnum

from django.test import Client

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.rules import consent_sha256
from curation.people import services
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
    made = Person.objects.create_person(username=username, name=f"{username} 名", password=PASSWORD)
    for role in roles:
        RoleGrant.objects.create(person=made, benchmark=None if role == Role.OWNER else benchmark, role=role)
    if benchmark is not None and consent:
        agree(made, benchmark)
    return Person.objects.get(pk=made.pk)


def agree(who: Person, benchmark: Benchmark, *, given: bool = True) -> None:
    """Write down that somebody agreed to the benchmark's consent text, if it has one."""
    version = benchmark.protocol
    if version is None or not version.consent_sha256:
        return
    Consent.objects.create(
        person=who,
        benchmark=benchmark,
        no=Consent.objects.filter(person=who, benchmark=benchmark).count() + 1,
        given=given,
        text_version=version.content["consent"]["version"],
        text_sha256=version.consent_sha256,
        client_key=uuid.uuid4(),
    )
    who.grants = None


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
    made = {
        name: person(f"{prefix}{name}", benchmark, Role(name.rstrip("2")), consent=consent)
        for name in ("admin", "curator", "curator2", "senior", "senior2", "annotator", "annotator2", "contributor")
    }
    return World(
        benchmark=benchmark,
        owner=person(f"{prefix}owner", None, Role.OWNER),
        stranger=person(f"{prefix}stranger"),
        **made,
    )


def signed_in(who: Person) -> Client:
    """A browser with a real session of ``who``; sends and expects JSON."""
    client = Client(raise_request_exception=False)
    client.force_login(who, backend="allauth.account.auth_backends.AuthenticationBackend")
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
    "key",
    "person",
    "send",
    "services",
    "signed_in",
    "told",
    "world",
]
