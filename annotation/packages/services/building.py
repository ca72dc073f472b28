"""Batching accepted pictures into packages."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from annotation.items.models import Item
from annotation.packages import rules
from annotation.packages.errors import NothingToPack
from annotation.packages.models import Package, PackageItem
from annotation.packages.queries.building import Plan, plan, protocol_with
from annotation.packages.services.assigning import annotators, tell_assigned
from annotation.packages.services.making import add_items, lock_benchmark
from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.core.errors import ClientKeyReused
from curation.people.access import benchmark_for
from curation.people.models import Person

State = Package.State


@transaction.atomic
def build_packages(
    *,
    actor: Person,
    benchmark_slug: str,
    kind: str,
    size: int | None,
    seed: int | None,
    complete_only: bool,
    client_key: UUID,
    mix: str = "shuffled",
    categories: Sequence[str] | None = None,
    maximum: int | None = None,
    assignees: Sequence[int] = (),
) -> tuple[list[Package], int]:
    """Make items for accepted pictures that have none of this kind yet, and batch items outside packages.

    The order is drawn by ``seed``, so that neighbouring uploads do not land with one person.

    Args:
        actor: Who asks.
        benchmark_slug: Where.
        kind: The kind of work.
        size: Items in a package; None: the protocol's.
        seed: What the order is drawn by; None: the client's key decides.
        complete_only: Leave out what fills no package.
        client_key: Makes a repeat harmless.
        mix: See :func:`annotation.packages.rules.batches`.
        categories: Only pictures of these; None: of all.
        maximum: At most so many packages.
        assignees: Deal the packages to these people in turn.

    Returns:
        The packages, and how many items were left over.

    Raises:
        NothingToPack: No item waits, or what waits fills no package.
        CannotAnnotate: Somebody among the assignees may not write this kind.
        CategoryUnknown, ClientKeyReused, KindNotInProtocol, TrackNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = lock_benchmark(benchmark_for(actor, benchmark_slug, "package_build"))
    asked: dict[str, Any] = {
        "kind": kind,
        "size": size,
        "seed": seed,
        "complete_only": complete_only,
        "mix": mix,
        "categories": None if categories is None else sorted(set(categories)),
        "maximum": maximum,
        "assignees": list(dict.fromkeys(assignees)),
    }
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_build", target_id=benchmark.pk)
    if done is not None:
        if done.data["asked"] != asked:
            raise ClientKeyReused
        made = list(Package.objects.filter(pk__in=done.data["packages"]).order_by("number"))
        return made, done.data["left_over"]
    people = annotators(benchmark, kind, asked.pop("assignees"))
    asked["seed"] = _seed(client_key) if seed is None else seed
    found = plan(benchmark, **asked)
    if not found.batches:
        raise NothingToPack
    item_ids = _make_items(benchmark, kind, found)
    packages = _make_packages(benchmark, kind, [[item_ids[n] for n in batch] for batch in found.batches], people)
    audit.record(
        action="package_build",
        target_type="benchmark",
        target_id=benchmark.pk,
        label=benchmark.slug,
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        data={
            "kind": kind,
            "packages": [p.pk for p in packages],
            "items": sum(map(len, found.batches)),
            "left_over": found.left_over,
            "size": found.size,
            "seed": found.seed,
            "asked": asked | {"seed": seed, "assignees": [p.pk for p in people]},
        },
        client_key=client_key,
    )
    tell_assigned([p for p in packages if p.assignee is not None], actor=actor)
    return packages, found.left_over


def _seed(client_key: UUID) -> int:
    return int.from_bytes(hashlib.sha256(client_key.bytes).digest()[:4], "big")


def _make_items(benchmark: Benchmark, kind: str, found: Plan) -> dict[int, int]:
    """Make the items that the plan counted on; answers every waiting item's row by its number."""
    fresh = [loose for loose in found.waiting.values() if loose.item_id is None]
    add_items(benchmark, kind, [(loose.image_id, 0) for loose in fresh])
    made = Item.objects.filter(benchmark=benchmark, kind=kind, number__in=[loose.number for loose in fresh])
    there = {loose.number: loose.item_id for loose in found.waiting.values() if loose.item_id is not None}
    return there | dict(made.values_list("number", "pk"))


def _make_packages(
    benchmark: Benchmark, kind: str, batches: Sequence[Sequence[int]], people: Sequence[Person]
) -> list[Package]:
    sent_back = _why_sent_back([item_id for batch in batches for item_id in batch])
    last = Package.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    protocol = protocol_with(benchmark, kind)
    packages = Package.objects.bulk_create(
        Package(
            benchmark=benchmark,
            kind=kind,
            number=last + i,
            protocol=protocol,
            assignee=who,
            state=State.AVAILABLE if who is None else State.ASSIGNED,
        )
        for i, who in enumerate(rules.dealt(len(batches), people), 1)
    )
    PackageItem.objects.bulk_create(
        (
            PackageItem(package=package, item_id=item_id, position=position, sent_back=sent_back.get(item_id))
            for package, batch in zip(packages, batches, strict=True)
            for position, item_id in enumerate(batch, 1)
        ),
        batch_size=2_000,
    )
    return packages


def _why_sent_back(item_ids: Sequence[int]) -> dict[int, Any]:
    # An item that an inspection set aside takes its reasons along into its next package.
    earlier = PackageItem.objects.filter(item_id__in=item_ids, active=False, sent_back__isnull=False)
    return dict(earlier.order_by("package_id").values_list("item_id", "sent_back"))
