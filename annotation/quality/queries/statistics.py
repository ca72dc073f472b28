"""Acceptance and agreement, per person, kind and package (W-Q6): the same few statements for any number of rows.

Only what is decided counts: verdicts of a review or an inspection that is still going on are left out, so that nobody
reads from these figures what a colleague has just said.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, F, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from annotation.kinds.registry import package_label
from annotation.packages.access import brief_for, names_shown
from annotation.quality import rules
from annotation.quality.models import Inspection, InspectionSample, Verdict
from annotation.quality.rules import agreement
from curation.core.operations import Reach
from curation.people.access import benchmark_for
from curation.people.models import Person

NEWEST = 20  # packages listed
SHOWN_REASONS = 5

# Of one person's items first, as arrays: joined, or looked up one by one, all verdicts of the benchmark would be read.
_DECIDED = """
    said as materialized (
        select v.id, v.item_id, v.revision_no, v.author_id, v.judge_id, v.stage, v.package_id, v.round, v.outcome,
               v.reasons, p.kind
        from annotation_verdict v join annotation_package p on p.id = v.package_id
        where p.benchmark_id = %(benchmark)s and (%(kind)s::text is null or p.kind = %(kind)s)
        and (%(of)s::bigint is null or v.item_id = any (array(
            select r.item_id from annotation_itemrevision r where r.author_id = %(of)s
            and (%(since)s::timestamptz is null or r.created_at >= %(since)s))))
        and (%(by)s::bigint is null or v.item_id = any (array(
            select mine.item_id from annotation_verdict mine where mine.judge_id = %(by)s)))
        and v.stage in ('review', 'inspection') and not (v.round = p.round and p.state =
            case v.stage when 'review' then 'reviewing' else 'inspecting' end))
"""
# The first revision of each item that its annotator had judged: was there anything to mend?
_AUTHORS = f"""
    with {_DECIDED},
    first as (
        select distinct on (s.item_id, s.author_id) s.item_id, s.author_id, s.revision_no, s.kind, r.created_at
        from said s join annotation_itemrevision r on r.item_id = s.item_id and r.no = s.revision_no
        where r.origin <> 'senior' and (%(only)s::bigint is null or s.author_id = %(only)s)
        order by s.item_id, s.author_id, s.revision_no)
    select f.author_id, f.kind, count(*), count(*) filter (where not exists (
        select 1 from said s where s.item_id = f.item_id and s.revision_no = f.revision_no
        and s.outcome in ('correct', 'return', 'wrong')))
    from first f where %(since)s::timestamptz is null or f.created_at >= %(since)s group by 1, 2
"""  # noqa: S608  (constants of this module; values are parameters)
_REASONS = f"""
    with {_DECIDED}
    select s.author_id, s.kind, reason, count(*) from said s, unnest(s.reasons) reason
    where s.outcome in ('correct', 'return', 'wrong') and (%(only)s::bigint is null or s.author_id = %(only)s)
    group by 1, 2, 3 order by 4 desc, 3
"""  # noqa: S608  (constants of this module; values are parameters)
# A review is checked by the inspection of what it let through, an inspector by colleagues at the same revision.
_JUDGES = f"""
    with {_DECIDED},
    checks as (
        select s.judge_id, s.kind, s.stage, (
            select bool_and(case when s.stage = 'review' or s.outcome = 'right' then c.outcome = 'right'
                                 else c.outcome = 'wrong' end)
            from said c where c.item_id = s.item_id and c.stage = 'inspection' and c.judge_id <> s.judge_id
            and c.revision_no = s.revision_no + (s.outcome = 'correct')::int and s.outcome <> 'return') as upheld
        from said s where %(only)s::bigint is null or s.judge_id = %(only)s)
    select judge_id, kind, stage, count(*), count(upheld), count(*) filter (where upheld) from checks group by 1, 2, 3
"""  # noqa: S608  (constants of this module; values are parameters)
# What several people said of one revision, in the order in which they said it, counted by package.
_COLLEAGUES = f"""
    with {_DECIDED},
    units as (
        select kind, stage, package_id,
               array_agg(case when outcome in ('accept', 'right') then 'right' else 'wrong' end order by id) as ratings
        from said group by kind, stage, package_id, item_id, revision_no, round having count(*) > 1)
    select kind, stage || '-' || stage, package_id, ratings, count(*) from units group by 1, 2, 3, 4
"""  # noqa: S608  (constants of this module; values are parameters)
_STAGES = f"""
    with {_DECIDED},
    units as (
        select kind, package_id, item_id, revision_no,
               bool_and(outcome = 'accept') filter (where stage = 'review') as review,
               bool_and(outcome = 'right') filter (where stage = 'inspection') as inspection
        from said group by 1, 2, 3, 4)
    select kind, 'review-inspection', package_id,
           array[case when review then 'right' else 'wrong' end, case when inspection then 'right' else 'wrong' end],
           count(*)
    from units where review is not null and inspection is not null group by 1, 2, 3, 4
