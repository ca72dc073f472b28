"""The sheet of a package, and an inspection with its drawn items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, cast

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import JSONObject

from annotation.draws.models import Drawn
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import comments_on, names_visible, newest_revision, rules_for, with_pictures
from annotation.judging.models import Verdict
from annotation.judging.shapes import VerdictBrief
from annotation.packages import queries as packages
from annotation.packages.models import Package, PackageItem
from annotation.packages.queries.work import returned_by
from annotation.quality import access, rules
from annotation.quality.models import Inspection
from annotation.quality.shapes import (
    EarlierVersion,
    InspectionAnswer,
    InspectionRow,
    IntervalRow,
    SampleItem,
    SetAside,
    Sheet,
    SheetItem,
)
from annotation.seats.models import Seat
from curation.core.shapes import PersonBrief
from curation.images.models import hidden_from
from curation.people.access import brief_for
from curation.people.models import Person


def undecided_items(package: Package) -> list[PackageItem]:
    """Items that a reviewer still has to decide on: skipped ones, and newest revisions without a review verdict.

    Items that a senior corrected and returned items count as reviewed.
    """
    judged = Verdict.objects.filter(
        item_id=OuterRef("item_id"), revision_no=OuterRef("item__revision_no"), stage="review", package_id=package.pk
    )
    corrected = ItemRevision.objects.filter(
        item_id=OuterRef("item_id"), no=OuterRef("item__revision_no"), origin="senior"
    )
    rows = PackageItem.objects.filter(package=package, active=True).exclude(item__state=Item.State.RETURNED)
    waiting = Q(item__state=Item.State.SKIPPED) | ~(Exists(judged) | Exists(corrected))
    return list(rows.filter(waiting).order_by("position"))


_VERDICT = {
    "outcome": "outcome",
    "reasons": "reasons",
    "comment": "comment",
    "round": "round",
    "judge_id": "judge_id",
    "judge_name": F("judge__name"),
}
# Of several verdicts on an item, a negative one counts.
_NEGATIVE_FIRST = (Case(When(outcome__in=["return", "wrong"], then=0), default=1), "-pk")


def hidden_verdicts(viewer: Person, stage: str) -> Q:
    """The condition on verdicts of a stage that has not ended which the viewer must not see yet.

    Those on their own work, which the judge may still change; in a pool, also those of their colleagues.
    """
    seats = Seat.objects.filter(group_id=OuterRef("package_id"), purpose=stage, round=OuterRef("round"))
    running = _running(stage)
    own, others = Q(Exists(running.filter(assignee=viewer))), ~Q(judge=viewer) & Q(Exists(seats))
    return Q(stage=stage) & (own | others & Q(Exists(running)))


def _running(stage: str) -> QuerySet[Package]:
    """The package of a verdict, if its review or inspection has not ended in the verdict's round."""
    state = {"review": Package.State.REVIEWING, "inspection": Package.State.INSPECTING}[stage]
    return Package.objects.filter(pk=OuterRef("package_id"), round=OuterRef("round"), state=state)


def unseen_verdicts(viewer: Person, benchmark_id: int, kinds: Iterable[str]) -> Q:
    """The condition on a benchmark's verdicts of these kinds of work which the viewer must not see yet.

    They are those of :func:`hidden_verdicts` and, for people who may not inspect, those of running inspections.
    """
    others = [kind for kind in kinds if not viewer.may(benchmark_id, "item_inspect", kind)]
    inspected = Q(Exists(_running("inspection").filter(kind__in=others)), stage="inspection")
    hidden = hidden_verdicts(viewer, "review") | hidden_verdicts(viewer, "inspection")
    return hidden | inspected


def _last_verdict(viewer: Person, stage: str) -> Subquery:
    """The verdict that counts for an item in its package: on the newest revision, or the correction that wrote it."""
    rows = Verdict.objects.filter(item_id=OuterRef("item_id"), package_id=OuterRef("package_id"), stage=stage)
    on_newest = Q(revision_no=OuterRef("item__revision_no"))
    corrects = Q(outcome="correct", revision_no=OuterRef("item__revision_no") - 1)
    rows = rows.filter(on_newest | corrects).exclude(hidden_verdicts(viewer, stage))
    return Subquery(rows.order_by(*_NEGATIVE_FIRST).values(row=JSONObject(**_VERDICT))[:1])


