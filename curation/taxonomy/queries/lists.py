"""Reads of lists of categories: those that ship, a benchmark's own versions, and what protocols name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet

from curation.benchmarks.errors import CategoriesNotFrozen
from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import PAIRS_SUFFIX
from curation.benchmarks.rules import Protocol
from curation.benchmarks.rules.marked_yaml import Document, FileInvalid, Problem
from curation.core.errors import NotFound, OperationNotAllowed
from curation.core.shapes import LocalisedText, localised_text
from curation.people import access
from curation.people.models import Person
from curation.people.shapes import person_brief
from curation.taxonomy.models import CategoryListVersion, ProtocolList
from curation.taxonomy.rules import CategoryList, CheckedTable, parse, read_text, rows_of
from curation.taxonomy.shapes import AxisAnswer, CategoryListAnswer, CategoryListCheckAnswer, CategoryListRow

#: What the lists of a benchmark that came from its board are called.
BOARD_LIST = "board"


def category_list(name: str) -> CategoryList:
    """Return a list of categories that ships with the software, from its file.

    Raises:
        FileInvalid: The file has faults.
        FileNotFoundError: There is none of that name; a checked protocol's name cannot lead out of the folder.
    """
    path = Path(settings.FIXTURES) / "taxonomies" / f"{name}.yaml"
    return parse(path.read_text(encoding="utf-8"), file=path.name)


def shipped_names() -> list[str]:
    """The names of the lists that ship."""
    stems = sorted(path.stem for path in (Path(settings.FIXTURES) / "taxonomies").glob("*.yaml"))
    return [stem for stem in stems if not stem.endswith(PAIRS_SUFFIX)]


def own_lists(benchmark: Benchmark) -> QuerySet[CategoryListVersion]:
    """The versions of a benchmark's own lists, the newest of each first."""
    return CategoryListVersion.objects.filter(benchmark=benchmark).order_by("name", "-version")


def lists_in_force(protocol_id: int) -> dict[str, CategoryListVersion]:
    """The version of each list that a version of the protocol names, by axis; the categories' has no axis."""
    rows = ProtocolList.objects.filter(protocol_id=protocol_id).select_related("list").order_by("pk")
    return {row.axis: row.list for row in rows}


def references_of(content: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str | int, ...], Any]]:
    """What a protocol names as lists: axis, path in the file, and the reference."""
    taxonomy = content.get("taxonomy", {})
    yield "", ("taxonomy", "list"), taxonomy.get("list")
    for n, axis in enumerate(taxonomy.get("axes", [])):
        yield axis["code"], ("taxonomy", "axes", n, "list"), axis["list"]


def has_board(content: Mapping[str, Any]) -> bool:
    """Whether a protocol takes its categories from the benchmark's board."""
    reference = content.get("taxonomy", {}).get("list")
    return isinstance(reference, dict) and "board" in reference


def require_categories(benchmark: Benchmark) -> None:
    """Refuse pictures as long as the board decides on the categories.

    Raises:
        CategoriesNotFrozen.
    """
    protocol = benchmark.protocol
    if protocol and has_board(protocol.content) and not lists_in_force(protocol.pk).get(""):
        raise CategoriesNotFrozen


def missing_lists(benchmark: Benchmark | None, protocol: Protocol) -> list[Problem]:
    """The faults of a protocol that names lists of one's own that there are not."""
    document, faults = Document(protocol.source, file="protocol.yaml"), []
    for _, path, reference in references_of(protocol.content):
        if isinstance(reference, dict) and "own" in reference:
            name, version = reference["own"], reference["version"]
            stored = own_lists(benchmark).filter(name=name, version=version) if benchmark else None
            if stored is None or not stored.exists():
                expected = f"a stored list of the benchmark's own, got {name}, version {version}"
                params = {"name": name, "version": version}
                key = ".".join(map(str, path))
                faults.append(Problem("protocol.yaml", document.line(path), key, expected, "list_missing", params))
    return faults


def check_lists(benchmark: Benchmark | None, protocol: Protocol) -> None:
    """Refuse a protocol that names lists of one's own that there are not.

    Raises:
        FileInvalid.
    """
    if faults := missing_lists(benchmark, protocol):
        raise FileInvalid("protocol.yaml", faults)


def axes_of(benchmark: Benchmark) -> list[AxisAnswer]:
    """The further dimensions of a benchmark's items with their values."""
    protocol = benchmark.protocol
    axes = protocol.content.get("taxonomy", {}).get("axes", []) if protocol else []
    if not protocol or not axes:
        return []
    lists = lists_in_force(protocol.pk)
    return [
        {
            "code": axis["code"],
            "name": axis["name"],
            "values": [
                {"slug": entry.slug, "name": localised_text(entry.name.model_dump(by_alias=True))}
                for _, entry in content_of(lists[axis["code"]]).entries()
            ]
            if axis["code"] in lists
            else [],
        }
        for axis in axes
    ]


