"""Work that was written elsewhere goes into packages that are handed over at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max

from annotation.packages.models import Package, PackageItem
from annotation.packages.queries.building import protocol_with
from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.people.models import Person

State = Package.State


@transaction.atomic
def hand_in(
    *, actor: Person, benchmark: Benchmark, kind: str, item_ids: Sequence[int], data: dict[str, Any]
) -> Package:
    """Put written items that are in no package into one that stands handed over, as its writer's.

    Nobody has ticked its items: should it come back, whoever mends it reads all of them first.

    Args:
        actor: Who brought them in, and thereby never reviews or inspects them.
        benchmark: Locked by the caller.
        kind: The items' kind.
        item_ids: In the order of the package.
        data: What explains it in the audit log.

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
