"""Skipping an item: the annotator gives the reason, the reviewer agrees or insists."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from annotation.items import services as items
from annotation.items import states as item_states
from annotation.items.errors import ReasonNeeded, ReasonUnknown
from annotation.items.models import Item
from annotation.items.queries import kind_settings
from annotation.packages import access
from annotation.packages.models import PackageItem
from curation.core.decisions import Decision
from curation.core.errors import NotFound
from curation.core.transitions import advance
from curation.people.access import require
from curation.people.models import Person


@transaction.atomic
def skip_item(
    *, actor: Person, item_id: int, base_no: int, reasons: Sequence[str], comment: str, client_key: UUID
) -> tuple[Item, bool]:
    """Skip an item of the actor's working package with a reason; a reviewer agrees or insists.

    The draft is kept in case the reviewer insists.

    Returns:
        The item, and whether this was a repeat.

    Raises:
        ReasonNeeded: There is neither a reason nor a comment.
        ReasonUnknown: The protocol does not list the reason.
        StaleRevision, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    member = access.lock_item_in_own_package(actor, item_id, "item_skip")
    decision = Decision(
        actor_id=actor.pk,
        action="item_skip",
        row=member.item if member else None,
        target_id=item_id,
        client_key=client_key,
    )
    if decision.is_repeat(reasons=list(reasons)):  # also after the package was submitted
        return Item.objects.get(pk=item_id), True
    if member is None:
        raise NotFound
    package, item = member.package, member.item
    require(actor, package.benchmark_id, "item_skip", package.kind)
    known = {r.code for r in kind_settings(package.protocol_id, package.kind).skip_reasons}
    for reason in reasons:
        if reason not in known:
            raise ReasonUnknown(reason=reason)
    if not reasons and not comment:
        raise ReasonNeeded
    if item.revision_no != base_no:
        raise items.stale(item, base_no=base_no, mine=None)
    advance(item, "skip", table=item_states.TABLE)
    item.save(update_fields=["state"])
    skipped = {"reasons": list(reasons), "comment": comment, "by_id": actor.pk, "at": timezone.now().isoformat()}
    PackageItem.objects.filter(package=package, item=item).update(skipped=skipped, checked_no=None)
    decision.record(package_id=package.pk, revision_no=item.revision_no, reasons=list(reasons))
    return item, False