def axis_values(benchmark: Benchmark, axes: Collection[str]) -> dict[str, set[str]]:
    """The slugs of all values of those of the named dimensions that the benchmark has."""
    if not axes or benchmark.protocol_id is None:
        return {}
    lists = lists_in_force(benchmark.protocol_id)
    return {axis: content_of(lists[axis]).slugs() for axis in axes if axis and axis in lists}


def content_of(version: CategoryListVersion) -> CategoryList:
    """A stored version as a list."""
    return CategoryList.model_validate(version.content)


def check_list(person: Person, text: str, form: str) -> CategoryListCheckAnswer:
    """Check a text as a list of categories; nothing is stored.

    Raises:
        OperationNotAllowed: The person stores no lists anywhere.
    """
    if not person.may(None, "category_list_check"):
        raise OperationNotAllowed(operation="category_list_check")
    return checked_answer(read_text(text, form=form, name="list"))


def checked_answer(checked: CheckedTable) -> CategoryListCheckAnswer:
    """Faults of a list, at most the first 200, and its rows."""
    return {
        "faults": [
            {"line": f.line, "column": f.column, "code": f.code, "params": dict(f.params), "message": f.message}
            for f in checked.faults[:200]
        ],
        "fault_count": len(checked.faults),
        "rows": checked.rows,
    }


def list_rows(person: Person, benchmark_slug: str) -> list[CategoryListRow]:
    """List the versions of a benchmark's lists, and which the protocol's versions name; for a board all that ship.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "category_list_versions")
    by_protocols = ProtocolList.objects.filter(protocol__benchmark=benchmark, axis="")
    shipped = CategoryListVersion.objects.filter(benchmark=None)
    newest = shipped.order_by("name", "-version").distinct("name")
    if not (benchmark.protocol and has_board(benchmark.protocol.content)):
        newest = newest.none()
    shipped = shipped.filter(Q(pk__in=by_protocols.values("list")) | Q(pk__in=[one.pk for one in newest]))
    versions = [*own_lists(benchmark).select_related("created_by"), *shipped.order_by("name", "-version")]
    protocols: dict[int, list[int]] = {}
    for list_id, version in by_protocols.order_by("protocol__version").values_list("list", "protocol__version"):
        protocols.setdefault(list_id, []).append(version)
    in_force = _used_lists(benchmark)
    return [_list_row(version, in_force, protocols.get(version.pk, [])) for version in versions]


def _used_lists(benchmark: Benchmark) -> list[tuple[int, LocalisedText | None]]:
    """The versions that the current protocol names: for its categories, or for a dimension of this name."""
    protocol = benchmark.protocol
    if protocol is None:
        return []
    names = {axis["code"]: axis["name"] for axis in protocol.content.get("taxonomy", {}).get("axes", [])}
    return [(one.pk, names[axis] if axis else None) for axis, one in lists_in_force(protocol.pk).items()]


def list_page(person: Person, benchmark_slug: str, name: str, version: int) -> CategoryListAnswer:
    """Show a version of a list with its rows: one of the benchmark's own or, under its name, one that ships.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "category_list_show")
    stored = CategoryListVersion.objects.select_related("created_by").filter(name=name, version=version)
    listed = stored.filter(benchmark=benchmark).first() or stored.filter(benchmark=None).first()
    if listed is None:
        raise NotFound
    return list_answer(benchmark, listed)


def created_list(person: Person, created: CategoryListVersion) -> CategoryListAnswer:
    """A version that the person has just stored."""
    if created.benchmark is None:  # lists that ship are stored by set-up, not by people
        raise AssertionError
    return list_answer(created.benchmark, created)


def list_answer(benchmark: Benchmark, version: CategoryListVersion) -> CategoryListAnswer:
    """A version as its reader sees it."""
    by_protocols = version.protocols.filter(protocol__benchmark=benchmark, axis="")
    protocols = list(by_protocols.order_by("protocol__version").values_list("protocol__version", flat=True))
    return {**_list_row(version, _used_lists(benchmark), protocols), "rows": rows_of(content_of(version))}


def _list_row(
    version: CategoryListVersion, used: Sequence[tuple[int, LocalisedText | None]], protocols: list[int]
) -> CategoryListRow:
    entries = content_of(version).entries()
    return {
        "name": version.name,
        "version": version.version,
        "origin": version.origin,
        "sha256": version.sha256,
        "categories": len(entries),
        "fields": len({field.slug for field, _ in entries}),
        "created_at": version.created_at,
        "created_by": person_brief(version.created_by) if version.created_by else None,
        "in_use": (version.pk, None) in used,
        "dimensions": [name for pk, name in used if pk == version.pk and name is not None],
        "protocol_versions": protocols,
    }
