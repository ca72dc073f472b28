"""Acceptance and agreement per person, kind and package; the same few statements for any number of rows.

Items of teams are counted like those of packages: a star accepts, a return or a colleague's edit does not.

Verdicts of a review or inspection that has not ended are left out, so that these figures do not reveal a colleague's
current verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, F, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from annotation.draws.models import Drawn
from annotation.items.models import Item
from annotation.items.queries import names_visible
from annotation.judging.models import Verdict
from annotation.kinds.registry import package_label
from annotation.quality import rules
from annotation.quality.models import Inspection, QualitySheet
from annotation.quality.queries import statements
from annotation.quality.queries.doubles import doubles_figures, doubles_row
from annotation.quality.rules import agreement, doubles
from annotation.quality.shapes import (
    AgreementRow,
    JudgeFigures,
    JudgeRow,
    KeptFigures,
    PackageRate,
    QualityAnswer,
    Rate,
    ReasonCount,
    RoundRow,
    WriterFigures,
    WriterRow,
)
from annotation.tallies import queries as tallies
from curation.benchmarks.rules import is_blind
from curation.core.operations import Reach
from curation.core.shapes import PersonBrief
from curation.people.access import benchmark_for, brief_for
from curation.people.models import Person

LISTED_PACKAGES = 20  # the newest inspections
INLINE = 10_000  # items with work up to which everyone's figures are computed for each view
LISTED_REASONS = 5  # the most frequent


def quality(person: Person, benchmark_slug: str, kind: str | None = None) -> QualityAnswer:
    """Show how work was judged and how well judges agree; annotators see only their own rows.

    Where more than ``INLINE`` items have work, everyone's figures are those of the kept sheet, if there is one.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "quality_show", kind)
    sees_all = person.reach(benchmark.pk, "quality_show", kind) is Reach.ALL
    kept = _kept(benchmark.pk) if sees_all else None
    if kept:
        figures = _of_kind(kept.content, kind)
    else:
        figures = computed_figures(benchmark.pk, kind=kind, only=None if sees_all else person.pk)
    writers, judges = figures["writers"], figures["judges"]
    twice = [person_id for row in figures.get("doubles", []) for person_id, _ in row["people"]]
    ids = {*twice, *(person_id for person_id, _ in (*writers, *judges))}
    involved = Person.objects.filter(pk__in=ids).in_bulk()
    show_names = names_visible(person, benchmark.pk, benchmark.protocol_id)

    def brief(person_id: int) -> PersonBrief | None:
        return brief_for(person, involved[person_id], show_names=show_names)

    people_rows: list[WriterRow] = [
        {"person": brief(person_id), "mine": person_id == person.pk, **row} for person_id, row in writers
    ]
    judge_rows: list[JudgeRow] = [
        {"person": brief(person_id), "mine": person_id == person.pk, **row} for person_id, row in judges
    ]
    return {
        "blind": is_blind(benchmark.protocol.content if benchmark.protocol else None),
        "as_of": kept.computed_at if kept else None,
        "people": sorted(people_rows, key=_writer_order),
        "judges": sorted(judge_rows, key=_judge_order),
        "agreement": figures["agreement"],
        "rounds": figures.get("rounds", []),
        "doubles": [doubles_row(person, row, brief, sees_all=sees_all) for row in figures.get("doubles", [])],
        "packages": _packages(benchmark.pk, kind, None if sees_all else person),
    }


def computed_figures(benchmark_id: int, *, kind: str | None = None, only: int | None = None) -> KeptFigures:
    """Compute the figures of a person, or of everyone with agreement, which reads everything that was judged."""
    parameters = {"benchmark": benchmark_id, "kind": kind, "only": only, "since": None}
    return {
        "writers": [(person_id, row) for (person_id, _), row in _writers(parameters).items()],
        "judges": [(person_id, row) for (person_id, *_), row in _judges(parameters).items()],
        "agreement": _agreement(parameters) if only is None else [],
        "rounds": _rounds(parameters) if only is None else [],
        "doubles": doubles_figures(benchmark_id, kind=kind, only=only),
    }


