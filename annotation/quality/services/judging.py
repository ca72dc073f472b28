"""What review and inspection share: verdicts, reasons, items that go back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from annotation.items import states as item_states
from annotation.items.errors import ReasonNeeded, ReasonUnknown
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import kind_settings
from annotation.packages.models import Package, PackageItem
from annotation.quality.errors import (
    AlreadyJudged,
)
from annotation.quality.models import Verdict
from curation.core import audit
from curation.core.errors import ClientKeyReused, OwnWork, StaleRow
from curation.core.models import AuditEvent
from curation.core.transitions import advance
from curation.people.models import Person


def return_items(
    package: Package, verdicts: Mapping[int, Sequence[Verdict]], action: str, actor: Person | None
) -> None:
    """Send items back with what their judges said, and say so at their places in the package."""
    if not verdicts:
        return
    rows = list(Item.objects.select_for_update(no_key=True).filter(pk__in=list(verdicts)).order_by("pk"))
    events = []
    for item in rows:
        left = advance(item, action, table=item_states.TABLE)
        events.append(item_event(package, item, left, actor))
        PackageItem.objects.filter(package=package, item=item).update(
            sent_back=note(verdicts[item.pk]), checked_no=None
        )
    Item.objects.bulk_update(rows, ["state"])
    AuditEvent.objects.bulk_create(events)


def note(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """What stands at an item that was sent back, by its first judge; what several said stands together."""
    reasons = dict.fromkeys(reason for verdict in verdicts for reason in verdict.reasons)
    return {
        "stage": verdicts[0].stage,
        "reasons": list(reasons),
        "comment": "\n".join(verdict.comment for verdict in verdicts if verdict.comment),
        "by_id": verdicts[0].judge_id,
    }


def by_item(verdicts: Iterable[Verdict]) -> dict[int, list[Verdict]]:
    """Verdicts sorted to the items they are about, in the order given."""
    found: dict[int, list[Verdict]] = {}
    for verdict in verdicts:
        found.setdefault(verdict.item_id, []).append(verdict)
    return found


def item_event(package: Package, item: Item, left: str, actor: Person | None) -> AuditEvent:
    """The audit line of an item that was accepted or returned together with others; the caller inserts it."""
    accepted = item.state == Item.State.ACCEPTED
    return audit.event(
        action="item_accept" if accepted else "item_return",
        target_type="item",
        target_id=item.pk,
        label=item.label,
        actor_id=actor.pk if actor else None,
        benchmark_id=package.benchmark_id,
        state_from=left,
        state_to=item.state,
        data={"package_id": package.pk, "revision_no": item.revision_no, "round": package.round},
    )


def check_reasons(package: Package, reasons: Sequence[str], comment: str, *, needed: bool) -> None:
    """Hold reasons against the protocol's list.

    Raises:
        ReasonUnknown, ReasonNeeded.
    """
    known = set(kind_settings(package.protocol_id, package.kind).reason_codes)
    for reason in reasons:
        if reason not in known:
            raise ReasonUnknown(reason=reason)
    if needed and not reasons and not comment:
        raise ReasonNeeded


def write_verdict(
    *,
    actor: Person,
    member: PackageItem,
    revision_no: int,
    stage: str,
    outcome: str,
    reasons: Sequence[str],
    comment: str,
    client_key: UUID,
) -> None:
    """Insert a verdict on the item's newest revision, with its audit line.

    Raises:
        StaleRow, OwnWork, AlreadyJudged, ClientKeyReused.
    """
    package, item = member.package, member.item
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    author_id = ItemRevision.objects.values_list("author_id", flat=True).get(item=item, no=revision_no)
    if author_id == actor.pk:
        raise OwnWork
    try:
        with transaction.atomic():
            Verdict.objects.create(
                item=item,
                revision_no=revision_no,
                author_id=author_id,
                judge=actor,
                stage=stage,
                package=package,
                round=package.round,
                outcome=outcome,
                reasons=list(reasons),
                comment=comment,
                client_key=client_key,
            )
    except IntegrityError as error:
        raise _refusal_of(error) from error
    audit.record(
        action="item_review" if stage == "review" else "item_inspect",
        target_type="item",
        target_id=item.pk,
        label=item.label,
        actor_id=actor.pk,
        benchmark_id=package.benchmark_id,
        state_from=item.state,
        state_to=item.state,
        data={"outcome": outcome, "reasons": list(reasons), "revision_no": revision_no, "package_id": package.pk},
    )


def _refusal_of(error: IntegrityError) -> Exception:
    """What a constraint's refusal means to a person."""
    text = str(error)
    if "item_hand_nobody_judges_own" in text or "verdict_not_own" in text:
        return OwnWork()
    if "verdict_once" in text:
        return AlreadyJudged()
    if "verdict_key_once" in text:
        return ClientKeyReused()
    return error


def replayed_verdict(
    actor: Person,
    client_key: UUID,
    *,
    item_id: int,
    revision_no: int,
    stage: str,
    outcome: str,
    reasons: Sequence[str],
    comment: str,
) -> int | None:
    """The package of the verdict that an earlier try with the same key gave, or None.

    Raises:
        ClientKeyReused: The key belongs to another verdict.
    """
    verdict = Verdict.objects.filter(judge=actor, client_key=client_key).first()
    if verdict is None:
        return None
    given = (item_id, revision_no, stage, outcome, list(reasons), comment)
    held = (verdict.item_id, verdict.revision_no, verdict.stage, verdict.outcome, verdict.reasons, verdict.comment)
    if held != given:
        raise ClientKeyReused
    return verdict.package_id
