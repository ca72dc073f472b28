"""Items follow their pictures: what shows a withdrawn picture leaves the packages, what is restored is packed anew.

Taking a picture down happens below this room and knows nothing of items, so it only wakes this sweep; beat runs it too,
for wake-ups that were lost.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.db.models import QuerySet

from annotation.items import states as item_states
from annotation.items.models import Item
from annotation.packages.models import Package, PackageItem
from annotation.packages.services.moving import move_package
from curation.core import audit
from curation.core.transitions import advance
from curation.images.models import Image, Takedown

FOLLOW_PICTURES = "annotation.follow_pictures"
AT_ONCE = 500  # items a transaction

State = Package.State


def follow_pictures() -> int:
    """Exclude items of withdrawn pictures and bring those of restored ones back; return how many changed.

    A package under inspection keeps its items until the inspection is over, because its sample is drawn and counted;
    inspectors see withdrawn pictures like all staff.
    """
    taken_down = Item.objects.filter(image_id__in=Takedown.objects.values("image_id"))
    gone = taken_down.filter(image__state=Image.State.WITHDRAWN).exclude(state=Item.State.EXCLUDED)
    back = taken_down.filter(state=Item.State.EXCLUDED).exclude(image__state=Image.State.WITHDRAWN)
    # What was rightly skipped stays out, whatever becomes of its picture.
    back = back.exclude(pk__in=PackageItem.objects.filter(skipped__agreed_by_id__isnull=False).values("item_id"))
    changed = sum(_leave_package(package_id, gone) for package_id in _packages_with(gone))
    loose = gone.exclude(pk__in=PackageItem.objects.filter(active=True).values("item_id"))
    for step, rows in ((_exclude, loose), (_readmit, back)):
        while moved := step(rows):
            changed += len(moved)
    return changed


def _packages_with(gone: QuerySet[Item]) -> list[int]:
    members = PackageItem.objects.filter(item__in=gone, active=True).exclude(package__state=State.INSPECTING)
    return sorted(set(members.values_list("package_id", flat=True)))


@transaction.atomic
def _leave_package(package_id: int, gone: QuerySet[Item]) -> int:
    """Take the items out; a package that holds nothing any more is withdrawn."""
    package = Package.objects.select_for_update(of=("self",), no_key=True).get(pk=package_id)
    if package.state == State.INSPECTING:  # the review was completed meanwhile
        return 0
    members = PackageItem.objects.filter(package=package, active=True)
    leaving = _exclude(gone.filter(memberships__package=package, memberships__active=True))
    members.filter(item_id__in=leaving).update(active=False)
    if leaving and package.state != State.PASSED and not members.exists():
        move_package(package, "empty", actor=None, client_key=None)
    return len(leaving)


@transaction.atomic
def _exclude(rows: QuerySet[Item]) -> list[int]:
    return _move(rows, lambda _: "exclude")


@transaction.atomic
def _readmit(rows: QuerySet[Item]) -> list[int]:
    return _move(rows, lambda item: "readmit_written" if item.revision_no else "readmit")


def _move(rows: QuerySet[Item], action: Callable[[Item], str]) -> list[int]:
    # An item that somebody is handing in at this moment is left for the next sweep: they hold the item and wait for
    # the package, which may be ours.
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
    items = list(Item.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=ids).order_by("pk"))
    for item in items:
        name = action(item)
        left = advance(item, name, table=item_states.TABLE)
        item.accepted_no = None
        item.save(update_fields=["state", "accepted_no"])
        audit.record(
            action=item_states.TABLE[name].operation,
            target_type="item",
            target_id=item.pk,
            label=item.label,
            actor_id=None,
            benchmark_id=item.benchmark_id,
            state_from=left,
            state_to=item.state,
            data={"image_id": item.image_id},
        )
    return [item.pk for item in items]
