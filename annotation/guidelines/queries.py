"""Reads about guidelines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, OuterRef

from annotation.guidelines import access
from annotation.guidelines.models import Acknowledgement, Guideline
from annotation.guidelines.rules import LANGUAGES
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.people.access import benchmark_for, names_shown
from curation.people.models import Person

MOST_VERSIONS = 200


def list_guidelines(person: Person, slug: str) -> list[dict[str, Any]]:
    """One row for each kind of the protocol: the version in force, and whether the person acknowledged it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, "guideline_list")
    rows = Guideline.objects.filter(benchmark=benchmark).order_by("kind", "-version").distinct("kind")
    newest = {g.kind: g for g in rows.annotate(acknowledged=_acknowledged_by(person)).defer("text")}
    return [_row(kind, newest.get(kind), benchmark) for kind in access.kinds_of(benchmark)]


def _row(kind: str, newest: Any, benchmark: Benchmark) -> dict[str, Any]:
    return {
        "kind": kind,
        "version": newest.version if newest else None,
        "created_at": newest.created_at if newest else None,
        "note": newest.note if newest else "",
        "acknowledged": bool(newest and newest.acknowledged),
        "has_preset": bool(_preset_files(benchmark, kind)),
    }


def _acknowledged_by(person: Person) -> Exists:
    return Exists(Acknowledgement.objects.filter(guideline=OuterRef("pk"), person=person))


def guideline_json(person: Person, slug: str, kind: str, *, version: int | None) -> dict[str, Any]:
    """One version with its text, the newest when none is named, and all versions with how many people work by each.

    Raises:
        NotFound: There is none, or the benchmark's protocol has no such kind.
        OperationNotAllowed.
    """
    benchmark = access.benchmark_with(person, slug, "guideline_show", kind)
    rows = access.guidelines_of(benchmark, kind)
    shown = (rows if version is None else rows.filter(version=version)).first()
    if shown is None:
        raise NotFound
    names = names_shown(person, benchmark.pk, benchmark.protocol.content if benchmark.protocol else None)
    versions = rows.select_related("created_by").defer("text").annotate(n=Count("acknowledgements"))
    return {
        "kind": kind,
        "version": shown.version,
        "text": shown.text,
        "acknowledged": Acknowledgement.objects.filter(guideline=shown, person=person).exists(),
        "versions": [
            {
                "version": v.version,
                "created_at": v.created_at,
                "note": v.note,
                "by": {"id": v.created_by_id, "name": v.created_by.name}
                if names or v.created_by_id == person.pk
                else None,
                "acknowledged_by": v.n,
            }
            for v in versions[:MOST_VERSIONS]
        ],
    }


def preset_text(person: Person, slug: str, kind: str) -> dict[str, str]:
    """The guidelines that ship for a kind under the benchmark's protocol, by language.

    Raises:
        NotFound: None ship, or the benchmark's protocol has no such kind.
        OperationNotAllowed.
    """
    benchmark = access.benchmark_with(person, slug, "guideline_preset", kind)
    files = _preset_files(benchmark, kind)
    if not files:
        raise NotFound
    return {language: path.read_text(encoding="utf-8").strip() for language, path in files.items()}


def _preset_files(benchmark: Benchmark, kind: str) -> dict[str, Path]:
    # Both names are of a form that cannot lead out of the folder: the protocol's is checked when it is read, the kind's
    # stands in the registry of kinds.
    folder = Path(settings.FIXTURES) / "guidelines" / (benchmark.protocol.name if benchmark.protocol else "")
    files = {language: folder / f"{kind}.{language}.md" for language in LANGUAGES}
    return {language: path for language, path in files.items() if path.is_file()}
