"""Batches of pictures that are reserved for one curator, so that no two judge the same picture."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Count, Min

from curation.core.jobs import database_now
from curation.images.models import Image, InspectionHold
from curation.images.rules import HeldBatch
from curation.people.access import benchmark_for
from curation.people.models import Person

LEASE: Final = timedelta(minutes=10)  # an open page renews it; pictures of a closed one are soon free again

# A concurrent request skips the rows that this one locks (skip locked). A picture that was reserved after this
# statement's snapshot is left alone by the condition of "on conflict", unless that reservation has expired.
_RESERVE: Final = """
    with free as (
        select image.id from curation_image image
        left join curation_inspectionhold held on held.image_id = image.id
        where image.benchmark_id = %(benchmark)s and image.state = 'received' and image.contributor_id <> %(holder)s
          and (held.image_id is null or held.held_until < %(now)s)
          and (%(category)s = '' or image.category_id =
               (select id from curation_category where benchmark_id = %(benchmark)s and slug = %(category)s))
        order by image.number
        limit %(size)s
        for no key update of image skip locked
    )
    insert into curation_inspectionhold (image_id, holder_id, held_until)
    select id, %(holder)s, %(until)s from free
    on conflict (image_id) do update set holder_id = excluded.holder_id, held_until = excluded.held_until
    where curation_inspectionhold.held_until < %(now)s
    returning image_id
"""
_TRIES: Final = 3  # in case concurrent requests reserved some of the same pictures


def hold_images(*, actor: Person, benchmark_slug: str, size: int, category: str = "") -> HeldBatch:
    """Reserve pictures for a curator to judge: those reserved already, then others, never their own.

    Raises:
        NotFound, OperationNotAllowed: The actor may not judge here.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "image_hold")
    now = database_now()
    until = now + LEASE
    with transaction.atomic():
        own = InspectionHold.objects.filter(holder=actor, image__benchmark=benchmark)
        kept = own.filter(held_until__gt=now, image__state=Image.State.RECEIVED)
        if category:
            kept = kept.filter(image__category__slug=category)
        ids = list(kept.order_by("image__number").values_list("image_id", flat=True)[:size])
        own.exclude(image__in=ids).delete()
        InspectionHold.objects.filter(holder=actor, image__in=ids).update(held_until=until)
    values: dict[str, Any] = {
        "benchmark": benchmark.pk,
        "holder": actor.pk,
        "now": now,
        "until": until,
        "category": category,
    }
    for _ in range(_TRIES):
        if len(ids) >= size:
            break
        with connection.cursor() as cursor:
            cursor.execute(_RESERVE, values | {"size": size - len(ids)})
            ids += [row[0] for row in cursor.fetchall()]
    others = InspectionHold.objects.filter(
        image__benchmark=benchmark, image__state=Image.State.RECEIVED, held_until__gt=now
    ).exclude(holder=actor)
    of_others = others.aggregate(held=Count("pk"), until=Min("held_until"))
    return HeldBatch(ids, until if ids else None, of_others["held"], of_others["until"])


def renew_holds(*, actor: Person, benchmark_slug: str) -> datetime | None:
    """Renew the reservation for ten minutes; None if nothing of the batch is left.

    Raises:
        NotFound, OperationNotAllowed: The actor may not judge here.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "image_hold_renew")
    until = database_now() + LEASE
    own = InspectionHold.objects.filter(holder=actor, image__benchmark=benchmark)
    return until if own.update(held_until=until) else None


def release_holds(*, actor: Person, benchmark_slug: str) -> None:
    """Release the batch, so that other curators can judge its pictures.

    Raises:
        NotFound, OperationNotAllowed: The actor may not judge here.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "image_hold_release")
    InspectionHold.objects.filter(holder=actor, image__benchmark=benchmark).delete()
