"""Excluding items of withdrawn pictures and readmitting those of restored ones.

``curation.images`` withdraws pictures. It may not import this app, so it only sends the message for this sweep; beat
runs the sweep too, in case a message was lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import transaction
from django.db.models import QuerySet

from annotation.items import services as items
from annotation.items.models import Item
from annotation.items.states import WITH_PICTURE
from annotation.judging.services import drop_judgings
from annotation.packages.models import Package, PackageItem
from annotation.packages.services.moving import move_package
from annotation.seats import services as seats
from curation.core.decisions import Decision
from curation.images.models import Image, Takedown

FOLLOW_PICTURES = "annotation.follow_pictures"
BATCH = 500  # items per transaction, which bounds how long its locks last

State = Package.State


def follow_pictures() -> int:
    """Exclude items of withdrawn pictures and readmit those of restored ones; return how many changed.

    A package under inspection keeps its items until the inspection ends, because its sample is already drawn.
    Inspectors may see withdrawn pictures.
    """
    of_takedowns = Item.objects.filter(image_id__in=Takedown.objects.values("image_id"))
    withdrawn = of_takedowns.filter(image__state=Image.State.WITHDRAWN).exclude(state=Item.State.EXCLUDED)
    # An item that was skipped with the reviewer's agreement stays excluded even if its picture is restored.
    for_picture = of_takedowns.filter(excluded_for=Item.Excluded.PICTURE)
    restored = for_picture.exclude(image__state=Image.State.WITHDRAWN)
    changed = sum(_remove_from_package(package_id, withdrawn) for package_id in _packages_with(withdrawn))
    unpackaged = withdrawn.filter(packed=False)
    for step, rows in ((_exclude, unpackaged), (_readmit, restored)):
        while moved := step(rows):
            changed += len(moved)
    return changed


def _packages_with(rows: QuerySet[Item]) -> list[int]:
    members = PackageItem.objects.filter(item__in=rows, active=True).exclude(package__state=State.INSPECTING)
    return sorted(set(members.values_list("package_id", flat=True)))


@transaction.atomic
def _remove_from_package(package_id: int, rows: QuerySet[Item]) -> int:
    """Remove items from a package, and withdraw the package if it is empty then; return how many were removed."""
    package = Package.objects.select_for_update(of=("self",), no_key=True).get(pk=package_id)
    if package.state == State.INSPECTING:  # the review was completed in the meantime
        return 0
    members = PackageItem.objects.filter(package=package, active=True)
    excluded = _exclude(rows.filter(memberships__package=package, memberships__active=True))
    members.filter(item_id__in=excluded).update(active=False)
    if excluded and package.state != State.PASSED and not members.exists():
        decision = Decision(actor_id=None, action="image_take_down", row=package, client_key=None)
        move_package(package, "empty", decision)
    return len(excluded)


@transaction.atomic
def _exclude(rows: QuerySet[Item]) -> list[int]:
    excluded = _move(
        rows,
        "image_take_down",
        lambda locked: items.exclude(locked, "exclude", Item.Excluded.PICTURE, table=WITH_PICTURE),
    )
    # An item that is readmitted has nothing to judge until it is submitted.
    seats.delete_open_seats(excluded)
    drop_judgings(excluded)
    return excluded


@transaction.atomic
def _readmit(rows: QuerySet[Item]) -> list[int]:
    return _move(rows, "image_restore", items.readmit)


def _move(rows: QuerySet[Item], operation: str, mover: Callable[[Sequence[Item]], list[str]]) -> list[int]:
    # Skip an item that is being submitted until the next sweep: its transaction has the item locked and waits for the
    # package, which this one may have locked.
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])
    locked = list(Item.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=ids).order_by("pk"))
    former = mover(locked)
    for item, state in zip(locked, former, strict=True):
        decision = Decision(actor_id=None, action=operation, row=item, client_key=None)
        decision.record_transition(state, item.state, image_id=item.image_id)
    return [item.pk for item in locked]
