"""The package track: items are written in packages, reviewed one by one and accepted by inspecting a sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from annotation.items import states
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import context_of, protocol_with
from annotation.items.services import lock_benchmark
from annotation.items.states import Relation
from annotation.items.tracks import Held, Place, Track
from annotation.kinds.registry import package_label
from annotation.packages import access
from annotation.packages import services as packages
from annotation.packages.models import Package, PackageItem
from annotation.packages.queries import unpackaged_imports
from annotation.quality.queries.sheets import unseen_verdicts
from annotation.quality.services.pools import open_review
from annotation.seats.access import seats_of
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.core.transitions import available_actions
from curation.people.models import Person

# The fields of a package that decide who may do what with it and its items.
_OF_PACKAGE: Final = ("benchmark_id", "kind", "state", "protocol_id", "assignee_id", "reviewer_id", "pooled")


class _Packages:
    name = Item.Track.PACKAGE.value
    table = states.TABLE
    by_team = False
    chooses_slots = False
    takes_imported_drafts = True

    def opens(self, person: Person) -> Q:
        members = PackageItem.objects.filter(item_id=OuterRef("pk"))
        return Q(Exists(members.filter(Q(package__assignee=person) | Q(package__reviewer=person))))

    def shows_picture(self, person: Person) -> Q:
        members = PackageItem.objects.filter(item__image_id=OuterRef("pk"), active=True, package__assignee=person)
        return Q(Exists(members.exclude(package__state=Package.State.WITHDRAWN)))

    def annotated(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        members = PackageItem.objects.filter(item_id=OuterRef("pk")).order_by("-active", "-package_id")
        of_package = {name: F(f"package__{name}") for name in _OF_PACKAGE}
        fields = JSONObject(id="package_id", active="active", number=F("package__number"), **of_package)
        annotated: QuerySet[Any] = rows.annotate(package=Subquery(members.values(row=fields)[:1]))
        return annotated

    def place(self, item: Any) -> Place | None:
        package = item.package
        if package is None:
            return None
        label = package_label(item.kind, package["number"])
        return Place(package["id"], label, package["state"], package["protocol_id"] if package["active"] else None)

    def actions(self, person: Person, item: Any) -> list[str]:
        of_package: list[str] = []
        if item.package is not None and item.package["active"]:
            package = Package(**{name: item.package[name] for name in _OF_PACKAGE})
            has_seat = package.pooled and seats_of(person, "review").filter(item_id=item.pk).exists()
            of_package = access.item_actions(person, package, has_seat=has_seat)
        return available_actions(
            {name: row for name, row in self.table.items() if not row.by or row.operation in of_package},
            item.state,
            may=lambda operation: person.may(item.benchmark_id, operation, item.kind),
            relations={Relation.AS_ITS_PACKAGE_SAYS},
        )

    def unseen_verdicts(self, person: Person, benchmark_id: int, kind: str) -> Q:
        return unseen_verdicts(person, benchmark_id, [kind])

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

    def imported(self, item: Item, revision: ItemRevision) -> None:
        return None

    def excluded(self, item: Item) -> None:
        PackageItem.objects.filter(item=item, active=True).update(active=False)

    def complete_import(
        self, *, actor: Person, benchmark: Benchmark, kind: str, data: Mapping[str, Any], heartbeat: Callable[[], None]
    ) -> None:
        """Put the person's imported items into packages of the protocol's size that are submitted for review."""
        while True:
            with transaction.atomic():
                heartbeat()
                locked = lock_benchmark(benchmark)
                size = access.track_settings(protocol_with(locked, kind).pk, kind).size
                item_ids = unpackaged_imports(actor, locked.pk, kind, size)
                if not item_ids:
                    return
                package = packages.create_submitted_package(
                    actor=actor, benchmark=locked, kind=kind, item_ids=item_ids, data=dict(data)
                )
                open_review(package, actor)


TRACK: Final[Track] = _Packages()
