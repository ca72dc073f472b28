"""Published records of items: those of a release when it is frozen, and those that accepted items would have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from annotation.items.queries import tree_of
from annotation.kinds.published import completed
from annotation.releases import rules
from annotation.releases.exporters import registry
from annotation.releases.queries.further import accepted_beside, further_fields
from annotation.releases.queries.snapshots import candidates_of, contents, settings_of
from annotation.releases.rules import Candidate
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.rules import work_of
from curation.taxonomy.models import Category

RecordMaker: TypeAlias = Callable[[Candidate, Mapping[str, Any], str, Mapping[str, Any]], dict[str, Any]]
"""Makes the record of an item from its content, its picture's split and the kind's further fields."""


def record_maker(protocol: ProtocolVersion, kind: str, distances: Mapping[str, str]) -> RecordMaker:
    """Return what makes the records of a kind.

    Args:
        protocol: The version by which they are made.
        kind: The kind.
        distances: Category → its group of cultural distance; empty if none has one.
    """
    settings, tree = settings_of(protocol.pk), tree_of(protocol.pk, kind)
    required = registry.required_fields(settings.exporters, kind)
    several = work_of(protocol.content, kind).per_picture.maximum > 1

    def make(candidate: Candidate, content: Mapping[str, Any], split: str, more: Mapping[str, Any]) -> dict[str, Any]:
        whole = completed(tree, content)
        distance = rules.distance_of(candidate, whole, distances)
        return rules.record(
            candidate,
            whole,
            kind=kind,
            split=split,
            protocol_version=protocol.version,
            occasional={
                **rules.occasional_fields(candidate, settings, several=several, distance=distance, required=required),
                **more,
            },
            names_contributors=settings.licences_differ,
        )

    return make


class AcceptedRecord(NamedTuple):
    """An accepted revision with the record that it would have in a release; its picture has no split yet."""

    item_id: int
    revision_no: int
    image_id: int
    record: dict[str, Any]


def accepted_records(
    benchmark: Benchmark, protocol: ProtocolVersion, kind: str, item_ids: Sequence[int], *, seed: int
) -> list[AcceptedRecord]:
    """Make the records of some items of a kind as they are accepted now, by picture.

    Items among them that are not accepted are left out. The statements are the same whatever the number of items.

    Args:
        benchmark: The benchmark.
        protocol: The version by which they are made.
        kind: The kind.
        item_ids: The items.
        seed: The kind's seed, as releases keep it.
    """
    rows = Category.objects.filter(benchmark=benchmark).exclude(distance="").values_list("slug", "distance")
    make = record_maker(protocol, kind, dict(rows))
    candidates = candidates_of(benchmark.pk, kind, item_ids)
    content = contents(candidates)
    more = further_fields(kind, candidates, seed=seed, others=accepted_beside(benchmark.pk, kind, item_ids))
    return [
        AcceptedRecord(c.item_id, c.revision_no, c.picture.id, make(c, content[c.item_id], "", more.get(c.item_id, {})))
        for c in candidates
    ]
