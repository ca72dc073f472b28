"""Ending a review or an inspection, when a person completes it or the last seat of a pool is done."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.items import services as items
from annotation.items.models import Item
from annotation.packages.access import track_settings
from annotation.packages.models import Package, PackageItem
from annotation.packages.rules import seeded_order
from annotation.packages.services import move_package
from annotation.quality import rules
from annotation.quality.models import Inspection, InspectionSample, Verdict
from annotation.quality.services.judging import group_by_item, item_event, return_items
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
        package=package, round=package.round, stage="review", outcome="return", revision_no=F("item__revision_no")
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
            size=inspection.size,
            population=inspection.population,
        )
    else:
        move_package(package, "dissolve", decision)
    return package


def draw(package: Package) -> Inspection:
    """Draw the sample in the order of sha256(seed ‖ item id), with a seed of 16 random bytes, and add corrected items.

    If the protocol has an inspection pool, create the seats of the drawn items in the order of the draw.
    """
    settings = track_settings(package.protocol_id)
    rows = list(PackageItem.objects.filter(package=package, active=True).values_list("item_id", "item__revision_no"))
    numbers = dict(rows)
    corrected = set(
        Verdict.objects.filter(package=package, stage="review", outcome="correct").values_list("item_id", flat=True)
    )
    size = rules.sample_size(len(numbers), settings.sample_percent)
    seed = secrets.token_bytes(16)
    inspection = Inspection.objects.create(
        package=package,
        round=package.round,
        seed=seed,
        population=len(numbers),
        percent=settings.sample_percent,
        pass_over_percent=settings.pass_over_percent,
        size=size,
        errors_allowed=rules.errors_allowed(size, settings.pass_over_percent),
    )
    order = seeded_order(seed, list(numbers))
    drawn = order[:size]
    added = [i for i in order[size:] if i in corrected]
    sample = InspectionSample.objects.bulk_create(
        InspectionSample(
            inspection=inspection,
            item_id=item_id,
            revision_no=numbers[item_id],
            stratum="random" if ordinal <= size else "corrected",
            ordinal=ordinal,
        )
        for ordinal, item_id in enumerate([*drawn, *added], 1)
    )
    if pool := settings.inspection_pool:
        seats.open_seats(
            benchmark_id=package.benchmark_id,
            kind=package.kind,
            purpose="inspection",
            group_id=package.pk,
            round_no=package.round,
            places=[(s.item_id, s.ordinal) for s in sample],
            people=pool.people,
        )
    return inspection


def end_inspection(package: Package, inspection: Inspection, decision: Decision, *, actor: Person | None) -> Package:
    """End the inspection of a locked package whose sample is judged; one verdict "wrong" makes an item wrong.

    The random stratum decides, in integer arithmetic, whether the package passes. If it passes, every item is accepted
    at its revision, except wrong ones: they are returned and leave the package, and can go into a new one. If it does
    not pass, the wrong items are returned to the annotator, and there is a new draw after the next review.
    """
    verdicts = Verdict.objects.filter(package=package, round=package.round, stage="inspection", outcome="wrong")
    wrong = group_by_item(verdicts.order_by("pk"))
    sample = InspectionSample.objects.filter(inspection=inspection)
    errors = sample.filter(stratum="random", item_id__in=list(wrong)).count()
    passed = rules.passes(errors, inspection.size, inspection.pass_over_percent)
    return_items(package, wrong, "fail", actor)
    if passed:
        PackageItem.objects.filter(package=package, item_id__in=list(wrong)).update(active=False)
        _accept_items(package, actor)
        transaction.on_commit(lambda: jobs.send("evaluation.sweep_predictions"))
    inspection.outcome = "passed" if passed else "returned"
    inspection.completed_at = timezone.now()
    inspection.save(update_fields=["outcome", "completed_at"])
    move_package(
        package,
        "pass" if passed else "fail",
        decision,
        errors=errors,
        size=inspection.size,
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