def is_large(benchmark_id: int) -> bool:
    """Whether everyone's figures take too long for a request."""
    counts = tallies.counts(benchmark_id, "state", of="item")
    return sum(counts.values()) - counts.get(Item.State.TODO, 0) > INLINE


def _kept(benchmark_id: int) -> QualitySheet | None:
    """The sheet of a benchmark with much work; None where there is little, or none was kept yet."""
    return QualitySheet.objects.filter(benchmark_id=benchmark_id).first() if is_large(benchmark_id) else None


def _of_kind(figures: KeptFigures, kind: str | None) -> KeptFigures:
    return {
        "writers": [(person_id, row) for person_id, row in figures["writers"] if kind in (None, row["kind"])],
        "judges": [(person_id, row) for person_id, row in figures["judges"] if kind in (None, row["kind"])],
        "agreement": [row for row in figures["agreement"] if kind in (None, row["kind"])],
        "rounds": [row for row in figures.get("rounds", []) if kind in (None, row["kind"])],
        "doubles": [row for row in figures.get("doubles", []) if kind in (None, row["kind"])],
    }


# Rows are sorted by name where names are visible. Otherwise they are sorted by figures, so that the order reveals none.
def _writer_order(row: WriterRow) -> tuple[Any, ...]:
    name = row["person"]["name"] if row["person"] else ""
    return (not row["mine"], name, row["kind"], -row["judged"], -row["accepted_first"])


def _judge_order(row: JudgeRow) -> tuple[Any, ...]:
    name = row["person"]["name"] if row["person"] else ""
    return (not row["mine"], name, row["kind"], row["stage"], -row["judged"], -row["upheld"])


def accepted_first_time(person: Person, benchmark_id: int, since: datetime) -> tuple[int, int]:
    """Of the items that a person wrote since a time, how many were judged and how many needed no correction."""
    parameters = {"benchmark": benchmark_id, "kind": None, "only": person.pk, "since": since}
    rows = _rows(statements.AUTHORS, _of_writer(parameters))
    return sum(judged for *_, judged, _ in rows), sum(first for *_, first in rows)


