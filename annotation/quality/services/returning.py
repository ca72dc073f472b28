"""Items of a package that are returned or accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.items import services as items
from annotation.items.models import Item
from annotation.judging.models import Verdict
from annotation.judging.services import reasons_of
from annotation.packages.models import Package, PackageItem
from curation.core import audit
from curation.core.models import AuditEvent
from curation.people.models import Person


def return_items(
    package: Package, verdicts: Mapping[int, Sequence[Verdict]], action: str, actor: Person | None
) -> None:
    """Return items, and store the judges' reasons in their rows of the package."""
    if not verdicts:
        return
    rows = list(Item.objects.select_for_update(no_key=True).filter(pk__in=list(verdicts)).order_by("pk"))
    former = items.send_back(rows, action)
    for item in rows:
        PackageItem.objects.filter(package=package, item=item).update(
            sent_back=reasons_of(verdicts[item.pk]), checked_no=None
        )
    audit.record_all([item_event(package, item, state, actor) for item, state in zip(rows, former, strict=True)])


def item_event(package: Package, item: Item, state_before: str, actor: Person | None) -> AuditEvent:
    """Build the audit entry of an item that was accepted or returned; the caller inserts it with those of others."""
    accepted = item.state == Item.State.ACCEPTED
    return audit.event(
        action="item_accept" if accepted else "item_return",
        target_type="item",
        target_id=item.pk,
        label=item.label,
        actor_id=actor.pk if actor else None,
        benchmark_id=package.benchmark_id,
        state_from=state_before,
        state_to=item.state,
        data={"package_id": package.pk, "revision_no": item.revision_no, "round": package.round},
    )
