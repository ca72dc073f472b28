"""Functions shared by review and inspection: verdicts, reasons, returned items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction

from annotation.items import services as items
from annotation.items.errors import ReasonNeeded, ReasonUnknown
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import kind_settings
from annotation.packages.models import Package, PackageItem
from annotation.quality.errors import AlreadyJudged
from annotation.quality.models import Verdict
from curation.core import audit
from curation.core.errors import ClientKeyReused, OwnWork, StaleRow
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


def reasons_of(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Merge the reasons and comments of an item's verdicts; ``by_id`` is the first judge."""
    reasons = dict.fromkeys(reason for verdict in verdicts for reason in verdict.reasons)
    return {
        "stage": verdicts[0].stage,
        "reasons": list(reasons),
        "comment": "\n".join(verdict.comment for verdict in verdicts if verdict.comment),
        "by_id": verdicts[0].judge_id,
    }


def group_by_item(verdicts: Iterable[Verdict]) -> dict[int, list[Verdict]]:
    """Group verdicts by item and keep their order."""
    grouped: dict[int, list[Verdict]] = {}
    for verdict in verdicts:
        grouped.setdefault(verdict.item_id, []).append(verdict)
    return grouped


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


def check_reasons(package: Package, reasons: Sequence[str], comment: str, *, needed: bool) -> None:
    """Check that the protocol lists the reasons, and that a verdict which needs a reason or comment has one.

    Raises:
        ReasonUnknown, ReasonNeeded.
    """
    known = set(kind_settings(package.protocol_id, package.kind).reason_codes)
    for reason in reasons:
        if reason not in known:
            raise ReasonUnknown(reason=reason)
    if needed and not reasons and not comment:
        raise ReasonNeeded


class Judgement(NamedTuple):
    """A person's judgement of a revision, from a request."""

    item_id: int
    revision_no: int
    stage: str
    outcome: str
    reasons: list[str]
    comment: str
    client_key: UUID


def write_verdict(actor: Person, member: PackageItem, judgement: Judgement) -> None:
    """Insert a verdict on the item's newest revision, with its audit entry.

    Raises:
        StaleRow, OwnWork, AlreadyJudged, ClientKeyReused.
    """
    package, item, revision_no = member.package, member.item, judgement.revision_no
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
                stage=judgement.stage,
                package=package,
                round=package.round,
                outcome=judgement.outcome,
                reasons=judgement.reasons,
                comment=judgement.comment,
                client_key=judgement.client_key,
            )
    except IntegrityError as error:
        raise _error_for(error) from error
    audit.record(
        action="item_review" if judgement.stage == "review" else "item_inspect",
        target_type="item",
        target_id=item.pk,
        label=item.label,
        actor_id=actor.pk,
        benchmark_id=package.benchmark_id,
        state_from=item.state,
        state_to=item.state,
        data={
            "outcome": judgement.outcome,
            "reasons": judgement.reasons,
            "revision_no": revision_no,
            "package_id": package.pk,
            "round": package.round,
        },
    )


def _error_for(error: IntegrityError) -> Exception:
    """The domain error for a violated constraint."""
    text = str(error)
    if "item_hand_nobody_judges_own" in text or "verdict_not_own" in text:
        return OwnWork()
    if "verdict_once" in text:
        return AlreadyJudged()
    if "verdict_key_once" in text:
        return ClientKeyReused()
    return error


def replayed_verdict(actor: Person, judgement: Judgement) -> int | None:
    """The package id of the verdict of an earlier try with the same key, or None.

    Raises:
        ClientKeyReused: The key belongs to another verdict.
    """
    verdict = Verdict.objects.filter(judge=actor, client_key=judgement.client_key).first()
    if verdict is None:
        return None
    if any(getattr(verdict, field) != value for field, value in judgement._asdict().items()):
        raise ClientKeyReused
    return verdict.package_id
