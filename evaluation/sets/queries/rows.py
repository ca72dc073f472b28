"""The gold rows that items make: those of a release, and those of accepted work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from annotation.kinds.scripts import script_of
from annotation.releases.models import ReleaseEntry, ReleaseKind
from annotation.releases.queries import accepted_records
from annotation.releases.rules import AXIS, DISTANCE
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.taxonomy.models import Category
from evaluation.profiles.base import BREAKDOWNS
from evaluation.suites.rules import PUBLISHED, Fields, evaluated_splits


class ItemRow(NamedTuple):
    """One question of an accepted revision.

    Attributes:
        item_id: The item.
        revision_no: The revision's number.
        image_id: Its picture.
        part: Which of the item's questions it is, from 0.
        gold: The gold row that scoring reads.
        asks: The other fields of a row of a gold file; empty for kinds whose items suites ask themselves.
    """

    item_id: int
    revision_no: int
    image_id: int
    part: int
    gold: Fields
    asks: Fields


def scored_entries(own: ReleaseKind) -> Iterator[ReleaseEntry]:
    """Yield the entries of a kind in the splits that are scored, in the release's order."""
    splits = evaluated_splits(own.release.protocol.content.get("release", {}))
    rows = ReleaseEntry.objects.filter(release=own.release_id, kind=own.kind, split__in=splits)
    yield from rows.order_by("ordinal").iterator(chunk_size=500)


def release_rows(own: ReleaseKind) -> Iterator[ItemRow]:
    """Yield the rows of a kind of a release, in the release's order.

    Gold rows have what reports are broken down by: category, cultural distance, dimensions, place, language. Records
    of older releases do not have the distance; for them it is the category's present one.
    """
    distances = _distances(own.release.benchmark_id)
    for entry in scored_entries(own):
        yield from _rows(
            own.kind,
            own.option_seed or 0,
            distances,
            (entry.item_id, entry.revision_no, entry.image_id),
            entry.record,
        )


def accepted_rows(
    benchmark: Benchmark, protocol: ProtocolVersion, kind: str, item_ids: Sequence[int]
) -> Iterator[ItemRow]:
    """Yield the rows of some items as they are accepted now, by picture; items that are not are left out.

    Options are in the order that the first release with the kind has drawn, before it in that of the seed 0; so are the
    scored rounds of dialogues. Their candidates are drawn from what is accepted now.
    """
    frozen = ReleaseKind.objects.filter(release__benchmark=benchmark, kind=kind, option_seed__isnull=False)
    seed = frozen.order_by("release__frozen_at", "release").values_list("option_seed", flat=True).first() or 0
    distances = _distances(benchmark.pk)
    for made in accepted_records(benchmark, protocol, kind, item_ids, seed=seed):
        yield from _rows(kind, seed, distances, (made.item_id, made.revision_no, made.image_id), made.record)


def _distances(benchmark_id: int) -> dict[str, str]:
    rows = Category.objects.filter(benchmark_id=benchmark_id).exclude(distance="")
    return dict(rows.values_list("slug", "distance"))


def _rows(
    kind: str, seed: int, distances: Mapping[str, str], of: tuple[int, int, int], record: Mapping[str, Any]
) -> Iterator[ItemRow]:
    published = PUBLISHED[kind]
    gold = list(published.gold(record, seed))
    asks: Iterable[Fields] = published.asks(record, seed) if published.asks else ({} for _ in gold)
    for part, (fields, more) in enumerate(zip(gold, asks, strict=True)):
        distance = record.get(DISTANCE, distances.get(fields["category"], ""))
        yield ItemRow(*of, part, fields | _dimensions(record) | {"distance": distance}, more)


def _dimensions(record: Mapping[str, Any]) -> Fields:
    """The further fields of a record that reports are broken down by: place, language, and dimensions of pictures.

    Where teams write in their languages, the script is that of the language's tag.
    """
    axes = {name.removeprefix(AXIS): value for name, value in record.items() if name.startswith(AXIS)}
    places = {"language": record.get("language_name"), **{name: record.get(name) for name in ("country", "continent")}}
    script = script_of(record.get("language", "")) if record.get("country") else None
    places["script"] = script.name if script else None
    return {name: value for name, value in (axes | places).items() if value and name in BREAKDOWNS}
