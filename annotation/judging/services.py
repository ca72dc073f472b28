"""Writing verdicts on revisions; the track decides who may judge what, and what follows from the verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import BooleanField, ExpressionWrapper, Max
from django.db.models.functions import Now

from annotation.items.errors import PictureChanged, ReasonNeeded, ReasonUnknown
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import kind_settings
from annotation.judging.errors import AlreadyJudged, FormFieldUnknown, FormValueInvalid, FormValueMissing
from annotation.judging.models import VERDICT_LATE, Judging, Verdict
from annotation.judging.rules import CLICKS, PANEL, WrongValue, clean_values, is_passed
from curation.core import audit
from curation.core.errors import ClientKeyReused, OwnWork, StaleRow
from curation.images.models import ticked
from curation.people.models import Person

# The audit log's action for a verdict of each stage and, where these are operations of their own, outcome.
ACTIONS: Final[Mapping[tuple[str, str], str]] = {
    ("review", "accept"): "item_review",
    ("review", "correct"): "item_review",
    ("review", "return"): "item_review",
    ("inspection", "right"): "item_inspect",
    ("inspection", "wrong"): "item_inspect",
    ("peer", "star"): "item_star",
    ("peer", "return"): "item_send_back",
    ("spot_check", "right"): "item_spot_check",
    ("spot_check", "wrong"): "item_spot_check",
    (PANEL, "pass"): "item_judge",
    (PANEL, "fail"): "item_judge",
    (CLICKS, "pass"): "item_click",
    (CLICKS, "fail"): "item_click",
}


class Judgement(NamedTuple):
    """A person's judgement of a revision, from a request.

    ``picture_no`` is the version of the picture that the judge saw; None: the one that the text is about. ``values``
    are those of the form's other fields, where there is a form.
    """

    item_id: int
    revision_no: int
    stage: str
    outcome: str
    reasons: list[str]
    comment: str
    client_key: UUID
    picture_no: int | None = None
    values: Mapping[str, Any] = {}


def check_reasons(kind: str, protocol_id: int, reasons: Sequence[str], comment: str, *, needed: bool) -> None:
    """Check that the protocol lists the reasons, and that a verdict which needs a reason or comment has one.

    Raises:
        ReasonUnknown, ReasonNeeded.
    """
    known = set(kind_settings(protocol_id, kind).reason_codes)
    for reason in reasons:
        if reason not in known:
            raise ReasonUnknown(reason=reason)
    if needed and not reasons and not comment:
        raise ReasonNeeded


def write_verdict(
    actor: Person,
    item: Item,
    judgement: Judgement,
    *,
    round_no: int,
    package_id: int | None = None,
    action: str | None = None,
    judging: Judging | None = None,
) -> Verdict:
    """Insert a verdict on the item's newest revision, with its audit entry.

    A picture that was covered is judged after it was ticked again, by those who name the version that they saw.

    Args:
        actor: The judge.
        item: The locked item.
        judgement: The judgement.
        round_no: The round of the stage; a person judges a revision once in each.
        package_id: The item's package, if it is in one.
        action: The audit log's action; None: that of the stage and outcome.
        judging: The judging to which it belongs. Nobody learns its verdicts before all are in, so the audit log's entry
            has neither outcome nor reasons.

    Raises:
        PictureChanged: Something in the picture was covered since the judge saw it, or it has no tick since.
        StaleRow, OwnWork, AlreadyJudged, ClientKeyReused.
    """
    revision_no = judgement.revision_no
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    revisions = ItemRevision.objects.annotate(
        ticked=ExpressionWrapper(ticked("item__image"), output_field=BooleanField())
    ).values_list("author_id", "ticked", "picture_no", "item__image__redaction_no")
    author_id, is_ticked, written_on, picture_no = revisions.get(item=item, no=revision_no)
    seen = written_on if judgement.picture_no is None else judgement.picture_no
    if author_id == actor.pk:
        raise OwnWork
    if not is_ticked or seen != picture_no:
        raise PictureChanged
    try:
        with transaction.atomic():
            verdict = Verdict.objects.create(
                item=item,
                revision_no=revision_no,
                author_id=author_id,
                judge=actor,
                stage=judgement.stage,
                package_id=package_id,
                round=round_no,
                outcome=judgement.outcome,
                reasons=judgement.reasons,
                comment=judgement.comment,
                picture_no=picture_no,
                judging=judging,
                values=dict(judgement.values),
                client_key=judgement.client_key,
            )
    except IntegrityError as error:
        raise _error_for(error) from error
    audit.record(
        action=action or ACTIONS[judgement.stage, judgement.outcome],
        target_type="item",
        target_id=item.pk,
        label=item.label,
        actor_id=actor.pk,
        benchmark_id=item.benchmark_id,
        state_from=item.state,
        state_to=item.state,
        data={
            **({"outcome": judgement.outcome, "reasons": judgement.reasons} if judging is None else {}),
            "revision_no": revision_no,
            "round": round_no,
            **({"package_id": package_id} if package_id is not None else {}),
        },
    )
    return verdict


def _error_for(error: IntegrityError) -> Exception:
    """The domain error for a violated constraint."""
    text = str(error)
    if "item_hand_nobody_judges_own" in text or "verdict_not_own" in text:
        return OwnWork()
    # The second is the trigger's: the judging was closed, or has all its verdicts.
    if any(name in text for name in ("verdict_once", VERDICT_LATE)):
        return AlreadyJudged()
    if "verdict_key_once" in text:
        return ClientKeyReused()
    return error


def replayed_verdict(actor: Person, judgement: Judgement) -> Verdict | None:
    """The verdict of an earlier try with the same key, or None.

    Raises:
        ClientKeyReused: The key belongs to another verdict.
    """
    verdict = Verdict.objects.filter(judge=actor, client_key=judgement.client_key).first()
    # A repeat without a version is about that of the first try.
    same = {name: value for name, value in judgement._asdict().items() if (name, value) != ("picture_no", None)}
    if verdict is not None and any(getattr(verdict, name) != value for name, value in same.items()):
        raise ClientKeyReused
    return verdict


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


# --- Judgings by several people


def open_judging(item: Item, *, form: Sequence[Mapping[str, Any]], people: int, purpose: str = PANEL) -> Judging:
    """Open the judging of a locked item's newest revision by ``people``; one that is still open is dropped."""
    drop_judging(item)
    earlier = Judging.objects.filter(item=item, purpose=purpose).aggregate(n=Max("no"))["n"] or 0
    return Judging.objects.create(
        item=item, revision_no=item.revision_no, purpose=purpose, no=earlier + 1, form=list(form), people=people
    )


