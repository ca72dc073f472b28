"""What ends a review or an inspection, whether one person completes it or the last seat of a pool is done."""

from __future__ import annotations

import secrets
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.items import states as item_states
from annotation.items.models import Item
from annotation.packages.access import track_settings
from annotation.packages.models import Package, PackageItem
from annotation.packages.rules import seeded_order
from annotation.packages.services import move_package
from annotation.quality import rules
from annotation.quality.models import Inspection, InspectionSample, Verdict
from annotation.quality.services.judging import by_item, item_event, return_items
from annotation.seats import services as seats
from curation.core import audit, jobs
from curation.core.transitions import advance
from curation.people.models import Person
from curation.people.services import notify


def end_review(package: Package, *, actor: Person | None, client_key: UUID | None) -> Package:
    """End the review of a locked package in which every item is settled.

    Back to the annotator when something was sent back, otherwise the sample is drawn in this moment: items and
    revisions are final here, so neither side can foresee or repeat the draw. Where every item was skipped and the
    reviewers agreed, nothing is left to draw from and the package dissolves.
    """
    members = PackageItem.objects.filter(package=package, active=True)
    said = Verdict.objects.filter(
        package=package, round=package.round, stage="review", outcome="return", revision_no=F("item__revision_no")
    )
    returned = by_item(said.filter(item__in=members.values("item_id")).order_by("pk"))
    insisted = members.filter(item__state=Item.State.RETURNED).count()
    if returned or insisted:
        return_items(package, returned, "send_back", actor)
        data = {"returned": len(returned) + insisted}
        move_package(package, "send_back", actor=actor, client_key=client_key, data=data)
        _tell(package, "package_returned", actor)
    elif members.exists():
        inspection = draw(package)
        data = {"inspection_id": inspection.pk, "size": inspection.size, "population": inspection.population}
        move_package(package, "draw", actor=actor, client_key=client_key, data=data)
    else:
        move_package(package, "dissolve", actor=actor, client_key=client_key)
    return package


def draw(package: Package) -> Inspection:
    """Draw the sample: 16 random bytes as seed, order by sha256(seed ‖ item id); corrected items join besides.

    Where the protocol inspects from a pool, the drawn items get their seats in the order of the draw.
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
    besides = [i for i in order[size:] if i in corrected]
    sample = InspectionSample.objects.bulk_create(
        InspectionSample(
            inspection=inspection,
            item_id=item_id,
            revision_no=numbers[item_id],
            stratum="random" if ordinal <= size else "corrected",
            ordinal=ordinal,
        )
        for ordinal, item_id in enumerate([*drawn, *besides], 1)
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


def end_inspection(
    package: Package, inspection: Inspection, *, actor: Person | None, client_key: UUID | None
) -> Package:
    """End the inspection of a locked package whose sample is judged; an item is wrong when anybody said so.

    The random stratum decides by integers whether the package passes. Passed: every item is accepted at its revision,
    except those called wrong, which leave the package with their reasons and wait to be packed anew. Returned: those
    called wrong go back to the annotator; a fresh draw follows.
    """
    said = Verdict.objects.filter(package=package, round=package.round, stage="inspection", outcome="wrong")
    wrong = by_item(said.order_by("pk"))
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
        actor=actor,
        client_key=client_key,
        data={"errors": errors, "size": inspection.size, "wrong_items": sorted(wrong)},
    )
    _tell(package, "package_passed" if passed else "package_returned", actor)
    return package


def _tell(package: Package, code: str, actor: Person | None) -> None:
    """Leave a notice for whoever wrote the package."""
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
    events = []
    for item in rows:
        left = advance(item, "accept", table=item_states.TABLE)
        item.accepted_no = item.revision_no
        events.append(item_event(package, item, left, actor))
    Item.objects.bulk_update(rows, ["state", "accepted_no"])
    audit.record_all(events)
