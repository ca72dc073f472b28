"""Reads about people and what they did."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Q

from curation.core.models import AuditEvent
from curation.core.pages import page
from curation.people import access
from curation.people.models import Person
from curation.people.rules import BY_LINK, PERMISSIONS, SIGNED_IN


def benchmarks_of(person: Person) -> list[dict[str, Any]]:
    """The benchmarks somebody takes part in with their roles and operations there."""
    return [
        {
            "slug": b.slug,
            "title": b.title,
            "roles": roles_in(person, b.pk),
            "operations": person.operations(b.pk),
            "kinds": sorted((b.protocol.content if b.protocol else {}).get("kinds", {})),
        }
        for b in access.benchmarks_known_to(person).select_related("protocol").order_by("pk")
    ]


def roles_in(person: Person, benchmark_id: int) -> list[str]:
    """Names of the roles somebody holds in a benchmark, the site's owner included."""
    return sorted({g.role for g in person.grants if g.benchmark_id in (benchmark_id, None)})


def people_with_roles(person: Person, slug: str) -> list[Person]:
    """Everybody in a benchmark, with ``roles``."""
    benchmark = access.benchmark_for(person, slug, "person_list")
    held = Q(role_grants__benchmark=benchmark, role_grants__ended_at=None)
    rows = access.people_of(benchmark).annotate(roles=ArrayAgg("role_grants__role", filter=held, distinct=True))
    return list(rows.order_by("username")[:500])


def with_roles(person: Person) -> dict[str, Any]:
    """One person as the list shows them."""
    return {
        "id": person.pk,
        "username": person.username,
        "name": person.name,
        "roles": sorted(g.role for g in person.grants),
        "last_login": person.last_login,
    }


def audit_page(person: Person, slug: str, *, cursor: str | None, page_size: int, **filters: Any) -> dict[str, Any]:
    """A page of a benchmark's audit log, newest first, with the actors' names."""
    benchmark = access.benchmark_for(person, slug, "audit_list")
    wanted = {name: value for name, value in filters.items() if value is not None}
    rows = AuditEvent.objects.filter(benchmark_id=benchmark.pk, **wanted)
    found = page(rows, by="-id", cursor=cursor, page_size=page_size)
    names = names_of({e.actor_id for e in found["results"]})
    for event in found["results"]:
        event.actor = {"id": event.actor_id, "name": names[event.actor_id]} if event.actor_id else None
    return found


def brief(person: Person | None) -> dict[str, Any] | None:
    """A person as others see them: ``{"id", "name"}``."""
    return {"id": person.pk, "name": person.name} if person else None


def names_of(ids: set[int | None]) -> dict[int | None, str]:
    """Names by id."""
    return dict(Person.objects.filter(pk__in=[i for i in ids if i is not None]).values_list("pk", "name"))


def permission_rows() -> list[tuple[str, str, str]]:
    """The permission table flat: (operation, capability, reach); what the golden file holds.

    ``signed_in`` and ``link`` stand for whoever is signed in and whoever brings a link.
    """
    rows = []
    for operation, row in PERMISSIONS.items():
        if operation in SIGNED_IN:
            rows.append((operation, "signed_in", "own"))
        elif operation in BY_LINK:
            rows.append((operation, "link", "own"))
        else:
            rows += [(operation, capability, reach.value) for capability, reach in row.items()]
    return rows
