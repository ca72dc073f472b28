"""Reads for review, inspection, an item's history and what waits for somebody."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject, TruncDate
from django.utils import timezone

from annotation.items.models import Item, ItemRevision
from annotation.items.queries import comments_on, newest_revision, with_pictures
from annotation.packages import queries as packages
from annotation.packages.access import kinds_open_to
from annotation.packages.models import Package, PackageItem
from annotation.quality import access, rules
from annotation.quality.models import Inspection, InspectionSample, Verdict
from curation.core.errors import NotFound
from curation.images.models import Image
from curation.people.access import benchmark_for, require
from curation.people.models import Person
from curation.people.queries import brief
from curation.people.rules import Reach


def unsettled(package: Package) -> list[PackageItem]:
    """Items whose newest revision has no review verdict; a senior's own correction counts as reviewed."""
    judged = Verdict.objects.filter(
        item_id=OuterRef("item_id"), revision_no=OuterRef("item__revision_no"), stage="review", package=package
    )
    corrected = ItemRevision.objects.filter(
        item_id=OuterRef("item_id"), no=OuterRef("item__revision_no"), origin="senior"
    )
    rows = PackageItem.objects.filter(package=package, active=True)
    return list(rows.exclude(Exists(judged)).exclude(Exists(corrected)).order_by("position"))


def _last_verdict(stage: str) -> Subquery:
    """The verdict that stands for an item in its package: on the newest revision, or on the one it corrected."""
    rows = Verdict.objects.filter(item_id=OuterRef("item_id"), package_id=OuterRef("package_id"), stage=stage)
    on_newest = Q(revision_no=OuterRef("item__revision_no"))
    corrects = Q(outcome="correct", revision_no=OuterRef("item__revision_no") - 1)
    fields = JSONObject(
        outcome="outcome",
        reasons="reasons",
        comment="comment",
        round="round",
        judge_id="judge_id",
        judge_name=F("judge__name"),
        created_at="created_at",
    )
    return Subquery(rows.filter(on_newest | corrects).order_by("-pk").values(row=fields)[:1])


def sheet_members(package_id: int) -> QuerySet[Any]:
    """A package's items with their verdicts: one statement."""
    found: QuerySet[Any] = packages.members(package_id).annotate(review=_last_verdict("review"))
    return found


def sheet_item(member: Any) -> dict[str, Any]:
    """An item as review and self-check show it."""
    newest = member.newest
    return packages.work_item(member) | {
        "author": {"id": newest["author_id"], "name": newest["author_name"]} if newest else None,
        "origin": newest["origin"] if newest else None,
        "revisions_count": member.item.revision_no,
        "review": _verdict_json(member.review),
    }


