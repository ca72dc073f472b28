"""Queries about guidelines."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.db.models import Count, Exists, OuterRef

from annotation.guidelines import access
from annotation.guidelines.models import Acknowledgement, Guideline
from annotation.guidelines.rules import LANGUAGES
from annotation.guidelines.shapes import (
    AcknowledgeAnswer,
    GuidelineAnswer,
    GuidelinePreset,
    GuidelineRow,
    GuidelineText,
)
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.people.access import benchmark_for, names_visible
from curation.people.models import Person

MOST_VERSIONS = 200  # the newest; bounds the answer


def guideline_rows(person: Person, benchmark_slug: str) -> list[GuidelineRow]:
    """List the guidelines of each kind of the protocol: the newest version, and whether the person acknowledged it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "guideline_list")
    rows = Guideline.objects.filter(benchmark=benchmark).order_by("kind", "-version").distinct("kind")
    newest = {g.kind: g for g in rows.annotate(acknowledged=_acknowledged_by(person)).defer("text")}
    return [_row(kind, newest.get(kind), benchmark) for kind in access.kinds_of(benchmark)]


def _row(kind: str, newest: Any, benchmark: Benchmark) -> GuidelineRow:
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


def guideline(person: Person, benchmark_slug: str, kind: str, *, version: int | None = None) -> GuidelineAnswer:
    """Show one version with its text, by default the newest, and list all versions with their acknowledgements.

    Raises:
        NotFound: The version does not exist, or the benchmark's protocol has no such kind.
        OperationNotAllowed.
    """
    benchmark = access.benchmark_with(person, benchmark_slug, "guideline_show", kind)
    return _answer(person, benchmark, kind, version)


def published_guideline(person: Person, new: Guideline) -> GuidelineAnswer:
    """A version that was just published, as :func:`guideline` shows it."""
    return _answer(person, new.benchmark, new.kind, new.version)


def acknowledge_answer(person: Person, acknowledged: Guideline) -> AcknowledgeAnswer:
    """The version that the person just acknowledged."""
    return {"version": acknowledged.version, "acknowledged": True}


def _answer(person: Person, benchmark: Benchmark, kind: str, version: int | None) -> GuidelineAnswer:
    rows = access.guidelines_of(benchmark, kind)
    guideline = (rows if version is None else rows.filter(version=version)).first()
    if guideline is None:
        raise NotFound
    show_names = names_visible(person, benchmark.pk, benchmark.protocol.content if benchmark.protocol else None)
    versions = rows.select_related("created_by").defer("text").annotate(n=Count("acknowledgements"))
    return {
        "kind": kind,
        "version": guideline.version,
        "text": guideline.text,
        "acknowledged": Acknowledgement.objects.filter(guideline=guideline, person=person).exists(),
        "versions": [
            {
                "version": v.version,
                "created_at": v.created_at,
                "note": v.note,
                "by": {"id": v.created_by_id, "name": v.created_by.name}
                if show_names or v.created_by_id == person.pk
                else None,
                "acknowledged_by": v.n,
            }
            for v in versions[:MOST_VERSIONS]
        ],
    }


def preset(person: Person, benchmark_slug: str, kind: str) -> GuidelinePreset:
    """Show the built-in template of a kind under the benchmark's protocol.

    Raises:
        NotFound: There is no template, or the benchmark's protocol has no such kind.
        OperationNotAllowed.
    """
    benchmark = access.benchmark_with(person, benchmark_slug, "guideline_preset", kind)
    files = _preset_files(benchmark, kind)
    if not files:
        raise NotFound
    texts = {language: path.read_text(encoding="utf-8").strip() for language, path in files.items()}
    return {"text": cast(GuidelineText, texts)}


def _preset_files(benchmark: Benchmark, kind: str) -> dict[str, Path]:
    # Neither name can contain a path: the protocol's name is validated, and the kind is in the registry of kinds.
    folder = Path(settings.FIXTURES) / "guidelines" / (benchmark.protocol.name if benchmark.protocol else "")
    files = {language: folder / f"{kind}.{language}.md" for language in LANGUAGES}
    return {language: path for language, path in files.items() if path.is_file()}
