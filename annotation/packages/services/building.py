"""Batching accepted pictures into packages."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from annotation.items.models import Item
from annotation.packages import access, rules
from annotation.packages.errors import NothingToPack, TrackNotInProtocol
from annotation.packages.models import Package, PackageItem
from annotation.packages.services.making import add_items, lock_benchmark, protocol_with, publishable
from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.core.errors import ClientKeyReused
from curation.images.models import Image
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
) -> tuple[list[Package], int]:
    """Make items for accepted pictures that have none of this kind yet, and batch all items outside packages.

    The order is drawn by ``seed``, so that neighbouring uploads do not land with one person.

    Returns:
        The packages, and how many items were left over.

    Raises:
        NothingToPack: Every accepted picture is in a package already.
        ClientKeyReused, KindNotInProtocol, TrackNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = lock_benchmark(benchmark_for(actor, benchmark_slug, "package_build"))
    protocol = protocol_with(benchmark, kind)
    if not protocol.content.get("tracks", {}).get("package"):
        raise TrackNotInProtocol(track="package")
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_build", target_id=benchmark.pk)
    if done is not None:
        if done.data["kind"] != kind or size not in (None, done.data["size"]) or seed not in (None, done.data["seed"]):
            raise ClientKeyReused
        made = list(Package.objects.filter(pk__in=done.data["packages"]).order_by("number"))
        return made, done.data["left_over"]
    _make_items(benchmark, kind)
    waiting = Item.objects.filter(benchmark=benchmark, kind=kind, state__in=[Item.State.TODO, Item.State.RETURNED])
    loose = waiting.exclude(memberships__active=True).filter(publishable("image__"))
    numbers = dict(loose.values_list("number", "pk"))
    if not numbers:
        raise NothingToPack
    drawn_by = seed if seed is not None else int.from_bytes(hashlib.sha256(client_key.bytes).digest()[:4], "big")
    order = [numbers[n] for n in rules.seeded_order(str(drawn_by).encode(), list(numbers))]
    wanted = size or access.track_settings(protocol.pk).size
    batches = rules.cut(order, wanted, complete_only=complete_only)
    if not batches:
        raise NothingToPack
    sent_back = _why_sent_back(order)
    last = Package.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    packages = Package.objects.bulk_create(
        Package(benchmark=benchmark, kind=kind, number=last + i, protocol=protocol) for i, _ in enumerate(batches, 1)
    )
    PackageItem.objects.bulk_create(
        PackageItem(package=package, item_id=item_id, position=position, sent_back=sent_back.get(item_id))
        for package, batch in zip(packages, batches, strict=True)
        for position, item_id in enumerate(batch, 1)
    )
    left_over = len(order) - sum(map(len, batches))
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
            "items": len(order) - left_over,
            "left_over": left_over,
            "size": wanted,
            "seed": drawn_by,
        },
        client_key=client_key,
    )
    return packages, left_over


def _make_items(benchmark: Benchmark, kind: str) -> None:
    """Make an item for each picture that has none of this kind."""
    ready = Image.objects.filter(publishable(), benchmark=benchmark)
    fresh = ready.exclude(items__kind=kind).order_by("number").values_list("pk", flat=True)
    add_items(benchmark, kind, [(image_id, 0) for image_id in fresh])


def _why_sent_back(item_ids: Sequence[int]) -> dict[int, Any]:
    # An item that an inspection set aside takes its reasons along into its next package.
    earlier = PackageItem.objects.filter(item_id__in=item_ids, active=False, sent_back__isnull=False)
    return dict(earlier.order_by("package_id").values_list("item_id", "sent_back"))
