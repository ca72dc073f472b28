"""What annotators and admins do with packages: build, claim, write, self-check, hand over."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, F, Max, Q
from django.utils import timezone

from annotation.items import services as items
from annotation.items.models import Draft, Item, ItemRevision
from annotation.kinds.registry import KINDS, package_label
from annotation.packages import access, rules, states
from annotation.packages.errors import (
    AnotherPackageOpen,
    KindNotInProtocol,
    NoPackageLeft,
    NotAllChecked,
    NothingToPack,
    ReturnedPackageWaits,
    TryAgain,
)
from annotation.packages.models import Package, PackageItem
from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.core.errors import NotFound, StaleRow
from curation.core.transitions import advance
from curation.images.models import Image
from curation.people.access import benchmark_for, require
from curation.people.models import Person

State = Package.State


# --- building ---------------------------------------------------------------------------------------------------------


@transaction.atomic
def build_packages(
    *,
    actor: Person,
    benchmark_slug: str,
    kind: str,
    size: int | None,
    seed: int | None,
    complete_only: bool,
    client_key: UUID,
) -> tuple[list[Package], int]:
    """Make items for accepted pictures that have none of this kind yet, and batch all items outside packages.

    The order is drawn by ``seed``, so that neighbouring uploads do not land with one person.

    Returns:
        The packages, and how many items were left over.

    Raises:
        NothingToPack: Every accepted picture is in a package already.
        KindNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "package_build")
    protocol = benchmark.protocol
    if protocol is None or kind not in KINDS or kind not in protocol.content.get("kinds", {}):
        raise KindNotInProtocol(kind=kind)
    _lock_numbering(benchmark.pk)
    if done := audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_build"):
        made = list(Package.objects.filter(pk__in=done.data["packages"]).order_by("number"))
        return made, done.data["left_over"]
    _make_items(benchmark, kind)
    waiting = Item.objects.filter(benchmark=benchmark, kind=kind, state__in=[Item.State.TODO, Item.State.RETURNED])
    loose = waiting.exclude(memberships__active=True).filter(_PUBLISHABLE)
    numbers = dict(loose.values_list("number", "pk"))
    if not numbers:
        raise NothingToPack
    drawn_by = seed if seed is not None else int.from_bytes(hashlib.sha256(client_key.bytes).digest()[:4], "big")
    order = [numbers[n] for n in rules.seeded_order(str(drawn_by).encode(), list(numbers))]
    wanted = size or access.track_settings(protocol.pk).size
    batches = rules.cut(order, wanted, complete_only=complete_only)
    if not batches:
        raise NothingToPack
    sent_back = _why_sent_back(order)
    last = Package.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    packages = Package.objects.bulk_create(
        Package(benchmark=benchmark, kind=kind, number=last + i, protocol=protocol) for i, _ in enumerate(batches, 1)
    )
    PackageItem.objects.bulk_create(
        PackageItem(package=package, item_id=item_id, position=position, sent_back=sent_back.get(item_id))
        for package, batch in zip(packages, batches, strict=True)
        for position, item_id in enumerate(batch, 1)
    )
    left_over = len(order) - sum(map(len, batches))
    audit.record(
        action="package_build",
        target_type="benchmark",
        target_id=benchmark.pk,
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        data={
            "kind": kind,
            "packages": [p.pk for p in packages],
            "items": len(order) - left_over,
            "left_over": left_over,
            "size": wanted,
            "seed": drawn_by,
        },
        client_key=client_key,
    )
    return packages, left_over


# Pictures that may be worked on: accepted, and seen by a person to hold no personal information.
_PUBLISHABLE = Q(image__state=Image.State.ACCEPTED, image__pii_clear_by__isnull=False)


def _lock_numbering(benchmark_id: int) -> None:
    # Two builds at once would number alike and collide on the unique key; the second waits instead.
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(hashtext('package_build'), %s)", [benchmark_id])


def _make_items(benchmark: Benchmark, kind: str) -> None:
    ready = Image.objects.filter(benchmark=benchmark, state=Image.State.ACCEPTED, pii_clear_by__isnull=False)
    fresh = ready.exclude(items__kind=kind).order_by("number").values_list("pk", flat=True)
    last = Item.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    Item.objects.bulk_create(
        (Item(benchmark=benchmark, kind=kind, image_id=pk, number=last + i) for i, pk in enumerate(fresh, 1)),
        batch_size=1_000,
    )


def _why_sent_back(item_ids: Sequence[int]) -> dict[int, Any]:
    # An item that an inspection set aside takes its reasons along into its next package.
    earlier = PackageItem.objects.filter(item_id__in=item_ids, active=False, sent_back__isnull=False)
    return dict(earlier.order_by("package_id").values_list("item_id", "sent_back"))


# --- claiming ---------------------------------------------------------------------------------------------------------


