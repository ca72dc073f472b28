"""Creating a benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from curation.benchmarks.errors import ProtocolNotRewritten, SlugTaken
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.queries import check_protocol
from curation.benchmarks.queries import preset as read_preset
from curation.benchmarks.rules import Capability, Protocol, TaxonomyNotReplaced, consent_sha256, with_taxonomy
from curation.core.decisions import Decision
from curation.core.errors import ClientKeyReused, OperationNotAllowed
from curation.people.models import Person
from curation.people.services.roles import grant_roles
from curation.taxonomy.queries import check_lists, content_of, references_of
from curation.taxonomy.rules import content_sha256, read_text
from curation.taxonomy.services.categories import add_categories
from curation.taxonomy.services.lists import (
    note_lists,
    referenced_list,
    require_free_list_name,
    store_list,
    valid_list,
)


def create_benchmark(
    *,
    actor: Person,
    slug: str,
    title: dict[str, str],
    preset: str | None = None,
    text: str | None = None,
    categories: Mapping[str, Any] | None = None,
    client_key: UUID,
) -> Benchmark:
    """Create a benchmark from a preset or from a protocol's text, with its first version and its categories.

    ``categories`` replaces what the protocol says about them: ``own`` is the name, text and form of a list of one's
    own, ``board`` the settings of a board.

    The site's owner creates it, holds the first role that administers it, and can so work in it alone.

    Raises:
        OperationNotAllowed: The actor is not the site's owner.
        PresetUnknown: No preset has that name.
        FileInvalid: The text has faults.
        CategoryListInvalid: The list has faults.
        CategoryListNameTaken: A list that ships has the name.
        ProtocolNotRewritten: The text's part about categories cannot be replaced.
        SlugTaken: Another benchmark has the short name.
        ClientKeyReused: The key was used for something else.
    """
    if not actor.may(None, "benchmark_create"):
        raise OperationNotAllowed(operation="benchmark_create")
    protocol = read_preset(preset or "") if text is None else check_protocol(text)
    own = None
    if categories is not None:
        if "own" in categories:
            own = valid_list(read_text(**categories["own"]))
            require_free_list_name(own.name)
        text = rewritten(protocol, _taxonomy(categories))
        protocol = check_protocol(text)
    preset_name = protocol.name if text is None else ""
    # A preset is compared by its name, because its file may have changed since; a text by its hash.
    origin = {"preset": preset_name} | ({} if preset_name else {"protocol_sha256": protocol.source_sha256})
    if own is None:
        check_lists(None, protocol)
    else:
        origin["list_sha256"] = content_sha256(own.content())
    decision = Decision(actor_id=actor.pk, action="benchmark_create", client_key=client_key, label=slug)
    try:
        with transaction.atomic():
            if earlier := _earlier_benchmark(decision, slug, title, origin):
                return earlier
            benchmark = Benchmark.objects.create(slug=slug, title=title)
            benchmark.protocol = store_version(benchmark, protocol, version=1, actor=actor)
            benchmark.save(update_fields=["protocol"])
            if own is not None:
                store_list(benchmark, own, version=1, origin="file", actor=actor)
            lists = {
                axis: referenced_list(benchmark, reference) for axis, _, reference in references_of(protocol.content)
            }
            note_lists(benchmark.protocol, lists)
            if (categories_list := lists[""]) is not None:
                add_categories(benchmark, content_of(categories_list))
            role = _administering_role(protocol)
            grant_roles(person=actor, benchmark_id=benchmark.pk, roles=[role], granted_by=actor)
            actor.grants = None  # read again for the answer
            decision.row, decision.benchmark_id = benchmark, benchmark.pk
            decision.record(
                **{"protocol_sha256": protocol.source_sha256} | origin | {"preset": preset_name, "role": role}
            )
            return benchmark
    except IntegrityError as error:
        # A concurrent request committed first: this very request on another connection, or another benchmark.
        if earlier := _earlier_benchmark(decision, slug, title, origin):
            return earlier
        raise SlugTaken(slug=slug) from error


def rewritten(protocol: Protocol | ProtocolVersion, taxonomy: Mapping[str, Any]) -> str:
    """The text of a protocol with another part about categories; pairs and further dimensions stay.

    Raises:
        ProtocolNotRewritten.
    """
    before = protocol.content["taxonomy"]
    kept = {name: before[name] for name in ("pairs", "axes") if before.get(name)}
    try:
        return with_taxonomy(protocol.source, kept | dict(taxonomy))
    except TaxonomyNotReplaced as error:
        raise ProtocolNotRewritten from error


def _taxonomy(categories: Mapping[str, Any]) -> dict[str, Any]:
    if "own" in categories:
        return {"list": {"own": categories["own"]["name"], "version": 1}}
    board = dict(categories["board"])
    fields = [{"code": field["code"], "name": dict(field["name"])} for field in board.pop("semantic_fields")]
    per_field = {name: board["per_field"][name] for name in ("minimum", "maximum")}
    return {
        "list": {"board": True},
        "board": {"proposers": board["proposers"], "per_field": per_field, "fields": fields},
    }


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
