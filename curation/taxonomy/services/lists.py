"""Storing versions of lists of categories, and noting which versions a protocol names."""

from __future__ import annotations

import hashlib
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max

from curation.benchmarks.errors import CategoryListInvalid, CategoryListNameTaken, CategoryListUnchanged
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.decisions import Decision
from curation.core.errors import StaleRow
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy import queries
from curation.taxonomy.models import CategoryListVersion, ProtocolList
from curation.taxonomy.queries.lists import checked_answer
from curation.taxonomy.rules import CategoryList, CheckedTable, content_sha256, read_text
from curation.taxonomy.services.categories import replace_categories


def store_shipped_lists() -> None:
    """Store the lists that ship; one whose file changed becomes its next version."""
    for name in queries.shipped_names():
        shipped_list(name)


def shipped_list(name: str) -> CategoryListVersion:
    """The stored version of a list that ships, as its file is now."""
    content = queries.category_list(name).content()
    sha256 = content_sha256(content)
    versions = CategoryListVersion.objects.filter(benchmark=None, name=name).order_by("-version")
    newest = versions.first()
    if newest is not None and newest.sha256 == sha256:
        return newest
    try:
        with transaction.atomic():
            return CategoryListVersion.objects.create(
                name=name,
                version=newest.version + 1 if newest else 1,
                sha256=sha256,
                content=content,
                origin="shipped",
            )
    except IntegrityError:  # another process stored it at this moment
        return versions.get(sha256=sha256)


def referenced_list(benchmark: Benchmark, reference: object) -> CategoryListVersion | None:
    """The version that a protocol's reference means; None for a board without a frozen list.

    The references of a checked protocol exist (:func:`curation.taxonomy.queries.check_lists`).
    """
    if isinstance(reference, str):
        return shipped_list(reference)
    if isinstance(reference, dict) and "own" in reference:
        return queries.own_lists(benchmark).get(name=reference["own"], version=reference["version"])
    return queries.own_lists(benchmark).filter(origin="board").first()


def note_lists(protocol: ProtocolVersion, lists: dict[str, CategoryListVersion | None]) -> None:
    """Note the versions of lists, by axis, that a version of the protocol names."""
    ProtocolList.objects.bulk_create(
        ProtocolList(protocol=protocol, axis=axis, list=version) for axis, version in lists.items() if version
    )


@transaction.atomic
def create_list(
    *, actor: Person, benchmark_slug: str, name: str, base_version: int, text: str, form: str, client_key: UUID
) -> CategoryListVersion:
    """Store a text as the next version of a list of the benchmark's own.

    Args:
        actor: The person who stores it.
        benchmark_slug: The benchmark.
        name: What the list is called.
        base_version: The version that was edited; 0 for a new list.
        text: The list.
        form: ``csv`` or ``yaml``.
        client_key: A repeat with the same key has the same result.

    Raises:
        CategoryListInvalid: The text has faults.
        CategoryListNameTaken: A list that ships, or the board's, has the name.
        CategoryListUnchanged: The newest version has the same content.
        StaleRow: ``base_version`` is not the newest version any more.
        NotFound, OperationNotAllowed, ClientKeyReused.
    """
    reached = benchmark_for(actor, benchmark_slug, "category_list_create")
    benchmark = Benchmark.objects.select_for_update(of=("self",), no_key=True).get(pk=reached.pk)
    decision = Decision(
        actor_id=actor.pk, action="category_list_create", client_key=client_key, benchmark_id=benchmark.pk
    )
    text_sha256 = hashlib.sha256(text.encode()).hexdigest()
    if earlier := decision.earlier(name=name, text_sha256=text_sha256):
        return CategoryListVersion.objects.select_related("benchmark", "created_by").get(pk=earlier.target_id)
    require_free_list_name(name)
    categories = valid_list(read_text(text, form=form, name=name))
    newest = queries.own_lists(benchmark).filter(name=name).first()
    version = newest.version if newest else 0
    if version != base_version:
        raise StaleRow(revision=version, named=base_version)
    if newest is not None and form == "csv":  # a table has no numbers
        categories = categories.with_facts_of(queries.content_of(newest))
    if newest is not None and newest.sha256 == content_sha256(categories.content()):
        raise CategoryListUnchanged(name=name, version=version)
    created = store_list(benchmark, categories, version=version + 1, origin="file", actor=actor)
    decision.row = created
    decision.record(name=name, version=created.version, sha256=created.sha256, text_sha256=text_sha256)
    return created


def require_free_list_name(name: str) -> None:
    """Refuse the names of lists that ship, and of the board's.

    Raises:
        CategoryListNameTaken.
    """
    if name in queries.shipped_names() or name == queries.BOARD_LIST:
        raise CategoryListNameTaken(name=name)


def valid_list(checked: CheckedTable) -> CategoryList:
    """The list of a text without faults.

    Raises:
        CategoryListInvalid: With the first faults by line and column.
    """
    if checked.categories is None:
        answer = checked_answer(checked)
        raise CategoryListInvalid(count=answer["fault_count"], faults=answer["faults"])
    return checked.categories


def store_list(
    benchmark: Benchmark, categories: CategoryList, *, version: int, origin: str, actor: Person
) -> CategoryListVersion:
    """Store a version of a benchmark's own list; the caller holds the benchmark's lock."""
    content = categories.content()
    return CategoryListVersion.objects.create(
        benchmark=benchmark,
        name=categories.name,
        version=version,
        sha256=content_sha256(content),
        content=content,
        origin=origin,
        created_by=actor,
    )


def next_version(benchmark: Benchmark, name: str) -> int:
    """The number of the next version of a benchmark's own list."""
    newest = queries.own_lists(benchmark).filter(name=name).aggregate(n=Max("version"))["n"]
    return int(newest or 0) + 1


def note_board_list(benchmark: Benchmark, version: CategoryListVersion, *, actor: Person) -> None:
    """Make a version that was frozen from the board the benchmark's categories, if its protocol names the board.

    The protocol gets a next version with the same text, because a version of the protocol stands for one version of
    each list: packages and releases that were made before keep theirs.
    """
    locked = (
        Benchmark.objects.select_for_update(of=("self",), no_key=True).select_related("protocol").get(pk=benchmark.pk)
    )
    if locked.protocol and queries.has_board(locked.protocol.content):
        lists = queries.lists_in_force(locked.protocol.pk)
        locked.protocol = _next_with_same_text(locked.protocol, actor)
        locked.save(update_fields=["protocol"])
        note_lists(locked.protocol, {**lists, "": version})
        replace_categories(locked, queries.content_of(version))


def _next_with_same_text(protocol: ProtocolVersion, actor: Person) -> ProtocolVersion:
    same = ("name", "source", "source_sha256", "content", "consent_sha256")
    return ProtocolVersion.objects.create(
        benchmark_id=protocol.benchmark_id,
        version=protocol.version + 1,
        created_by=actor,
        **{field: getattr(protocol, field) for field in same},
    )
