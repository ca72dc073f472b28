"""Finding one thing in a benchmark, for the command palette."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Q, QuerySet

from annotation.items.models import Item
from annotation.items.queries import beginning, kinds_open_to, newest_revision, text_language
from annotation.kinds.registry import item_of_label, package_of_label
from annotation.lookup.shapes import ImageMatch, ItemMatch, LookupAnswer, PackageMatch
from annotation.packages.access import packages_visible_to
from annotation.search.queries import contains, items_with, matching_passage
from annotation.tracks.registry import TRACKS
from curation.benchmarks.models import Benchmark
from curation.core.folding import words_of
from curation.core.operations import Reach
from curation.images.access import images_visible_to
from curation.images.models import hidden_from
from curation.images.rules import number_of_label
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.people.queries import people_with
from curation.people.shapes import person_brief
from curation.taxonomy.queries import categories_with

SHOWN: Final = 5  # matches of each sort


def find(person: Person, benchmark_slug: str, *, q: str) -> LookupAnswer:
    """Find items by label or text, packages and pictures by label, and categories and people by name.

    A number alone is any item's, package's or picture's. Each sort is limited to what the person may open or list; at
    most six statements with the session's, or seven where roles reach all items of one kind and the person's own of
    another.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "find")
    words = words_of(q)
    answer: LookupAnswer = {
        "items": [], "packages": [], "images": [], "categories": [], "people": [], "newest_only": False
    }  # fmt: skip
    if item_of_label(q) or package_of_label(q) or number_of_label(q) is not None:
        answer["items"] = [_item_match(item, benchmark, "") for item in _items_of_label(person, benchmark, q)]
        answer["packages"] = _packages(person, benchmark, q)
        answer["images"] = _images(person, benchmark, q)
    elif words:
        rows, answer["newest_only"] = _items_with(person, benchmark, words)
        answer["items"] = [_item_match(item, benchmark, q) for item in rows]
        if person.may(benchmark.pk, "item_list") or person.may(benchmark.pk, "image_list"):
            categories = categories_with(benchmark, q)[:SHOWN]
            answer["categories"] = [{"slug": category.slug, "name": category.name} for category in categories]
        if person.may(benchmark.pk, "person_list"):
            answer["people"] = [person_brief(found) for found in people_with(benchmark, q)[:SHOWN]]
    return answer


def _items_of_label(person: Person, benchmark: Benchmark, q: str) -> list[Any]:
    label = item_of_label(q)
    if label is None:
        return []
    kind, number = label
    every, own = _kinds(person, benchmark)
    rows = _items(person, benchmark).filter(Q(kind__in=every) | _own(person, own), number=number)
    return list((rows.filter(kind=kind) if kind else rows).order_by("pk")[:SHOWN])


def _items_with(person: Person, benchmark: Benchmark, words: list[str]) -> tuple[list[Any], bool]:
    """The newest items with all words, and whether older ones were not compared."""
    every, own = _kinds(person, benchmark)
    rows: list[Any] = []
    newest_only = False
    if every:
        hits = items_with(benchmark.pk, words, every, limit=SHOWN)
        newest_only = not hits.complete and len(hits.ids) < SHOWN
        rows += _items(person, benchmark).filter(pk__in=hits.ids)
    if own:
        rows += _items(person, benchmark).filter(_own(person, own), contains(words)).order_by("-pk")[:SHOWN]
    return sorted(rows, key=lambda item: -item.pk)[:SHOWN], newest_only


def _kinds(person: Person, benchmark: Benchmark) -> tuple[list[str], list[str]]:
    """The kinds of which the person may open every item, and those of which they may open their own."""
    kinds = kinds_open_to(person, benchmark.pk, "item_show")
    every = [kind for kind in kinds if person.reach(benchmark.pk, "item_show", kind) is Reach.ALL]
    return every, [kind for kind in kinds if kind not in every]


def _own(person: Person, kinds: list[str]) -> Q:
    opened: Q = reduce(or_, (Q(track=name) & TRACKS[name].opens(person) for name in TRACKS))
    return Q(kind__in=kinds) & opened


def _items(person: Person, benchmark: Benchmark) -> QuerySet[Any]:
    rows: QuerySet[Any] = Item.objects.filter(~hidden_from(person.pk, "image_id"), benchmark=benchmark)
    rows = rows.annotate(newest=newest_revision("pk", "revision_no"))
    return rows.select_related("team")


def _item_match(item: Any, benchmark: Benchmark, q: str) -> ItemMatch:
    language, protocol_id = item.team.language if item.team else "", benchmark.protocol_id
    text = ""
    if q and item.newest and protocol_id:
        text = matching_passage(protocol_id, item.kind, item.newest["content"], language, q)
    return {
        "id": item.pk,
        "label": item.label,
        "kind": item.kind,
        "state": item.state,
        "language": text_language(protocol_id, item.team) if protocol_id else None,
        "text": text or beginning(protocol_id, item.kind, item.newest, language),
    }


def _packages(person: Person, benchmark: Benchmark, q: str) -> list[PackageMatch]:
    label = package_of_label(q)
    if label is None or not person.may(benchmark.pk, "package_list"):
        return []
    kind, number = label
    rows = packages_visible_to(person, benchmark, "package_list").filter(number=number)
    rows = (rows.filter(kind=kind) if kind else rows).order_by("pk")[:SHOWN]
    return [{"id": row.pk, "label": row.label, "kind": row.kind, "state": row.state} for row in rows]


def _images(person: Person, benchmark: Benchmark, q: str) -> list[ImageMatch]:
    number = number_of_label(q)
    if number is None or not person.may(benchmark.pk, "image_list"):
        return []
    rows = images_visible_to(person, benchmark, "image_list").filter(number=number)
    return [{"id": row.pk, "label": row.label, "state": row.state} for row in rows]