def _verdict_json(verdict: dict[str, Any] | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {
        "outcome": verdict["outcome"],
        "reasons": verdict["reasons"],
        "comment": verdict["comment"],
        "round": verdict["round"],
        "judge": {"id": verdict["judge_id"], "name": verdict["judge_name"]},
    }


def sheet(person: Person, package_id: int) -> dict[str, Any]:
    """A whole package for self-check or review.

    Raises:
        NotFound, OperationNotAllowed.
    """
    package = packages.counted(person, package_id, "package_sheet")
    items = [sheet_item(m) for m in sheet_members(package_id)]
    return packages.package_json(package, person) | {"rules": packages.rules_of(package), "items": items}


def one_sheet_item(package_id: int, item_id: int) -> dict[str, Any]:
    """One row of the sheet, after a verdict."""
    return sheet_item(sheet_members(package_id).get(item_id=item_id))


def inspection_item(package_id: int, item_id: int) -> dict[str, Any]:
    """One row of the inspection, after a verdict."""
    inspection = Inspection.objects.filter(package_id=package_id).order_by("-round")[:1].get()
    return next(i for i in _sample_items(inspection) if i["id"] == item_id)


def _sample_items(inspection: Inspection) -> list[dict[str, Any]]:
    drawn = InspectionSample.objects.filter(inspection=inspection, item_id=OuterRef("item_id"))
    verdict = Verdict.objects.filter(
        item_id=OuterRef("item_id"), package_id=inspection.package_id, stage="inspection", round=inspection.round
    )
    fields = JSONObject(
        outcome="outcome",
        reasons="reasons",
        comment="comment",
        round="round",
        judge_id="judge_id",
        judge_name=F("judge__name"),
    )
    # Items that an inspection set aside left the package, but belong to its record.
    rows = PackageItem.objects.filter(package_id=inspection.package_id).select_related("item__image__category")
    rows = with_pictures(rows, "item__image_id").annotate(
        drawn_no=Subquery(drawn.values("revision_no")[:1]),
        stratum=Subquery(drawn.values("stratum")[:1]),
        ordinal=Subquery(drawn.values("ordinal")[:1]),
        inspected=Subquery(verdict.order_by("-pk").values(row=fields)[:1]),
        review=_last_verdict("review"),
        comments=comments_on("item_id"),
    )
    rows = rows.filter(ordinal__isnull=False).annotate(newest=newest_revision("item_id", "drawn_no"))
    items = []
    for member in rows.order_by("ordinal"):
        member.draft = None
        item = sheet_item(member) | {
            "revision_no": member.drawn_no,
            "stratum": member.stratum,
            "ordinal": member.ordinal,
            "inspection_verdict": _verdict_json(member.inspected),
        }
        items.append(item)
    return items


def inspection_json(person: Person, package_id: int) -> dict[str, Any]:
    """The draw, what passing would mean, the drawn items, and after the verdict the interval.

    Raises:
        NotFound, OwnWork, OperationNotAllowed.
    """
    package = packages.counted(person, package_id, "inspection_show")
    inspection = access.inspection_for(person, package)
    items = _sample_items(inspection)
    judged = [i for i in items if i["inspection_verdict"]]
    errors = sum(1 for i in judged if i["stratum"] == "random" and i["inspection_verdict"]["outcome"] == "wrong")
    right = inspection.size - errors
    found = rules.interval(right, inspection.size, inspection.population) if inspection.outcome else None
    return {
        "package": packages.package_json(package, person),
        "rules": packages.rules_of(package),
        "inspection": {
            "round": inspection.round,
            "seed": bytes(inspection.seed).hex(),
            "population": inspection.population,
            "size": inspection.size,
            "sample": len(items),
            "percent": inspection.percent,
            "pass_over_percent": inspection.pass_over_percent,
            "errors_allowed": inspection.errors_allowed,
            "judged": len(judged),
            "errors": errors,
            "outcome": inspection.outcome or None,
            "inspector": brief(inspection.inspector),
            "drawn_at": inspection.drawn_at,
            "completed_at": inspection.completed_at,
            "pass_chances": [
                {
                    "right_percent": p,
                    "chance": rules.pass_chance(inspection.population, inspection.size, inspection.errors_allowed, p),
                }
                for p in rules.SHOWN_PERCENTS
            ],
            "interval": found._asdict() | {"right": right, "n": inspection.size} if found else None,
        },
        "items": items,
    }


def history(person: Person, item_id: int) -> dict[str, Any]:
    """An item's revisions and verdicts, oldest first.

    Verdicts of an inspection that is still going on are only for people who may inspect.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item = Item.objects.select_related("image").filter(pk=item_id).first()
    if item is None:
        raise NotFound
    reach = require(person, item.benchmark_id, "item_history", item.kind)
    mine = PackageItem.objects.filter(item=item).filter(Q(package__assignee=person) | Q(package__reviewer=person))
    if reach is not Reach.ALL and not mine.exists():
        raise NotFound
    verdicts = Verdict.objects.filter(item=item).select_related("judge").order_by("pk")
    if not person.may(item.benchmark_id, "item_inspect", item.kind):
        verdicts = verdicts.exclude(
            stage="inspection", package__state=Package.State.INSPECTING, round=F("package__round")
        )
    return {
        "id": item.pk,
        "label": item.label,
        "kind": item.kind,
        "state": item.state,
        "revision_no": item.revision_no,
        "accepted_no": item.accepted_no,
        "revisions": [
            {
                "no": r.no,
                "author": brief(r.author),
                "origin": r.origin,
                "content": r.content,
                "reasons": r.reasons,
                "created_at": r.created_at,
            }
            for r in item.revisions.select_related("author").order_by("no")
        ],
        "verdicts": [
            {
                "revision_no": v.revision_no,
                "stage": v.stage,
                "round": v.round,
                "outcome": v.outcome,
                "reasons": v.reasons,
                "comment": v.comment,
                "judge": brief(v.judge),
                "created_at": v.created_at,
            }
            for v in verdicts
        ],
    }


def waiting(person: Person, slug: str) -> dict[str, Any]:
    """What waits for somebody in a benchmark, their week, and for the team's heads the board."""
    benchmark = benchmark_for(person, slug, "waiting_show")

    def may(operation: str) -> bool:
        return person.may(benchmark.pk, operation)

    def open_to_me(operation: str) -> Q:
        return Q(kind__in=kinds_open_to(person, benchmark.pk, operation))

    mine = Package.objects.filter(benchmark=benchmark, assignee=person)
    state = Package.State
    here = Package.objects.filter(benchmark=benchmark)
    to_review = here.filter(state=state.HANDED_OVER).exclude(assignee=person)
    reviewing = here.filter(state=state.REVIEWING, reviewer=person)
    inspecting = here.filter(state=state.INSPECTING).exclude(assignee=person).exclude(reviewer=person)
    available = here.filter(open_to_me("package_claim"), state=state.AVAILABLE)
    images = Image.objects.filter(benchmark=benchmark, state=Image.State.RECEIVED).exclude(contributor=person)

    sees_all = person.reach(benchmark.pk, "package_list") is Reach.ALL

    def listed(rows: QuerySet[Package], operation: str) -> list[dict[str, Any]]:
        return packages.packages_json(rows.filter(open_to_me(operation)), person, 20) if may(operation) else []

    return {
        "working": listed(mine.filter(state=state.WORKING), "work_next"),
        "returned": listed(mine.filter(state=state.RETURNED), "package_resume"),
        "available": available.count() if may("package_claim") else None,
        "to_review": listed(to_review | reviewing, "package_review_take"),
        "to_inspect": listed(inspecting, "item_inspect"),
        "images_to_judge": images.count() if may("image_judge") else None,
        "week": _week(person, benchmark.pk) if may("item_submit") else None,
        "board": packages.board(benchmark.pk) if sees_all else None,
    }


def _week(person: Person, benchmark_id: int) -> dict[str, Any]:
    """Items somebody wrote in the last seven days, by day in their zone, and how many of those are accepted."""
    zone = ZoneInfo(person.zone)
    today = timezone.localdate(timezone=zone)
    days = [today - timedelta(days=n) for n in range(6, -1, -1)]
    rows = ItemRevision.objects.filter(
        author=person,
        item__benchmark_id=benchmark_id,
        origin="annotator",
        created_at__gte=datetime.combine(days[0], time.min, tzinfo=zone),
    )
    written = dict(
        rows.annotate(day=TruncDate("created_at", tzinfo=zone))
        .values_list("day")
        .annotate(n=Count("item_id", distinct=True))
        .order_by()
    )
    accepted = rows.filter(item__state=Item.State.ACCEPTED, no=F("item__accepted_no")).count()
    return {
        "written": sum(written.values()),
        "accepted": accepted,
        "by_day": [{"day": d, "written": written.get(d, 0)} for d in days],
    }
