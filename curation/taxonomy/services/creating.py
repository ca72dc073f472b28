"""Creating a benchmark."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from curation.benchmarks.errors import SlugTaken
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.queries import check_protocol
from curation.benchmarks.queries import preset as read_preset
from curation.benchmarks.rules import Capability, Protocol, consent_sha256
from curation.core.decisions import Decision
from curation.core.errors import ClientKeyReused, OperationNotAllowed
from curation.people.models import Person
from curation.people.services.roles import grant_roles
from curation.taxonomy.queries import category_list
from curation.taxonomy.services.categories import add_categories


def create_benchmark(
    *,
    actor: Person,
    slug: str,
    title: dict[str, str],
    preset: str | None = None,
    text: str | None = None,
    client_key: UUID,
) -> Benchmark:
    """Create a benchmark from a preset or from a protocol's text, with its first version and its categories.

    The site's owner creates it, holds the first role that administers it, and can so work in it alone.

    Raises:
        OperationNotAllowed: The actor is not the site's owner.
        PresetUnknown: No preset has that name.
        FileInvalid: The text has faults.
        SlugTaken: Another benchmark has the short name.
        ClientKeyReused: The key was used for something else.
    """
    if not actor.may(None, "benchmark_create"):
        raise OperationNotAllowed(operation="benchmark_create")
    protocol = read_preset(preset or "") if text is None else check_protocol(text)
    categories = category_list(protocol.content["taxonomy"]["list"])
    preset_name = protocol.name if text is None else ""
    # A preset is compared by its name, because its file may have changed since; a text by its hash.
    origin = {"preset": preset_name} | ({} if preset_name else {"protocol_sha256": protocol.source_sha256})
    decision = Decision(actor_id=actor.pk, action="benchmark_create", client_key=client_key, label=slug)
    try:
        with transaction.atomic():
            if earlier := _earlier_benchmark(decision, slug, title, origin):
                return earlier
            benchmark = Benchmark.objects.create(slug=slug, title=title)
            benchmark.protocol = store_version(benchmark, protocol, version=1, actor=actor)
            benchmark.save(update_fields=["protocol"])
            add_categories(benchmark, categories)
            role = _administering_role(protocol)
            grant_roles(person=actor, benchmark_id=benchmark.pk, roles=[role], granted_by=actor)
            actor.grants = None  # read again for the answer
            decision.row, decision.benchmark_id = benchmark, benchmark.pk
            decision.record(preset=preset_name, protocol_sha256=protocol.source_sha256, role=role)
            return benchmark
    except IntegrityError as error:
        # A concurrent request committed first: this very request on another connection, or another benchmark.
        if earlier := _earlier_benchmark(decision, slug, title, origin):
            return earlier
        raise SlugTaken(slug=slug) from error


def _administering_role(protocol: Protocol) -> str:
    """Return the first role of a protocol that administers the benchmark; every checked protocol has one."""
    roles: list[dict[str, Any]] = protocol.content["roles"]
    code: str = next(role["code"] for role in roles if Capability.ADMINISTER in role["capabilities"])
    return code


def store_version(benchmark: Benchmark, protocol: Protocol, *, version: int, actor: Person) -> ProtocolVersion:
    """Store a checked protocol as a version; the caller makes it the current one."""
    return ProtocolVersion.objects.create(
        benchmark=benchmark,
        version=version,
        name=protocol.name,
        source=protocol.source,
        source_sha256=protocol.source_sha256,
        content=protocol.content,
        consent_sha256=consent_sha256(protocol.content),
        created_by=actor,
    )


def _earlier_benchmark(
    decision: Decision, slug: str, title: dict[str, str], origin: dict[str, str]
) -> Benchmark | None:
    """The benchmark that an earlier try with the same key created, or None."""
    event = decision.earlier(**origin)
    if event is None:
        return None
    benchmark = Benchmark.objects.select_related("protocol").get(pk=event.target_id)
    if (benchmark.slug, benchmark.title) != (slug, title):
        raise ClientKeyReused
    return benchmark
