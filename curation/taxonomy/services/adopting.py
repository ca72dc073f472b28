"""Adopting a new version of a benchmark's protocol."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from curation.benchmarks.errors import ProtocolFrozen, ProtocolUnchanged, StaleProtocol
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.queries import check_protocol
from curation.benchmarks.rules import Protocol, changes
from curation.core import audit
from curation.core.errors import ClientKeyReused
from curation.core.models import AuditEvent
from curation.people import access
from curation.people.models import Person
from curation.taxonomy.queries import category_list, work_has_begun
from curation.taxonomy.services.categories import replace_categories
from curation.taxonomy.services.creating import store_version


@transaction.atomic
def adopt_protocol(
    *, actor: Person, benchmark_slug: str, text: str, base_version: int, client_key: UUID
) -> ProtocolVersion:
    """Make a text the protocol in force, as the version after ``base_version``.

    Packages and what was written in them keep the version they were made under. Where the consent's text, version or
    declarations changed, everybody is asked again before their next contribution.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        FileInvalid: The text has faults.
        StaleProtocol: ``base_version`` is in force no more.
        ProtocolUnchanged: It is the text in force.
        ProtocolFrozen: Items exist, and the text changes what they rest on.
        CategoriesInUse: Pictures belong to categories that the new list lacks.
        ClientKeyReused: The key was used for something else.
    """
    reached = access.benchmark_for(actor, benchmark_slug, "protocol_adopt")
    protocol = check_protocol(text)
    # FOR UPDATE also waits for, and keeps out, rows that are being added to the benchmark: no first item slips in
    # between the look at the items and the new version.
    # The version is read in a statement of its own: one that waited for the lock would join the version of before.
    benchmark = Benchmark.objects.select_for_update().get(pk=reached.pk)
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="protocol_adopt", target_id=benchmark.pk)
    if done is not None:
        return _earlier(done, benchmark, protocol, base_version)
    current = benchmark.protocol
    if current is None:  # a benchmark gets its protocol in the transaction that creates it
        raise AssertionError
    if current.version != base_version:
        raise StaleProtocol(current=current.version)
    if current.source_sha256 == protocol.source_sha256:
        raise ProtocolUnchanged(current=current.version)
    found = changes(current.content, protocol.content)
    frozen = [change.path for change in found if change.is_frozen]
    if frozen and work_has_begun(benchmark):
        raise ProtocolFrozen(paths=frozen)
    if any(change.path == "taxonomy.list" for change in found):
        replace_categories(benchmark, category_list(protocol.content["taxonomy"]["list"]))
    version = store_version(benchmark, protocol, version=current.version + 1, actor=actor)
    benchmark.protocol = version
    benchmark.save(update_fields=["protocol"])
    audit.record(
        action="protocol_adopt",
        target_type="benchmark",
        target_id=benchmark.pk,
        label=benchmark.slug,
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        data={
            "version": version.version,
            "protocol_sha256": protocol.source_sha256,
            "changed": [change.path for change in found],
            "consent_changed": version.consent_sha256 != current.consent_sha256,
        },
        client_key=client_key,
    )
    return version


def _earlier(done: AuditEvent, benchmark: Benchmark, protocol: Protocol, base_version: int) -> ProtocolVersion:
    told = (done.data["version"], done.data["protocol_sha256"])
    if told != (base_version + 1, protocol.source_sha256):
        raise ClientKeyReused
    return ProtocolVersion.objects.get(benchmark=benchmark, version=done.data["version"])
