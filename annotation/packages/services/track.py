"""The package track: items are written in packages, reviewed one by one and accepted by inspecting a sample."""

from __future__ import annotations

from typing import Final

from django.db.models import Exists, OuterRef, Q

from annotation.items import states
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import context_of
from annotation.items.tracks import Held, Track
from annotation.packages import access
from annotation.packages.models import Package, PackageItem
from curation.core.errors import NotFound
from curation.people.models import Person


class _Packages:
    name = Item.Track.PACKAGE.value
    table = states.TABLE

    def opens(self, person: Person) -> Q:
        members = PackageItem.objects.filter(item_id=OuterRef("pk"))
        return Q(Exists(members.filter(Q(package__assignee=person) | Q(package__reviewer=person))))

    def shows_picture(self, person: Person) -> Q:
        members = PackageItem.objects.filter(item__image_id=OuterRef("pk"), active=True, package__assignee=person)
        return Q(Exists(members.exclude(package__state=Package.State.WITHDRAWN)))

    def lock(self, person: Person, item_id: int, operation: str) -> Held:
        member = access.lock_item_in_own_package(person, item_id, operation)
        if member is None:
            raise NotFound
        package = member.package
        context = context_of(package.protocol_id, package.kind, **member.picture)
        return Held(member.item, package.protocol_id, context, member.guidelines, member, {"package_id": package.pk})

    def written(self, held: Held, revision: ItemRevision) -> None:
        member = held.place
        if member.sent_back is not None or member.skipped is not None:
            places = PackageItem.objects.filter(package_id=member.package_id, item_id=member.item_id)
            places.update(sent_back=None, skipped=None)


TRACK: Final[Track] = _Packages()
