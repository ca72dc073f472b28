"""Drafts and submissions of single items, and excluding accepted ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from annotation.items import services as items
from annotation.items.errors import NothingChanged
from annotation.items.models import Draft, Exclusion, Item, ItemRevision
from annotation.items.queries import context_of, picture_facts
from annotation.judging.models import Verdict
from annotation.judging.rules import POSITIVE
from annotation.judging.services import Judgement, replayed_verdict, write_verdict
from annotation.kinds.content import looks_equal
from annotation.tracks.access import item_for
from annotation.tracks.errors import NothingToConfirm
from annotation.tracks.queries import waits_to_be_confirmed
from annotation.tracks.registry import TRACKS
from annotation.tracks.shapes import DraftAnswer
from curation.core import audit
from curation.core.decisions import Decision
from curation.core.errors import DomainError, StaleRow
from curation.core.transitions import check_state
from curation.people.access import require
from curation.people.models import Person
from curation.people.services import notify


@transaction.atomic
def save_draft(
    *,
    actor: Person,
    item_id: int,
    base_no: int,
    seq: int,
    content: Mapping[str, Any],
    active_ms: int = 0,
    track: str = Item.Track.PACKAGE,
) -> DraftAnswer:
    """Save a draft and return the findings of the rules on it.

    The answer's ``seq`` is larger than the request's if a newer save arrived first.

    Raises:
        NotFound: The item is not in this track, or the person's work there does not include it.
        OwnWork, SeatHeld, ActionNotAllowed: The track does not let the person write it now.
        StaleRevision: The draft is based on an older revision.
        ContentMalformed, TextRefused.
    """
    held = TRACKS[track].lock(actor, item_id, "draft_save")
    item = held.item
    require(actor, item.benchmark_id, "draft_save", item.kind)
    typed = items.clean_content(item.kind, held.protocol_id, content, held.context, draft=True)
    found = items.check_content(item.kind, held.protocol_id, typed, held.context, complete=False)
    findings = [f.as_json() for f in found]
    stored_seq, saved_at = items.save_draft(
        item=item,
        author_id=actor.pk,
        base_no=base_no,
        seq=seq,
        content=typed,
        findings=findings,
        active_ms=active_ms,
    )
    return {"seq": stored_seq, "findings": findings, "saved_at": saved_at}


@transaction.atomic
def delete_draft(*, actor: Person, item_id: int) -> None:
    """Delete the actor's draft of an item, if there is one; revisions stay.

    It does not depend on the item's state: a text that can no longer be submitted can still be put away.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item_for(actor, item_id, "draft_delete")
    Draft.objects.filter(item_id=item_id, author=actor).delete()


@transaction.atomic
def submit_item(
    *,
    actor: Person,
    item_id: int,
    base_no: int,
    content: Mapping[str, Any],
    client_key: UUID,
    reasons: Mapping[str, str],
    guideline: int | None = None,
    active_ms: int | None = None,
    picture_no: int | None = None,
    track: str = Item.Track.PACKAGE,
) -> tuple[Item, ItemRevision, bool]:
    """Submit an item: append a revision, delete the draft.

    A repeat, at the same moment or a day later, gets the revision of its first try and writes nothing.

    Returns:
        The item, the revision, and whether this was a repeat.

    Raises:
        StaleRevision: There is a newer revision (``extra``: mine, theirs, base).
        PictureChanged: Something in the picture was covered since the version named by ``picture_no``, or nobody has
            looked at the newest version yet.
        GuidelineNotAcknowledged: The kind has newer guidelines than the person has acknowledged.
        NothingChanged: It is a colleague's text, unchanged.
        OwnWork, SeatHeld, ActionNotAllowed: The track does not let the person write it now.
        ContentRefused, ContentMalformed, TextRefused, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    try:
        held = TRACKS[track].lock(actor, item_id, "item_submit")
    except DomainError as refusal:
        return _replay_after_submission(actor, item_id, content, client_key, refusal)
    item = held.item
    require(actor, item.benchmark_id, "item_submit", item.kind)
    cleaned = items.clean_content(item.kind, held.protocol_id, content, held.context, draft=False)
    if item.revision_no == base_no and held.colleagues is not None and looks_equal(held.colleagues, cleaned):
        raise NothingChanged
    if item.revision_no != base_no:
        earlier = items.replayed_revision(author_id=actor.pk, client_key=client_key, item_id=item_id, content=cleaned)
        if earlier is not None:
            return item, earlier, True
    state_before = item.state
    revision = items.append_revision(
        item=item,
        action=held.action,
        author_id=actor.pk,
        base_no=base_no,
        content=cleaned,
        context=held.context,
        reasons=reasons,
        origin="annotator",
        protocol_id=held.protocol_id,
        client_key=client_key,
        guideline_id=items.acknowledged_guideline_id(item.kind, held.guidelines, guideline),
        active_ms=active_ms,
        picture_no=picture_no,
        table=TRACKS[track].table,
    )
    TRACKS[track].written(held, revision)
    audit.record(
        action="item_submit",
        target_type="item",
        target_id=item.pk,
        label=item.label,
        actor_id=actor.pk,
        benchmark_id=item.benchmark_id,
        state_from=state_before,
        state_to=item.state,
        data={"revision_no": revision.no, **held.ids, "overrides": sorted(revision.reasons)},
    )
    return item, revision, False


@transaction.atomic
def exclude_item(
    *, actor: Person, item_id: int, revision_no: int, reason: str, client_key: UUID, quietly: bool = False
) -> Item:
    """Exclude an accepted item for good, whatever its track: no later release includes it.

    Its slot on the picture is free again. The authors of its first and its accepted revision, and the people who
    accepted it, are notified; with ``quietly`` the caller notifies them, of many items at once.

    Raises:
        StaleRow: There is a newer revision.
        ActionNotAllowed: It is not accepted.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    item_for(actor, item_id, "item_exclude")
    item = Item.objects.select_for_update(of=("self",), no_key=True).get(pk=item_id)
    decision = Decision(actor_id=actor.pk, action="item_exclude", row=item, client_key=client_key)
    if decision.is_repeat(revision_no=revision_no):
        return item
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    track = TRACKS[item.track]
    [former] = items.exclude([item], "exclude_accepted", Item.Excluded.DECISION, table=track.table)
    Exclusion.objects.create(item=item, revision_no=revision_no, excluded_by=actor, reason=reason)
    track.excluded(item)
    decision.record_transition(former, item.state, revision_no=revision_no)
    if quietly:
        return item
    notify(
        person_ids=people_of_exclusions({item.pk: revision_no})[item.pk],
        code="item_excluded",
        params={"item": item.label, "comment": reason},
        actor_id=actor.pk,
        benchmark_id=item.benchmark_id,
        target_type="item",
        target_id=item.pk,
    )
    return item


