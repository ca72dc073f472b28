"""Building packages from accepted pictures."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from annotation.items.models import Item
from annotation.items.queries import protocol_with
from annotation.items.services import add_items, lock_benchmark
from annotation.packages import rules
from annotation.packages.errors import NothingToPack
from annotation.packages.models import Package, PackageItem
from annotation.packages.queries.building import Plan, plan
from annotation.packages.services.assigning import annotators, check_no_doubles, notify_assignees
from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.people.access import benchmark_for
from curation.people.models import Person

State = Package.State


@transaction.atomic
def build_packages(
    *,
    actor: Person,
    benchmark_slug: str,
    kind: str,
    client_key: UUID,
    size: int | None = None,
    seed: int | None = None,
    complete_only: bool = False,
    mix: str = "shuffled",
    categories: Sequence[str] | None = None,
    maximum: int | None = None,
    assignees: Sequence[int] = (),
) -> tuple[list[Package], int]:
    """Create the items of this kind that accepted pictures still need, and batch all items outside packages.

    The order is random, so that one person does not get pictures that were uploaded together. A share of the items, by
    the protocol, is done by two people: their copies are in packages of others.

    Args:
        actor: The person who asks.
        benchmark_slug: The benchmark.
        kind: The kind of work.
        client_key: A repeat with the same key has the same result.
        size: Items in a package; None: the protocol's.
        seed: Determines the order; None: derived from the client's key.
        complete_only: Leave out the last, smaller package.
        mix: See :func:`annotation.packages.rules.batches`.
        categories: Only pictures of these categories; None: of all.
        maximum: The largest number of packages.
        assignees: Assign the packages to these people in turn.

    Returns:
        The packages, and how many items were left over.

    Raises:
        NothingToPack: No item is outside a package, or too few for a complete one.
        CannotAnnotate: An assignee may not write this kind.
        DoubleOfAssignee: An assignee did the other item of a double that waits for a package.
        CategoryUnknown, ClientKeyReused, KindNotInPackages, KindNotInProtocol, TrackNotInProtocol, NotFound,
        OperationNotAllowed.
    """
    benchmark = lock_benchmark(benchmark_for(actor, benchmark_slug, "package_build"))
    rule: dict[str, Any] = {
        "kind": kind,
        "size": size,
        "seed": seed,
        "complete_only": complete_only,
        "mix": mix,
        "categories": None if categories is None else sorted(set(categories)),
        "maximum": maximum,
        "assignees": list(dict.fromkeys(assignees)),
    }
    decision = Decision(
        actor_id=actor.pk,
        action="package_build",
        row=benchmark,
        client_key=client_key,
        label=benchmark.slug,
        benchmark_id=benchmark.pk,
    )
    if earlier := decision.earlier(asked=rule):
        made = list(Package.objects.filter(pk__in=earlier.data["packages"]).order_by("number"))
        return made, earlier.data["left_over"]
    people = annotators(benchmark, kind, rule.pop("assignees"))
    rule["seed"] = _seed(client_key) if seed is None else seed
    planned = plan(benchmark, **rule, people=len(people))
    if not planned.batches:
        raise NothingToPack
    item_ids = _make_items(benchmark, kind, planned)
    packages = _make_packages(benchmark, kind, [[item_ids[n] for n in batch] for batch in planned.batches], people)
    for person in people:
        check_no_doubles([p for p in packages if p.assignee_id == person.pk], person)
    decision.record(
        kind=kind,
        packages=[p.pk for p in packages],
        items=sum(map(len, planned.batches)),
        left_over=planned.left_over,
        copies=planned.copies,
        size=planned.size,
        seed=planned.seed,
        asked=rule | {"seed": seed, "assignees": [p.pk for p in people]},
    )
    notify_assignees([p for p in packages if p.assignee is not None], actor=actor)
    return packages, planned.left_over


def _seed(client_key: UUID) -> int:
    return int.from_bytes(hashlib.sha256(client_key.bytes).digest()[:4], "big")


def _make_items(benchmark: Benchmark, kind: str, planned: Plan) -> dict[int, int]:
    """Create the planned items that do not exist yet; return the id of every item of the plan by its number."""
    new = [row for row in planned.waiting.values() if row.item_id is None]
    for copy_no in (0, 1):  # the copies have the last numbers
        add_items(benchmark, kind, [(row.image_id, row.slot) for row in new if row.copy_no == copy_no], copy_no=copy_no)
    created = Item.objects.filter(benchmark=benchmark, kind=kind, number__in=[row.number for row in new])
    existing = {row.number: row.item_id for row in planned.waiting.values() if row.item_id is not None}
    return existing | dict(created.values_list("number", "pk"))


def _make_packages(
    benchmark: Benchmark, kind: str, batches: Sequence[Sequence[int]], people: Sequence[Person]
) -> list[Package]:
    returned = _return_reasons([item_id for batch in batches for item_id in batch])
    last = Package.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    protocol = protocol_with(benchmark, kind)
    packages = Package.objects.bulk_create(
        Package(
            benchmark=benchmark,
            kind=kind,
            number=last + i,
            protocol=protocol,
            assignee=person,
            state=State.AVAILABLE if person is None else State.ASSIGNED,
        )
        for i, person in enumerate(rules.round_robin(len(batches), people), 1)
    )
    PackageItem.objects.bulk_create(
        (
            PackageItem(package=package, item_id=item_id, position=position, sent_back=returned.get(item_id))
            for package, batch in zip(packages, batches, strict=True)
            for position, item_id in enumerate(batch, 1)
        ),
        batch_size=2_000,
    )
    return packages


def _return_reasons(item_ids: Sequence[int]) -> dict[int, Any]:
    # An item that an inspection removed from its package keeps the reasons of its return in the next package.
    earlier = PackageItem.objects.filter(item_id__in=item_ids, active=False, sent_back__isnull=False)
    return dict(earlier.order_by("package_id").values_list("item_id", "sent_back"))