def with_review(rows: QuerySet[Any], viewer: Person) -> QuerySet[Any]:
    """Add the review verdict that counts to rows of ``PackageItem``, within the same statement."""
    annotated: QuerySet[Any] = rows.annotate(review=_last_verdict(viewer, "review"))
    return annotated


def with_earlier(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Add the version that an earlier round returned last, with its verdict, within the same statement."""
    version = ItemRevision.objects.filter(item_id=OuterRef("item_id"), no=OuterRef("revision_no"))
    returned = Verdict.objects.filter(
        item_id=OuterRef("item_id"),
        package_id=OuterRef("package_id"),
        round__lt=OuterRef("package__round"),
        revision_no__lt=OuterRef("item__revision_no"),
        outcome__in=["return", "wrong"],
    )
    row = JSONObject(
        **_VERDICT, stage="stage", revision_no="revision_no", content=Subquery(version.values("content")[:1])
    )
    annotated: QuerySet[Any] = rows.annotate(earlier=Subquery(returned.order_by("-round", "-pk").values(row=row)[:1]))
    return annotated


def sheet_item(member: Any, viewer: Person, protocol_id: int, *, show_names: bool) -> SheetItem:
    """An item as review and self-check show it; ``show_names`` is the result of ``names_visible``."""
    newest = member.newest
    author = {"id": newest["author_id"], "name": newest["author_name"]} if newest else None
    return {
        **packages.work_item(member, viewer, protocol_id, show_names=show_names),
        "author": brief_for(viewer, author, show_names=show_names),
        "origin": newest["origin"] if newest else None,
        "revisions_count": member.item.revision_no,
        "review": _verdict(member.review, viewer, show_names=show_names),
        "earlier": _earlier(member.earlier, viewer, show_names=show_names),
    }


def _earlier(row: dict[str, Any] | None, viewer: Person, *, show_names: bool) -> EarlierVersion | None:
    verdict = _verdict(row, viewer, show_names=show_names)
    if row is None or verdict is None:
        return None
    return {
        "revision_no": row["revision_no"],
        "content": row["content"],
        "stage": row["stage"],
        "verdict": verdict,
    }


def _verdict(verdict: dict[str, Any] | None, viewer: Person, *, show_names: bool) -> VerdictBrief | None:
    if verdict is None:
        return None
    return {
        "outcome": verdict["outcome"],
        "reasons": verdict["reasons"],
        "comment": verdict["comment"],
        "round": verdict["round"],
        "judge": brief_for(viewer, {"id": verdict["judge_id"], "name": verdict["judge_name"]}, show_names=show_names),
    }


def sheet(person: Person, package_id: int) -> Sheet:
    """Show a package for self-check or review: every item with content, findings and verdict.

    Raises:
        NotFound, OperationNotAllowed.
    """
    package = packages.package_with_counts(person, package_id, "package_sheet")
    show_names = names_visible(person, package.benchmark_id, package.protocol_id)
    members = with_earlier(with_review(packages.members(package_id, person.pk), person))
    items = [sheet_item(m, person, package.protocol_id, show_names=show_names) for m in members]
    rules = rules_for(package.protocol_id, package.kind)
    return {**packages.package_row(package, person), "rules": rules, "items": items}


def reviewed_item(person: Person, judged: tuple[int, int]) -> SheetItem:
    """An item of the sheet after a verdict; ``judged`` contains the ids of package and item."""
    package_id, item_id = judged
    rows = with_earlier(with_review(packages.members(package_id, person.pk), person)).annotate(
        benchmark_no=F("package__benchmark_id"), protocol_no=F("package__protocol_id")
    )
    member = rows.get(item_id=item_id)
    show_names = names_visible(person, member.benchmark_no, member.protocol_no)
    return sheet_item(member, person, member.protocol_no, show_names=show_names)


def decided_item(person: Person, decided: tuple[int, int, bool]) -> SheetItem | SetAside:
    """A skipped item after the decision.

    ``decided`` contains the ids of package and item, and whether the item left the package.
    """
    package_id, item_id, agreed = decided
    if agreed:
        return {"item_id": item_id, "state": Item.State.EXCLUDED}
    return reviewed_item(person, (package_id, item_id))


def inspected_item(person: Person, judged: tuple[int, int]) -> SampleItem:
    """A drawn item after a verdict; ``judged`` contains the ids of package and item."""
    package_id, item_id = judged
    inspection = (
        Inspection.objects.select_related("package", "draw").filter(package_id=package_id).order_by("-round")[:1].get()
    )
    return next(i for i in _sample_items(person, inspection) if i["id"] == item_id)


def _sample_items(viewer: Person, inspection: Inspection) -> list[SampleItem]:
    drawn = Drawn.objects.filter(draw_id=inspection.draw_id, item_id=OuterRef("item_id"))
    verdict = Verdict.objects.filter(
        item_id=OuterRef("item_id"), package_id=inspection.package_id, stage="inspection", round=inspection.round
    ).exclude(hidden_verdicts(viewer, "inspection"))
    # Includes items that the inspection removed from the package.
    rows = PackageItem.objects.filter(package_id=inspection.package_id).select_related(
        "item__image__category", "item__team"
    )
    rows = rows.exclude(hidden_from(viewer.pk, "item__image_id"))
    rows = with_pictures(rows, "item__image_id").annotate(
        drawn_no=Subquery(drawn.values("revision_no")[:1]),
        stratum=Subquery(drawn.values("stratum")[:1]),
        ordinal=Subquery(drawn.values("ordinal")[:1]),
        inspected=Subquery(verdict.order_by(*_NEGATIVE_FIRST).values(row=JSONObject(**_VERDICT))[:1]),
        returned_by=returned_by(),
        comments=comments_on("item_id"),
    )
    rows = rows.filter(ordinal__isnull=False).annotate(newest=newest_revision("item_id", "drawn_no"))
    package = inspection.package
    show_names = names_visible(viewer, package.benchmark_id, package.protocol_id)
    items: list[SampleItem] = []
    for member in with_review(rows, viewer).order_by("ordinal"):
        member.draft = None
        # Inspectors judge the text alone.
        member.earlier = None
        item: SampleItem = {
            **sheet_item(member, viewer, package.protocol_id, show_names=show_names),
            "revision_no": member.drawn_no,
            "stratum": member.stratum,
            "ordinal": member.ordinal,
            "inspection_verdict": _verdict(member.inspected, viewer, show_names=show_names),
        }
        items.append(item)
    return items


def inspection_page(person: Person, package_id: int) -> InspectionAnswer:
    """Show the draw, the chances of passing, the drawn items, and after the result the interval.

    Raises:
        NotFound, OwnWork, OperationNotAllowed.
    """
    package = packages.package_with_counts(person, package_id, "inspection_show")
    inspection = access.inspection_for(person, package)
    show_names = names_visible(person, package.benchmark_id, package.protocol_id)
    items = _sample_items(person, inspection)
    return {
        "package": packages.package_row(package, person),
        "rules": rules_for(package.protocol_id, package.kind),
        "inspection": _inspection_row(
            inspection, items, brief_for(person, inspection.inspector, show_names=show_names)
        ),
        "items": items,
    }


def completed_inspection(person: Person, package: Package) -> InspectionAnswer:
    """An inspection after it ended."""
    return inspection_page(person, package.pk)


def _inspection_row(inspection: Inspection, items: list[SampleItem], inspector: PersonBrief | None) -> InspectionRow:
    draw = inspection.draw
    verdicts = [(item["stratum"], item["inspection_verdict"]) for item in items]
    errors = sum(1 for stratum, v in verdicts if stratum == "random" and v is not None and v["outcome"] == "wrong")
    return {
        "round": inspection.round,
        "seed": bytes(draw.seed).hex(),
        "population": draw.population,
        "size": draw.size,
        "sample": len(items),
        "percent": inspection.percent,
        "pass_over_percent": inspection.pass_over_percent,
        "errors_allowed": inspection.errors_allowed,
        "judged": sum(1 for _, verdict in verdicts if verdict is not None),
        "errors": errors,
        "outcome": cast('Literal["passed", "returned"] | None', inspection.outcome or None),
        "inspector": inspector,
        "drawn_at": draw.drawn_at,
        "completed_at": inspection.completed_at,
        "pass_chances": [
            {
                "right_percent": p,
                "chance": rules.pass_chance(draw.population, draw.size, inspection.errors_allowed, p),
            }
            for p in rules.PREVIEWED_PERCENTS
        ],
        "interval": _interval(inspection, draw.size - errors) if inspection.outcome else None,
    }


def _interval(inspection: Inspection, right: int) -> IntervalRow:
    method, low, high = rules.interval(right, inspection.draw.size, inspection.draw.population)
    return {"method": method, "low": low, "high": high, "right": right, "n": inspection.draw.size}