@transaction.atomic
def confirm_item(*, actor: Person, item_id: int, revision_no: int, picture_no: int, client_key: UUID) -> Item:
    """Judge an accepted item right again, because something in its picture was covered since; releases wait for that.

    What is wrong by now is excluded instead. ``picture_no`` is the version of the picture that the actor saw.

    Raises:
        PictureChanged: Something was covered since they saw it, or the picture has no tick since.
        NothingToConfirm: It is not accepted, or nothing in its picture was covered since it was judged.
        StaleRow: There is a newer revision.
        OwnWork: The actor wrote it.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    item_for(actor, item_id, "item_confirm")
    item = Item.objects.select_for_update(of=("self",), no_key=True).get(pk=item_id)
    stage = "spot_check" if item.track == Item.Track.PEER else "inspection"
    judgement = Judgement(item.pk, revision_no, stage, "right", [], "", client_key, picture_no)
    if replayed_verdict(actor, judgement):
        return item
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    if not waits_to_be_confirmed(item):
        raise NothingToConfirm
    rounds = Verdict.objects.filter(item=item, stage=stage).aggregate(n=Max("round"))["n"] or 0
    write_verdict(actor, item, judgement, round_no=rounds + 1, action="item_confirm")
    return item


def people_of_exclusions(revisions: Mapping[int, int]) -> dict[int, set[int]]:
    """Who is notified when items are excluded, by item: authors of the first and accepted revision, who accepted it.

    Args:
        revisions: The accepted revision of each item, by its id.
    """
    people: dict[int, set[int]] = {item_id: set() for item_id in revisions}
    written = ItemRevision.objects.filter(item_id__in=revisions).values_list("item_id", "no", "author_id")
    accepted = Verdict.objects.filter(item_id__in=revisions, outcome__in=POSITIVE)
    for item_id, no, author_id in written:
        if no in (1, revisions[item_id]) and author_id is not None:
            people[item_id].add(author_id)
    for item_id, no, judge_id in accepted.values_list("item_id", "revision_no", "judge_id"):
        if no == revisions[item_id]:
            people[item_id].add(judge_id)
    return people


def exclusion_refusal(actor: Person, item: Item) -> DomainError | None:
    """What :func:`exclude_item` would raise for an item; None if it can be excluded."""
    try:
        require(actor, item.benchmark_id, "item_exclude", item.kind)
        check_state(TRACKS[item.track].table, "item_exclude", item.state)
    except DomainError as error:
        return error
    return None


def _replay_after_submission(
    actor: Person, item_id: int, content: Mapping[str, Any], client_key: UUID, refusal: DomainError
) -> tuple[Item, ItemRevision, bool]:
    rows = ItemRevision.objects.select_related("item").annotate(picture=picture_facts("item__image"))
    revision: Any = rows.filter(author=actor, client_key=client_key).first()
    if revision is None:
        raise refusal
    kind, protocol_id = revision.item.kind, revision.protocol_id
    context = context_of(protocol_id, kind, **revision.picture)
    cleaned = items.clean_content(kind, protocol_id, content, context, draft=False)
    items.same_submission(revision, item_id=item_id, content=cleaned)
    return revision.item, revision, True
