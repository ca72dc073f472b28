"""Agreement of people who did the same pictures independently, and the two versions of one picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db import connection

from annotation.items.models import Item
from annotation.items.queries import names_visible, picture, rules_for, with_pictures
from annotation.kinds.registry import KINDS, is_doubled, label, package_label
from annotation.quality.errors import NothingToCompare
from annotation.quality.rules import doubles
from annotation.quality.shapes import (
    DoubleAnswer,
    DoublesFigures,
    DoublesOfPackage,
    DoublesOfPerson,
    DoublesRow,
    DoubleVersion,
    KeptDoubles,
)
from curation.core.errors import NotFound
from curation.core.shapes import PersonBrief
from curation.images.models import hidden_from
from curation.people.access import brief_for, require
from curation.people.models import Person

# The two versions of each picture that two people did, as they were first submitted for review: later ones follow what
# reviewers asked for. A first verdict names that revision; before it, the package was submitted with the newest one.
_VERSIONS: Final = """
    select i.kind, i.image_id, i.slot, i.copy_no, i.id, i.number, m.package_id, m.number, r.author_id, r.no,
           r.content::text
    from annotation_item c
    join annotation_item i on i.image_id = c.image_id and i.kind = c.kind and i.slot = c.slot
    join lateral (
        select p.id as package_id, p.number, p.round from annotation_packageitem m
        join annotation_package p on p.id = m.package_id where m.item_id = i.id and p.round > 0 order by p.id limit 1
    ) m on true
    join lateral (
        select coalesce((select v.revision_no from annotation_verdict v where v.item_id = i.id order by v.id limit 1),
                        i.revision_no) as no
    ) first on true
    join annotation_itemrevision r on r.item_id = i.id and r.no = first.no
    where c.copy_no = 1 and c.benchmark_id = %(benchmark)s and c.kind = any(%(kinds)s)
      and (%(image)s::bigint is null or c.image_id = %(image)s)
      and c.state <> 'excluded' and i.state <> 'excluded'
    order by i.kind, i.image_id, i.slot, i.copy_no
"""


class Version(NamedTuple):
    """One person's work on a picture."""

    kind: str
    image_id: int
    slot: int
    copy_no: int
    item_id: int
    number: int
    package_id: int
    package_number: int
    author_id: int
    revision_no: int
    content: Mapping[str, Any]


class Pair(NamedTuple):
    """Two people's work on a picture."""

    one: Version
    other: Version
    compared: doubles.Compared


def pairs(benchmark_id: int, kinds: Sequence[str], *, image_id: int | None = None) -> list[Pair]:
    """The pictures that two people did and submitted; one statement."""
    values: dict[str, Any] = {"benchmark": benchmark_id, "kinds": list(kinds), "image": image_id}
    with connection.cursor() as cursor:
        cursor.execute(_VERSIONS, values)
        versions = [Version._make([*row[:-1], json.loads(row[-1])]) for row in cursor.fetchall()]
    both: dict[tuple[str, int, int], dict[int, Version]] = {}
    for version in versions:
        both.setdefault((version.kind, version.image_id, version.slot), {})[version.copy_no] = version
    return [
        Pair(each[0], each[1], doubles.compared(each[0].content, each[1].content))
        for each in both.values()
        if len(each) == 2
    ]


def doubles_figures(benchmark_id: int, *, kind: str | None = None, only: int | None = None) -> list[KeptDoubles]:
    """Agreement on each kind of which a share is done twice, by person and by package; ``only``: of one person."""
    kinds = [name for name in KINDS if is_doubled(name) and kind in (None, name)]
    by_kind: dict[str, list[Pair]] = {}
    for pair in pairs(benchmark_id, kinds) if kinds else ():
        if only in (None, pair.one.author_id, pair.other.author_id):
            by_kind.setdefault(pair.one.kind, []).append(pair)
    return [_of_kind(name, rows) for name, rows in by_kind.items()]