def claim_package(*, actor: Person, benchmark_slug: str, kind: str) -> tuple[Package, bool]:
    """Give the person the next free package, or the one they are writing already.

    Over-assignment is impossible by constraint: a package has one row, a person one ``working`` package per kind.

    Returns:
        The package and whether it was held before.

    Raises:
        ReturnedPackageWaits: Something came back and is mended first.
        NoPackageLeft: None is free.
        TryAgain: Others hold the last free rows at this moment.
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "package_claim")
    mine = Package.objects.select_related("assignee", "reviewer").filter(benchmark=benchmark, kind=kind, assignee=actor)
    held = mine.filter(state__in=[State.WORKING, State.RETURNED]).order_by("number")
    for package in held:
        if package.state == State.WORKING:
            return package, True
    if returned := held.first():
        raise ReturnedPackageWaits(package=package_label(kind, returned.number), package_id=returned.pk)
    try:
        with transaction.atomic():
            package = _take_next(benchmark, kind, actor)
    except IntegrityError:
        # Another request of the same person was quicker: theirs is the answer.
        return mine.get(state=State.WORKING), True
    return package, False


def _take_next(benchmark: Benchmark, kind: str, actor: Person) -> Package:
    free = Package.objects.filter(benchmark=benchmark, kind=kind, state=State.AVAILABLE).order_by("number")
    package = free.select_for_update(skip_locked=True, no_key=True).first()
    if package is None:
        if free.exists():
            raise TryAgain
        counts = Package.objects.filter(benchmark=benchmark, kind=kind).aggregate(
            working=Count("pk", filter=Q(state__in=[State.WORKING, State.RETURNED])),
            in_review=Count("pk", filter=Q(state__in=[State.HANDED_OVER, State.REVIEWING, State.INSPECTING])),
        )
        raise NoPackageLeft(**counts)
    package.assignee = actor
    move_package(package, "claim", actor=actor, client_key=None, extra=["assignee"])
    return package


@transaction.atomic
def resume_package(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Open a package that came back.

    Raises:
        AnotherPackageOpen: One package at a time.
        StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_package_for(actor, package_id, "package_resume")
    _only_the_assignee(package, actor)
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_resume", target_id=package.pk):
        return package
    check_revision(package, revision)
    try:
        with transaction.atomic():
            move_package(package, "resume", actor=actor, client_key=client_key)
    except IntegrityError as error:
        mine = Package.objects.filter(benchmark_id=package.benchmark_id, kind=package.kind, assignee=actor)
        other = mine.get(state=State.WORKING)
        label = package_label(other.kind, other.number)
        raise AnotherPackageOpen(package=label, package_id=other.pk) from error
    return package


# --- writing ----------------------------------------------------------------------------------------------------------


def save_draft(
    *, actor: Person, item_id: int, base_no: int, seq: int, content: Mapping[str, Any]
) -> tuple[int, list[dict[str, Any]], datetime]:
    """Keep what the annotator typed and tell what the rules say about it.

    Returns:
        The stored sequence number (larger than ``seq`` when a newer save came first), findings, time.

    Raises:
        NotFound: The item is not in the person's working package.
        ContentMalformed, TextRefused.
    """
    member = access.member_in_work(actor, item_id)
    package = member.package
    require(actor, package.benchmark_id, "draft_save")
    kept = items.clean_content(package.kind, package.protocol_id, content, draft=True)
    findings = [f.as_json() for f in items.check_content(package.kind, package.protocol_id, kept, complete=False)]
    items.save_draft(item_id=item_id, author_id=actor.pk, base_no=base_no, seq=seq, content=kept, findings=findings)
    return seq, findings, timezone.now()


@transaction.atomic
def submit_item(
    *,
    actor: Person,
    item_id: int,
    base_no: int,
    content: Mapping[str, Any],
    reasons: Mapping[str, str],
    client_key: UUID,
) -> tuple[Item, ItemRevision, bool]:
    """Hand one item in: append a revision, drop the draft.

    A repeat, at the same moment or a day later, gets the revision its first try wrote and writes nothing.

    Returns:
        The item, the revision, and whether this was a repeat.

    Raises:
        StaleRevision: Somebody else wrote meanwhile (``extra``: mine, theirs, base).
        ContentRefused, ContentMalformed, TextRefused, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    member = access.lock_member_in_work(actor, item_id)
    if member is None:
        return _replay_after_hand_over(actor, item_id, content, client_key)
    package, item = member.package, member.item
    require(actor, package.benchmark_id, "item_submit")
    cleaned = items.clean_content(package.kind, package.protocol_id, content, draft=False)
    if item.revision_no != base_no:
        earlier = items.replayed_revision(author_id=actor.pk, client_key=client_key, item_id=item_id, content=cleaned)
        if earlier is not None:
            return item, earlier, True
    left = item.state
    revision = items.append_revision(
        item=item,
        action="submit",
        author_id=actor.pk,
        base_no=base_no,
        content=cleaned,
        reasons=reasons,
        origin="annotator",
        protocol_id=package.protocol_id,
        client_key=client_key,
    )
    items.drop_draft(item_id=item_id, author_id=actor.pk)
    if member.sent_back is not None:
        PackageItem.objects.filter(package=package, item=item).update(sent_back=None)
    audit.record(
        action="item_submit",
        target_type="item",
        target_id=item.pk,
        actor_id=actor.pk,
        benchmark_id=package.benchmark_id,
        state_from=left,
        state_to=item.state,
        data={"revision_no": revision.no, "package_id": package.pk},
    )
    return item, revision, False


