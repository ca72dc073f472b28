"""Packages of imported items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max

from annotation.items.queries import protocol_with
from annotation.packages.models import Package, PackageItem
from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.people.models import Person

State = Package.State


@transaction.atomic
def create_submitted_package(
    *, actor: Person, benchmark: Benchmark, kind: str, item_ids: Sequence[int], data: dict[str, Any]
) -> Package:
    """Put imported items into a package that is already submitted for review.

    None of its items is ticked, so the annotator who corrects it after a return has to read all of them.

    Args:
        actor: The person who imported them; they become the assignee, who never reviews or inspects the package.
        benchmark: The benchmark, locked.
        kind: The items' kind.
        item_ids: The items, in the order of the package.
        data: Further data for the audit log.

    Raises:
        KindNotInProtocol.
    """
    last = Package.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    package = Package.objects.create(
        benchmark=benchmark,
        kind=kind,
        number=last + 1,
        protocol=protocol_with(benchmark, kind),
        state=State.HANDED_OVER,
        assignee=actor,
        round=1,
        revision=1,
    )
    PackageItem.objects.bulk_create(
        PackageItem(package=package, item_id=item_id, position=position) for position, item_id in enumerate(item_ids, 1)
    )
    audit.record(
        action="package_hand_over",
        target_type="package",
        target_id=package.pk,
        label=package.label,
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        state_to=package.state,
        data={"round": package.round, "items": len(item_ids), **data},
    )
    return package