def _rows(statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _of_all(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters for the verdicts on all items."""
    return {**parameters, "of": None, "by": None}


def _of_writer(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters for the verdicts on items that the person ``only`` wrote."""
    return {**parameters, "of": parameters["only"], "by": None}


def _of_judge(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters for the verdicts on items that the person ``only`` judged."""
    return {**parameters, "of": None, "by": parameters["only"]}


def _rate(part: int, whole: int) -> Rate:
    """A share with its exact interval; both are null if ``whole`` is 0."""
    if not whole:
        return {"rate": None, "interval": None}
    method, low, high = rules.clopper_pearson(part, whole)
    return {"rate": part / whole, "interval": {"method": method, "low": low, "high": high}}


def _writers(parameters: Mapping[str, Any]) -> dict[tuple[int, str], WriterFigures]:
    written = _rows(
        "select r.author_id, i.kind, count(distinct r.item_id), count(*),"
        " percentile_disc(0.5) within group (order by r.active_ms)"
        " from annotation_itemrevision r join annotation_item i on i.id = r.item_id"
        " where i.benchmark_id = %(benchmark)s and (%(kind)s::text is null or i.kind = %(kind)s)"
        " and (%(only)s::bigint is null or r.author_id = %(only)s) and r.origin <> 'senior' group by 1, 2",
        parameters,
    )
    judged = {(writer, kind): counts for writer, kind, *counts in _rows(statements.AUTHORS, _of_writer(parameters))}
    reasons: dict[tuple[int, str], list[ReasonCount]] = {}
    for writer, kind, code, n in _rows(statements.REASONS, _of_writer(parameters)):
        reasons.setdefault((writer, kind), []).append({"code": code, "n": n})
    figures: dict[tuple[int, str], WriterFigures] = {}
    for writer, kind, items, revisions, median in written:
        n, first = judged.get((writer, kind), (0, 0))
        figures[writer, kind] = {
            "kind": kind,
            "written": items,
            "submitted": revisions,
            "judged": n,
            "accepted_first": first,
            **_rate(first, n),
            "median_active_ms": median,
            "returned_reasons": reasons.get((writer, kind), [])[:LISTED_REASONS],
        }
    return figures


def _judges(parameters: Mapping[str, Any]) -> dict[tuple[int, str, str], JudgeFigures]:
    by_stage: dict[tuple[int, str, str], dict[str, tuple[int, int, int]]] = {}
    for judge, kind, stage, code, *counts in _rows(statements.JUDGES, _of_judge(parameters)):
        by_stage.setdefault((judge, kind, stage), {})[code] = (counts[0], counts[1], counts[2])
    figures: dict[tuple[int, str, str], JudgeFigures] = {}
    for (judge, kind, stage), outcomes in by_stage.items():
        judged, checked, upheld = map(sum, zip(*outcomes.values(), strict=True))
        figures[judge, kind, stage] = {
            "kind": kind,
            "stage": stage,
            "judged": judged,
            "outcomes": [{"code": code, "n": n} for code, (n, *_) in outcomes.items()],
            "checked": checked,
            "upheld": upheld,
            **_rate(upheld, checked),
        }
    return figures


def _agreement(parameters: Mapping[str, Any]) -> list[AgreementRow]:
    """Agreement between review and inspection, between the judges of a pool, and within panels."""
    of_all = _of_all(parameters)
    units: dict[tuple[str, str], list[agreement.Unit]] = {}
    all_pairs = (statements.STAGES, statements.COLLEAGUES, statements.PANELS)
    for kind, between, cluster, ratings, n in (row for statement in all_pairs for row in _rows(statement, of_all)):
        units.setdefault((kind, between), []).append(agreement.Unit(cluster, tuple(ratings), n))
    return [
        {
            "kind": kind,
            "between": between,
            "items": sum(u.n for u in judged),
            "observed": agreement.observed(judged),
            "measures": [
                {"name": m.name, "value": m.value, "low": m.low, "high": m.high, "method": m.method}
                for m in agreement.measures(judged, doubles.METHOD if between == "panel-panel" else agreement.METHOD)
            ],
        }
        for (kind, between), judged in sorted(units.items(), key=lambda e: (e[0][0], agreement.BETWEEN.index(e[0][1])))
    ]


def _rounds(parameters: Mapping[str, Any]) -> list[RoundRow]:
    """The share of items that passed in each round of panels."""
    rows = _rows(statements.ROUNDS, _of_all(parameters))
    return [
        {"kind": kind, "round": no, "judged": judged, "passed": passed, **_rate(passed, judged)}
        for kind, no, judged, passed in rows
    ]


def _packages(benchmark_id: int, kind: str | None, writer: Person | None) -> list[PackageRate]:
    """The most recently inspected packages, with the result of the random stratum of their last draw."""
    wrong = Verdict.objects.filter(
        stage="inspection",
        outcome="wrong",
        package_id=OuterRef("draw__inspection__package"),
        round=OuterRef("draw__inspection__round"),
    )
    errors = (
        Drawn.objects.filter(draw=OuterRef("draw_id"), stratum="random")
        .filter(item_id__in=wrong.values("item_id"))
        .order_by()
        .values("draw")
        .annotate(n=Count("item_id"))
        .values("n")
    )
    rows = Inspection.objects.filter(package__benchmark_id=benchmark_id).exclude(outcome="")
    rows = rows.filter(
        Q() if kind is None else Q(package__kind=kind), Q() if writer is None else Q(package__assignee=writer)
    )
    newest = (
        rows.select_related("draw")
        .annotate(errors=Coalesce(Subquery(errors), Value(0)), kind=F("package__kind"), number=F("package__number"))
        .order_by("-completed_at", "-pk")[:LISTED_PACKAGES]
    )
    return [
        {
            "id": row.package_id,
            "label": package_label(row.kind, row.number),
            "right": row.draw.size - row.errors,
            "n": row.draw.size,
            "rate": (row.draw.size - row.errors) / row.draw.size,
        }
        for row in newest
    ]
