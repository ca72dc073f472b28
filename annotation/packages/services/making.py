"""Creating items for pictures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.items.models import FREES_SLOT, Item
from annotation.items.queries import protocol_with, publishable
from annotation.items.services import add_items, lock_benchmark
from annotation.packages import rules
from annotation.packages.errors import RowsRefused
from annotation.packages.queries.building import check_worked_in_packages
from annotation.packages.shapes import ImportAnswer
from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.images.models import Image, image_label
from curation.people.access import benchmark_for
from curation.people.models import Person


@transaction.atomic
def import_items(
    *, actor: Person, benchmark_slug: str, kind: str, rows: Sequence[Mapping[str, Any]], client_key: UUID
) -> ImportAnswer:
    """Create items for pictures that are listed by label or number; if a row has a fault, create none.

    Args:
        actor: The person who asks.
        benchmark_slug: The benchmark.
        kind: A kind of work of the protocol.
        rows: ``{"image": "img-0042", "slot": 0}``; a picture may have several items of a kind, one in each slot.
        client_key: A repeat with the same key has the same result.

    Raises:
        RowsRefused: ``params.rows`` lists the rows with a fault.
        KindNotInPackages, KindNotInProtocol, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark = lock_benchmark(benchmark_for(actor, benchmark_slug, "item_import"))
    subset = check_worked_in_packages(protocol_with(benchmark, kind), kind).subset
    rows_sha256 = hashlib.sha256(json.dumps([kind, list(map(dict, rows))], sort_keys=True).encode()).hexdigest()
    decision = Decision(
        actor_id=actor.pk,
        action="item_import",
        row=benchmark,
        client_key=client_key,
        label=benchmark.slug,
        benchmark_id=benchmark.pk,
    )
    if earlier := decision.earlier(rows_sha256=rows_sha256):
        return {"made": earlier.data["made"], "existing": earlier.data["existing"]}
    row_of, faults = rules.parse_rows([(row["image"], row["slot"]) for row in rows])
    ready = dict(
        Image.objects.filter(
            publishable(subset=subset), benchmark=benchmark, number__in={number for number, _ in row_of}
        ).values_list("number", "pk")
    )
    faults += _not_ready(benchmark, row_of, ready, subset)
    if faults:
        raise RowsRefused(count=len(faults), rows=[fault._asdict() for fault in sorted(faults)[:100]])
    places = {(ready[number], slot) for number, slot in row_of}
    items = Item.objects.filter(
        benchmark=benchmark, kind=kind, image_id__in={image_id for image_id, _ in places}, copy_no=0
    )
    items = items.exclude(excluded_for__in=FREES_SLOT)
    existing = places & set(items.values_list("image_id", "slot"))
    new = [(ready[n], slot) for n, slot in row_of if (ready[n], slot) not in existing]
    made = len(add_items(benchmark, kind, new))
    decision.record(kind=kind, made=made, existing=len(existing), rows_sha256=rows_sha256)
    return {"made": made, "existing": len(existing)}


def _not_ready(
    benchmark: Benchmark, row_of: Mapping[tuple[int, int], int], ready: Mapping[int, int], subset: str | None
) -> list[rules.RowFault]:
    """The faults of rows whose picture is unknown, of another subset, or may not be annotated."""
    missing = {number for number, _ in row_of} - set(ready)
    rows = Image.objects.filter(benchmark=benchmark, number__in=missing) if missing else ()
    images = {image.number: image for image in rows}
    faults = []
    for (number, _), row in row_of.items():
        if number in ready:
            continue
        params = {"image": image_label(number)}
        if number not in images:
            faults.append(rules.RowFault(row, "image_unknown", params))
        elif images[number].state != Image.State.ACCEPTED:
            faults.append(rules.RowFault(row, "image_not_ready", params | {"state": images[number].state}))
        elif images[number].pii_clear_by_id is None:
            faults.append(rules.RowFault(row, "image_not_clear", params))
        else:
            of = {"subset": images[number].subset, "expected": subset}
            faults.append(rules.RowFault(row, "image_outside_subset", params | of))
    return faults