"""  # noqa: S608  (constants of this module; values are parameters)
BETWEEN = ("review-inspection", "review-review", "inspection-inspection")


def quality(person: Person, slug: str, kind: str | None) -> dict[str, Any]:
    """How work was judged and how far judges agree; annotators see their own rows only.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, "quality_show", kind)
    everything = person.reach(benchmark.pk, "quality_show", kind) is Reach.ALL
    given = {"benchmark": benchmark.pk, "kind": kind, "only": None if everything else person.pk, "since": None}
    people, judges = _people(given), _judges(given)
    involved = Person.objects.filter(pk__in={who for who, *_ in (*people, *judges)}).in_bulk()
    shown = names_shown(person, benchmark.pk, benchmark.protocol_id)

    def named(rows: Mapping[tuple[Any, ...], dict[str, Any]]) -> list[dict[str, Any]]:
        listed = [
            {"person": brief_for(person, involved[key[0]], shown=shown), "mine": key[0] == person.pk} | row
            for key, row in rows.items()
        ]
        # By name where it is shown; hidden people stand in no order that could tell who they are.
        return sorted(listed, key=lambda r: (not r["mine"], (r["person"] or {}).get("name", ""), *_shape(r)))

    track = benchmark.protocol.content.get("tracks", {}).get("package") or {} if benchmark.protocol else {}
    return {
        "blind": bool(track.get("blind")),
        "people": named(people),
        "judges": named(judges),
        "agreement": _agreement(given) if everything else [],
        "packages": _packages(benchmark.pk, kind, None if everything else person),
    }


def first_time(person: Person, benchmark_id: int, since: datetime) -> tuple[int, int]:
    """Of what somebody wrote since a moment: how many items were judged, how many of them needed no mending."""
    given = {"benchmark": benchmark_id, "kind": None, "only": person.pk, "since": since}
    rows = _rows(_AUTHORS, _written(given))
    return sum(judged for *_, judged, _ in rows), sum(first for *_, first in rows)


def _shape(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (row["kind"], row.get("stage", ""), -row["judged"], -(row.get("accepted_first") or row.get("upheld") or 0))


def _rows(statement: str, given: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _all(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is decided on any item."""
    return {**given, "of": None, "by": None}


def _written(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is decided on the items that the only person asked for has written."""
    return {**given, "of": given["only"], "by": None}


def _said(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is decided on the items that the only person asked for has judged."""
    return {**given, "of": None, "by": given["only"]}


def _share(part: int, whole: int) -> dict[str, Any]:
    """A rate with its exact interval; nothing where nothing was looked at."""
    if not whole:
        return {"rate": None, "interval": None}
    return {"rate": part / whole, "interval": rules.clopper_pearson(part, whole)._asdict()}


def _people(given: Mapping[str, Any]) -> dict[tuple[int, str], dict[str, Any]]:
    written = _rows(
        "select r.author_id, i.kind, count(distinct r.item_id), count(*),"
        " percentile_disc(0.5) within group (order by r.active_ms)"
        " from annotation_itemrevision r join annotation_item i on i.id = r.item_id"
        " where i.benchmark_id = %(benchmark)s and (%(kind)s::text is null or i.kind = %(kind)s)"
        " and (%(only)s::bigint is null or r.author_id = %(only)s) and r.origin <> 'senior' group by 1, 2",
        given,
    )
    judged = {(who, kind): counts for who, kind, *counts in _rows(_AUTHORS, _written(given))}
    reasons: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for who, kind, code, n in _rows(_REASONS, _written(given)):
        reasons.setdefault((who, kind), []).append({"code": code, "n": n})
    found = {}
    for who, kind, items, revisions, median in written:
        n, first = judged.get((who, kind), (0, 0))
        found[who, kind] = {
            "kind": kind,
            "written": items,
            "handed_in": revisions,
            "judged": n,
            "accepted_first": first,
            **_share(first, n),
            "median_active_ms": median,
            "returned_reasons": reasons.get((who, kind), [])[:SHOWN_REASONS],
        }
    return found


def _judges(given: Mapping[str, Any]) -> dict[tuple[int, str, str], dict[str, Any]]:
    return {
        (who, kind, stage): {
            "kind": kind,
            "stage": stage,
            "judged": judged,
            "checked": checked,
            "upheld": upheld,
            **_share(upheld, checked),
        }
        for who, kind, stage, judged, checked, upheld in _rows(_JUDGES, _said(given))
    }


def _agreement(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Agreement of review with inspection, and of colleagues in a pool with each other."""
    units: dict[tuple[str, str], list[agreement.Unit]] = {}
    for kind, between, package_id, ratings, n in (*_rows(_STAGES, _all(given)), *_rows(_COLLEAGUES, _all(given))):
        units.setdefault((kind, between), []).append(agreement.Unit(package_id, tuple(ratings), n))
    return [
        {
            "kind": kind,
            "between": between,
            "items": sum(u.n for u in found),
            "observed": agreement.observed(found),
            "measures": [m._asdict() for m in agreement.measures(found)],
        }
        for (kind, between), found in sorted(units.items(), key=lambda e: (e[0][0], BETWEEN.index(e[0][1])))
    ]


def _packages(benchmark_id: int, kind: str | None, writer: Person | None) -> list[dict[str, Any]]:
    """The newest inspected packages with what the random part of their last draw showed."""
    wrong = Verdict.objects.filter(
        stage="inspection",
        outcome="wrong",
        package=OuterRef("inspection__package"),
        round=OuterRef("inspection__round"),
    )
    errors = (
        InspectionSample.objects.filter(inspection=OuterRef("pk"), stratum="random")
        .filter(item_id__in=wrong.values("item_id"))
        .order_by()
        .values("inspection")
        .annotate(n=Count("item_id"))
        .values("n")
    )
    rows = Inspection.objects.filter(package__benchmark_id=benchmark_id).exclude(outcome="")
    rows = rows.filter(
        Q() if kind is None else Q(package__kind=kind), Q() if writer is None else Q(package__assignee=writer)
    )
    newest = rows.annotate(
        errors=Coalesce(Subquery(errors), Value(0)), kind=F("package__kind"), number=F("package__number")
    ).order_by("-completed_at", "-pk")[:NEWEST]
    return [
        {
            "id": row.package_id,
            "label": package_label(row.kind, row.number),
            "right": row.size - row.errors,
            "n": row.size,
            "rate": (row.size - row.errors) / row.size,
        }
        for row in newest
    ]