def _replay_after_hand_over(
    actor: Person, item_id: int, content: Mapping[str, Any], client_key: UUID
) -> tuple[Item, ItemRevision, bool]:
    written = ItemRevision.objects.select_related("item").filter(author=actor, client_key=client_key).first()
    if written is None:
        raise NotFound
    cleaned = items.clean_content(written.item.kind, written.protocol_id, content, draft=False)
    items.same_submission(written, item_id=item_id, content=cleaned)
    return written.item, written, True


# --- self-check and hand-over -----------------------------------------------------------------------------------------


@transaction.atomic
def self_check(*, actor: Person, package_id: int, revision: int, ticks: Mapping[int, int], client_key: UUID) -> Package:
    """Tick items at the revision the annotator read; a later edit thereby unticks itself. 0 takes a tick back.

    Raises:
        StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_package_for(actor, package_id, "package_self_check")
    _only_the_assignee(package, actor)
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_self_check", target_id=package.pk):
        return package
    check_revision(package, revision)
    if package.state != State.WORKING:
        advance(package, "hand_over", table=states.TABLE)  # raises: nothing is ticked outside working
    members = PackageItem.objects.filter(package=package, active=True, item_id__in=list(ticks))
    for member in members.select_related("item"):
        no = ticks[member.item_id]
        if no not in (0, member.item.revision_no):
            raise StaleRow(revision=member.item.revision_no, named=no)
        PackageItem.objects.filter(package=package, item_id=member.item_id).update(checked_no=no or None)
    audit.record(
        action="package_self_check",
        target_type="package",
        target_id=package.pk,
        actor_id=actor.pk,
        benchmark_id=package.benchmark_id,
        data={"ticks": {str(k): v for k, v in ticks.items()}},
        client_key=client_key,
    )
    return package


@transaction.atomic
def hand_over(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Hand a package over for review; every item is written and ticked at its newest revision.

    Raises:
        NotAllChecked: ``params.missing`` lists items that are not, with the reason.
        StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_package_for(actor, package_id, "package_hand_over")
    _only_the_assignee(package, actor)
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_hand_over", target_id=package.pk):
        return package
    check_revision(package, revision)
    members = PackageItem.objects.filter(package=package, active=True)
    unwritten = Q(item__state__in=[Item.State.TODO, Item.State.RETURNED])
    unticked = Q(checked_no__isnull=True) | ~Q(checked_no=F("item__revision_no"))
    needs_tick = access.track_settings(package.protocol_id).self_check
    lacking = members.filter(unwritten | unticked if needs_tick else unwritten).order_by("position")
    missing = [
        {
            "item_id": m.item_id,
            "position": m.position,
            "reason": "not_written" if m.item.state in (Item.State.TODO, Item.State.RETURNED) else "not_ticked",
        }
        for m in lacking.select_related("item")
    ]
    if missing:
        raise NotAllChecked(count=len(missing), missing=missing)
    package.round += 1
    move_package(package, "hand_over", actor=actor, client_key=client_key, extra=["round"])
    Draft.objects.filter(item__memberships__package=package, author=actor).delete()
    return package


# --- shared by everything that moves a package ------------------------------------------------------------------------


def check_revision(package: Package, named: int) -> None:
    """Refuse a write based on an older state of a locked package.

    Raises:
        StaleRow.
    """
    if package.revision != named:
        raise StaleRow(revision=package.revision, named=named)


def move_package(
    package: Package,
    action: str,
    *,
    actor: Person,
    client_key: UUID | None,
    extra: Sequence[str] = (),
    data: Mapping[str, Any] | None = None,
) -> None:
    """Move a locked package along its table and write the audit event.

    Raises:
        ActionNotAllowed.
    """
    left = advance(package, action, table=states.TABLE)
    package.revision += 1
    package.state_changed_at = timezone.now()
    package.save(update_fields=["state", "revision", "state_changed_at", *extra])
    audit.record(
        action=states.TABLE[action].operation,
        target_type="package",
        target_id=package.pk,
        actor_id=actor.pk,
        benchmark_id=package.benchmark_id,
        state_from=left,
        state_to=package.state,
        data={"round": package.round, **(data or {})},
        client_key=client_key,
    )


def _only_the_assignee(package: Package, actor: Person) -> None:
    if package.assignee_id != actor.pk:
        raise NotFound
