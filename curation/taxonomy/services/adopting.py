"""Adopting a new version of a benchmark's protocol."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from curation.benchmarks.errors import ProtocolLocked, ProtocolUnchanged, StaleProtocol
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.queries import check_protocol
from curation.benchmarks.rules import changes
from curation.core.decisions import Decision
from curation.people import access
from curation.people.models import Person
from curation.taxonomy.queries import category_list, work_has_begun
from curation.taxonomy.services.categories import replace_categories
from curation.taxonomy.services.creating import store_version


@transaction.atomic
def adopt_protocol(
    *, actor: Person, benchmark_slug: str, text: str, base_version: int, client_key: UUID
) -> ProtocolVersion:
    """Adopt a text as the next version of the protocol, after ``base_version``.

    Packages and the work in them keep the version they were made under. Where the consent's text, version or
    declarations changed, everyone is asked for consent again before their next contribution.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        FileInvalid: The text has faults.
        StaleProtocol: ``base_version`` is no longer the current one.
        ProtocolUnchanged: It is the current text.
        ProtocolLocked: Items exist, and the text changes parts that they depend on.
        CategoriesInUse: Pictures belong to categories that the new list lacks.
        ClientKeyReused: The key was used for something else.
    """
    reached = access.benchmark_for(actor, benchmark_slug, "protocol_adopt")
    protocol = check_protocol(text)
    # FOR UPDATE conflicts with the key locks of inserts that refer to the benchmark: no first item can be added
    # between the check for items and the new version.
    # The version is read by a statement of its own: the one that waited for the lock would return the old version.
    benchmark = Benchmark.objects.select_for_update().get(pk=reached.pk)
    decision = Decision(
        actor_id=actor.pk,
        action="protocol_adopt",
        row=benchmark,
        client_key=client_key,
        label=benchmark.slug,
        benchmark_id=benchmark.pk,
    )
    if decision.is_repeat(version=base_version + 1, protocol_sha256=protocol.source_sha256):
        return ProtocolVersion.objects.select_related("benchmark").get(benchmark=benchmark, version=base_version + 1)
    current = benchmark.protocol
    if current is None:  # a benchmark gets its protocol in the transaction that creates it
        raise AssertionError
    if current.version != base_version:
        raise StaleProtocol(current=current.version)
    if current.source_sha256 == protocol.source_sha256:
        raise ProtocolUnchanged(current=current.version)
    differences = changes(current.content, protocol.content)
    locked = [change.path for change in differences if change.is_locked]
    if locked and work_has_begun(benchmark):
        raise ProtocolLocked(paths=locked)
    if any(change.path == "taxonomy.list" for change in differences):
        replace_categories(benchmark, category_list(protocol.content["taxonomy"]["list"]))
    version = store_version(benchmark, protocol, version=current.version + 1, actor=actor)
    benchmark.protocol = version
    benchmark.save(update_fields=["protocol"])
    decision.record(
        version=version.version,
        protocol_sha256=protocol.source_sha256,
        changed=[change.path for change in differences],
        consent_changed=version.consent_sha256 != current.consent_sha256,
    )
    return version