def _of_kind(kind: str, rows: Sequence[Pair]) -> KeptDoubles:
    people: dict[int, list[doubles.Compared]] = {}
    packages: dict[tuple[int, int], list[doubles.Compared]] = {}
    for pair in rows:
        for version in (pair.one, pair.other):
            people.setdefault(version.author_id, []).append(pair.compared)
            packages.setdefault((version.package_number, version.package_id), []).append(pair.compared)
    of_packages: list[DoublesOfPackage] = [
        {"id": package_id, "label": package_label(kind, number), **_figures(compared)}
        for (number, package_id), compared in sorted(packages.items())
    ]
    return {
        "kind": kind,
        **_figures([pair.compared for pair in rows]),
        "people": [(person_id, _figures(compared)) for person_id, compared in people.items()],
        "packages": of_packages,
    }


def _figures(compared: Sequence[doubles.Compared]) -> DoublesFigures:
    return {
        "pictures": len(compared),
        "boxes": sum(one.boxes for one in compared),
        "measures": [
            {"name": m.name, "value": m.value, "low": m.low, "high": m.high, "method": doubles.METHOD}
            for m in doubles.figures(compared)
        ],
    }


def doubles_row(
    viewer: Person, kept: KeptDoubles, brief: Callable[[int], PersonBrief | None], *, sees_all: bool
) -> DoublesRow:
    """Agreement on a kind as a person sees it: everyone's rows, or only their own."""
    people: list[DoublesOfPerson] = [
        {
            "person": brief(person_id),
            "mine": person_id == viewer.pk,
            "pictures": figures["pictures"],
            "boxes": figures["boxes"],
            "measures": figures["measures"],
        }
        for person_id, figures in kept["people"]
        if sees_all or person_id == viewer.pk
    ]
    return {
        "kind": kept["kind"],
        "pictures": kept["pictures"],
        "boxes": kept["boxes"],
        "measures": kept["measures"],
        "people": sorted(people, key=_order),
        "packages": kept["packages"] if sees_all else [],
    }


def _order(row: DoublesOfPerson) -> tuple[Any, ...]:
    """By name where names are visible, else by figures, so that the order reveals none."""
    return (not row["mine"], row["person"]["name"] if row["person"] else "", -row["pictures"], -row["boxes"])


def double_page(person: Person, item_id: int) -> DoubleAnswer:
    """Show what two people did independently on an item's picture, and how far it agrees.

    Raises:
        NothingToCompare: No second person did it, or one of them did not submit it for review yet.
        NotFound, OperationNotAllowed.
    """
    visible = Item.objects.filter(pk=item_id).exclude(hidden_from(person.pk, "image_id"))
    rows: Any = with_pictures(visible, "image_id").select_related("image__category", "benchmark")
    item = rows.first()
    if item is None:
        raise NotFound
    require(person, item.benchmark_id, "item_double", item.kind)
    both = pairs(item.benchmark_id, [item.kind], image_id=item.image_id) if is_doubled(item.kind) else []
    pair = next((pair for pair in both if item_id in {pair.one.item_id, pair.other.item_id}), None)
    if pair is None:
        raise NothingToCompare
    protocol_id = item.benchmark.protocol_id or 0
    mine, theirs = (pair.one, pair.other) if pair.one.item_id == item_id else (pair.other, pair.one)
    authors = Person.objects.in_bulk([mine.author_id, theirs.author_id])
    show_names = names_visible(person, item.benchmark_id, protocol_id)
    return {
        "kind": item.kind,
        "image": picture(item.image, item.renditions),
        "rules": rules_for(protocol_id, item.kind),
        "one": _version(person, mine, authors, show_names=show_names),
        "other": _version(person, theirs, authors, show_names=show_names),
        "matches": [
            {"one": m.one, "other": m.other, "iou": m.iou} for m in doubles.matches(mine.content, theirs.content)
        ],
        **_figures([pair.compared]),
    }


def _version(viewer: Person, version: Version, authors: Mapping[int, Person], *, show_names: bool) -> DoubleVersion:
    return {
        "item": version.item_id,
        "label": label(version.kind, version.number),
        "package": package_label(version.kind, version.package_number),
        "author": brief_for(viewer, authors[version.author_id], show_names=show_names),
        "revision_no": version.revision_no,
        "content": dict(version.content),
    }
