"""Ending a review or an inspection, when a person completes it or the last seat of a pool is done."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.draws.models import Drawn
from annotation.draws.services import draw_sample
from annotation.items import services as items
from annotation.items.models import Item
from annotation.judging.models import Verdict
from annotation.judging.services import group_by_item
from annotation.packages.access import track_settings
from annotation.packages.models import Package, PackageItem
from annotation.packages.services import move_package
from annotation.quality import rules
from annotation.quality.models import Inspection
from annotation.quality.services.returning import item_event, return_items
from annotation.seats import services as seats
from curation.core import audit, jobs
from curation.core.decisions import Decision
from curation.people.models import Person
from curation.people.services import notify


def end_review(package: Package, decision: Decision, *, actor: Person | None) -> Package:
    """End the review of a locked package in which every item is decided.

    If any item was returned, the package is returned to its annotator. Otherwise the sample is drawn now, when items
    and revisions are final, so that no one can predict or repeat the draw. If every item was skipped and the reviewers
    agreed, the package is empty and is withdrawn.
    """
    members = PackageItem.objects.filter(package=package, active=True)
    verdicts = Verdict.objects.filter(
        package_id=package.pk, round=package.round, stage="review", outcome="return", revision_no=F("item__revision_no")
    )
    returned = group_by_item(verdicts.filter(item__in=members.values("item_id")).order_by("pk"))
    returned_skips = members.filter(item__state=Item.State.RETURNED).count()
    if returned or returned_skips:
        return_items(package, returned, "return", actor)
        move_package(package, "return", decision, returned=len(returned) + returned_skips)
        _notify_assignee(package, "package_returned", actor)
    elif members.exists():
        inspection = draw(package)
        move_package(
            package,
            "draw",
            decision,
            inspection_id=inspection.pk,
            size=inspection.draw.size,
            population=inspection.draw.population,
        )
    else:
        move_package(package, "dissolve", decision)
    return package


def draw(package: Package) -> Inspection:
    """Draw the sample of a package, and add corrected items.

    If the protocol has an inspection pool, create the seats of the drawn items in the order of the draw.
    """
    settings = track_settings(package.protocol_id, package.kind)
    rows = PackageItem.objects.filter(package=package, active=True).values_list("item_id", "item__revision_no")
    revisions = dict(rows)
    corrections = Verdict.objects.filter(package_id=package.pk, stage="review", outcome="correct")
    size = rules.sample_size(len(revisions), settings.sample_percent)
    sample, drawn = draw_sample(
        benchmark_id=package.benchmark_id,
        kind=package.kind,
        purpose="inspection",
        revisions=revisions,
        size=size,
        criteria={"package_id": package.pk, "percent": settings.sample_percent},
        added=set(corrections.values_list("item_id", flat=True)),
    )
    inspection = Inspection.objects.create(
        package=package,
        round=package.round,
        draw=sample,
        percent=settings.sample_percent,
        pass_over_percent=settings.pass_over_percent,
        errors_allowed=rules.errors_allowed(size, settings.pass_over_percent),
    )
    if pool := settings.inspection_pool:
        seats.open_seats(
            benchmark_id=package.benchmark_id,
            kind=package.kind,
            purpose="inspection",
            group_id=package.pk,
            round_no=package.round,
            places=[(row.item_id, row.ordinal) for row in drawn],
            people=pool.people,
        )
    return inspection


def end_inspection(package: Package, inspection: Inspection, decision: Decision, *, actor: Person | None) -> Package:
    """End the inspection of a locked package whose sample is judged; one verdict "wrong" makes an item wrong.

    The random stratum decides, in integer arithmetic, whether the package passes. If it passes, every item is accepted
    at its revision, except wrong ones: they are returned and leave the package, and can go into a new one. If it does
    not pass, the wrong items are returned to the annotator, and there is a new draw after the next review.
    """
    verdicts = Verdict.objects.filter(package_id=package.pk, round=package.round, stage="inspection", outcome="wrong")
    wrong = group_by_item(verdicts.order_by("pk"))
    sample = Drawn.objects.filter(draw_id=inspection.draw_id)
    errors = sample.filter(stratum="random", item_id__in=list(wrong)).count()
    passed = rules.passes(errors, inspection.draw.size, inspection.pass_over_percent)
    return_items(package, wrong, "fail", actor)
    if passed:
        PackageItem.objects.filter(package=package, item_id__in=list(wrong)).update(active=False)
        _accept_items(package, actor)
        transaction.on_commit(lambda: jobs.send("evaluation.sweep_predictions"))
    inspection.outcome = "passed" if passed else "returned"
    inspection.completed_at = inspection.draw.closed_at = timezone.now()
    inspection.save(update_fields=["outcome", "completed_at"])
    inspection.draw.save(update_fields=["closed_at"])
    move_package(
        package,
        "pass" if passed else "fail",
        decision,
        errors=errors,
        size=inspection.draw.size,
        wrong_items=sorted(wrong),
    )
    _notify_assignee(package, "package_passed" if passed else "package_returned", actor)
    return package


def _notify_assignee(package: Package, code: str, actor: Person | None) -> None:
    notify(
        person_ids=[package.assignee_id],
        code=code,
        params={"package": package.label},
        actor_id=actor.pk if actor else None,
        benchmark_id=package.benchmark_id,
        target_type="package",
        target_id=package.pk,
    )


def _accept_items(package: Package, actor: Person | None) -> None:
    rows = list(
        Item.objects.select_for_update(no_key=True)
        .filter(memberships__package=package, memberships__active=True)
        .order_by("pk")
    )
    former = items.accept(rows)
    audit.record_all([item_event(package, item, state, actor) for item, state in zip(rows, former, strict=True)])