def drop_judging(item: Item) -> None:
    """Close the open judging of a locked item, if there is one, because its revision is not judged any more."""
    drop_judgings([item.pk])


def drop_judgings(item_ids: Sequence[int]) -> None:
    """Close the open judgings of locked items."""
    rows = Judging.objects.filter(item_id__in=item_ids, closed_at=None)
    rows.update(closed_at=Now(), outcome=Judging.Outcome.DROPPED)


def lock_judging(item: Item, purpose: str = PANEL) -> Judging | None:
    """Lock the open judging of a locked item; None if there is none."""
    return Judging.objects.select_for_update(no_key=True).filter(item=item, purpose=purpose, closed_at=None).first()


def values_for(judging: Judging, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a judging's form as they are stored.

    Raises:
        FormValueMissing, FormFieldUnknown, FormValueInvalid.
    """
    try:
        return clean_values(judging.form, values)
    except WrongValue as error:
        errors = {"missing": FormValueMissing, "unknown": FormFieldUnknown, "invalid": FormValueInvalid}
        raise errors[error.fault](field=error.field) from error


def settle(judging: Judging) -> list[Verdict]:
    """Close a locked judging if all its verdicts are in, and return them in the order in which they came.

    The list is empty while one of them is not in.
    """
    judging.refresh_from_db(fields=["done"])
    if judging.done < judging.people:
        return []
    verdicts = list(Verdict.objects.filter(judging=judging).order_by("pk"))
    passed = is_passed(verdict.outcome for verdict in verdicts)
    judging.outcome = Judging.Outcome.PASSED if passed else Judging.Outcome.FAILED
    Judging.objects.filter(pk=judging.pk).update(outcome=judging.outcome, closed_at=Now())
    return verdicts
