"""People for tests: a benchmark with one person per role, and browsers signed in as them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.test import Client

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.people import services
from curation.people.models import Person, RoleGrant
from curation.people.rules import Role

PASSWORD = "a-long-test-password"


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


def person(username: str, benchmark: Benchmark | None = None, *roles: Role) -> Person:
    """Make an account with roles."""
    made = Person.objects.create_person(username=username, name=f"{username} 名", password=PASSWORD)
    for role in roles:
        RoleGrant.objects.create(person=made, benchmark=None if role is Role.OWNER else benchmark, role=role)
    return Person.objects.get(pk=made.pk)


def world(content: dict, slug: str = "cvlue", prefix: str = "") -> World:
    """Make a benchmark whose protocol has ``content``, and its people."""
    benchmark = Benchmark.objects.create(slug=slug, title={"zh-Hans": "测试", "zh-Hant": "測試", "en": "Test"})
    version = ProtocolVersion.objects.create(
        benchmark=benchmark, version=1, name="test", source_sha256="0" * 64, content=content
    )
    benchmark.protocol = version
    benchmark.save(update_fields=["protocol"])
    made = {
        name: person(f"{prefix}{name}", benchmark, Role(name.rstrip("2")))
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


def key() -> str:
    """A fresh client key."""
    return str(uuid.uuid4())


__all__ = ["PASSWORD", "World", "key", "person", "services", "signed_in", "world"]
