"""What curators decide on pictures, many at once and never on their own.

A decision names the last one that its maker saw (``no``), so that two who looked at the same picture never both decide.
The statements are as many for two hundred pictures as for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.benchmarks.rules import Images
from curation.core import audit
from curation.core.errors import ClientKeyReused, DomainError, NotFound, OwnWork
from curation.core.models import AuditEvent
from curation.core.transitions import advance
from curation.images import access, rules
from curation.images.errors import (
    CategoryUnknown,
    HeldByAnother,
    ImageDuplicate,
    JudgedMeanwhile,
    ReasonsRefused,
    SubsetCounts,
    SubsetUnknown,
)
from curation.images.models import Image, ImageVerdict, InspectionHold, image_label
from curation.images.rules import Judged
from curation.images.services.twins import lock_for_numbers
from curation.images.states import TABLE
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on a picture.

    Attributes:
        image_id: Which.
        no: Decisions on it that the curator saw.
        outcome: ``accepted`` or ``refused``.
        reasons: Codes of the protocol's list, for a refusal.
        subset: Where an accepted picture belongs; empty: nowhere said.
        category: Slug of its main category; empty: as it was collected for.
        objects: The three counts.
        client_key: Makes a repeat harmless.
    """

    image_id: int
    no: int
    outcome: str
    client_key: UUID
    reasons: Sequence[str] = ()
    subset: str = ""
    category: str = ""
    objects: rules.Objects | None = None

    @property
    def details(self) -> dict[str, Any]:
        """What is kept beside outcome and reasons."""
        return {
            "subset": self.subset,
            "category": self.category,
            "objects": asdict(self.objects) if self.objects else None,
        }


@dataclass(slots=True)
class _Seen:
    """What the rows said when they were locked."""

    limits: Images
    images: Mapping[int, Image]
    earlier: Mapping[UUID, ImageVerdict]
    holds: Mapping[int, InspectionHold]
    categories: Mapping[str, Category]
    newest: Mapping[int, ImageVerdict]
    twins: dict[str, Image] = field(default_factory=dict)


@transaction.atomic
def judge_images(*, actor: Person, benchmark_slug: str, verdicts: Sequence[Verdict]) -> list[Judged]:
    """Accept or refuse pictures (CVLUE section 3.3); each decision stands or falls by itself.

    Raises:
        NotFound, OperationNotAllowed: The actor may not judge here.
        ClientKeyReused: A key came with another command at this very moment; nothing was decided.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "image_judge")
    seen = _look(actor, benchmark, verdicts)
    results, changed, made, events = [], [], [], []
    for verdict in verdicts:
        try:
            done = _judge(actor, verdict, seen)
        except DomainError as error:
            results.append(Judged(verdict.image_id, error))
            continue
        results.append(Judged(verdict.image_id))
        if done is not None:
            changed.append(seen.images[verdict.image_id])
            made.append(done[0])
            events.append(done[1])
    if made:
        ImageVerdict.objects.bulk_create(made)
        Image.objects.bulk_update(
            changed, ["state", "verdict_no", "subset", "category", "objects_all", "objects_listed", "objects_main"]
        )
        audit.record_all(events)
        InspectionHold.objects.filter(holder=actor, image__in=changed).delete()
    return results


def _look(actor: Person, benchmark: Benchmark, verdicts: Sequence[Verdict]) -> _Seen:
    """Lock the pictures, in the order of their ids, and read everything that decisions are held against."""
    ids = [v.image_id for v in verdicts]
    rows = access.images_visible_to(actor, benchmark, "image_judge").filter(pk__in=ids)
    images = {i.pk: i for i in rows.select_for_update(of=("self",), no_key=True).order_by("pk")}
    stale = [v.image_id for v in verdicts if v.image_id in images and images[v.image_id].verdict_no != v.no]
    wanted = {v.category for v in verdicts if v.category} | set()
    held = InspectionHold.objects.filter(image__in=images, held_until__gt=Now()).exclude(holder=actor)
    earlier = ImageVerdict.objects.filter(judge=actor, client_key__in=[v.client_key for v in verdicts])
    last = ImageVerdict.objects.filter(image__in=stale).order_by("image_id", "-no").distinct("image_id")
    mains = [i.category_id for i in images.values() if i.category_id]
    categories = Category.objects.filter(benchmark=benchmark)
    known = categories.filter(slug__in=wanted) | categories.filter(pk__in=mains)
    seen = _Seen(
        limits=image_rules(benchmark),
        images=images,
        earlier={v.client_key: v for v in earlier},
        holds={h.image_id: h for h in held.select_related("holder")},
        categories={c.slug: c for c in known},
        newest={v.image_id: v for v in last.select_related("judge")},
    )
    back = [i.sha256 for i in images.values() if i.state == Image.State.REFUSED]
    if back and any(v.outcome == Image.State.ACCEPTED for v in verdicts):
        lock_for_numbers(benchmark.pk)
        standing = Image.objects.filter(benchmark=benchmark, sha256__in=back).exclude(state=Image.State.REFUSED)
        seen.twins = {twin.sha256: twin for twin in standing}
    return seen


def _judge(actor: Person, verdict: Verdict, seen: _Seen) -> tuple[ImageVerdict, AuditEvent] | None:
    """Decide on one picture; None when an earlier try with the same key did."""
    image = seen.images.get(verdict.image_id)
    if image is None:
        raise NotFound
    if not access.has_relation(actor, image, "image_judge"):
        raise OwnWork
    if (earlier := seen.earlier.get(verdict.client_key)) is not None:
        same = (image.pk, verdict.outcome, list(verdict.reasons), verdict.details)
        if (earlier.image_id, earlier.outcome, earlier.reasons, earlier.details) != same:
            raise ClientKeyReused
        return None
    if (hold := seen.holds.get(image.pk)) is not None:
        raise HeldByAnother(by=hold.holder.name, until=hold.held_until.isoformat())
    if image.verdict_no != verdict.no:
        newest = seen.newest.get(image.pk)
        raise JudgedMeanwhile(by=newest.judge.name if newest else "", outcome=newest.outcome if newest else image.state)
    _check_reasons(verdict, seen.limits)
    category = _main_category(verdict, image, seen)
    if verdict.subset:
        _check_subset(verdict, seen.limits, category)
    refusing = verdict.outcome == Image.State.REFUSED
    if not refusing and image.state == Image.State.REFUSED and (twin := seen.twins.get(image.sha256)) is not None:
        raise ImageDuplicate(twin=image_label(twin.number), twin_id=twin.pk)
    left = advance(image, "refuse" if refusing else "accept", table=TABLE)
    if not refusing:
        seen.twins[image.sha256] = image
        image.subset = verdict.subset or image.subset
        image.category = category
        if verdict.objects is not None:
            image.objects_all, image.objects_listed = verdict.objects.all, verdict.objects.listed
            image.objects_main = verdict.objects.main
    image.verdict_no += 1
    made = ImageVerdict(
        image=image,
        no=image.verdict_no,
        judge=actor,
        contributor_id=image.contributor_id,
        outcome=verdict.outcome,
        reasons=list(verdict.reasons),
        details=verdict.details,
        client_key=verdict.client_key,
    )
    event = audit.event(
        action="image_judge",
        target_type="image",
        target_id=image.pk,
        label=image.label,
        actor_id=actor.pk,
        benchmark_id=image.benchmark_id,
        state_from=left,
        state_to=image.state,
        data={"reasons": list(verdict.reasons)} | ({"subset": verdict.subset} if verdict.subset else {}),
        client_key=verdict.client_key,
    )
    return made, event


def _check_reasons(verdict: Verdict, limits: Images) -> None:
    listed = [reason.code for reason in limits.refusal_reasons]
    refusing = verdict.outcome == Image.State.REFUSED
    if bool(verdict.reasons) is not refusing or not set(verdict.reasons) <= set(listed):
        raise ReasonsRefused(reasons=list(verdict.reasons), allowed=listed if refusing else [])


def _main_category(verdict: Verdict, image: Image, seen: _Seen) -> Category | None:
    if verdict.category:
        if verdict.category not in seen.categories:
            raise CategoryUnknown(category=verdict.category)
        return seen.categories[verdict.category]
    return next((c for c in seen.categories.values() if c.pk == image.category_id), None)


def _check_subset(verdict: Verdict, limits: Images, category: Category | None) -> None:
    codes = [subset.code for subset in limits.subsets]
    if verdict.subset not in codes:
        raise SubsetUnknown(subset=verdict.subset, subsets=codes)
    slug = category.slug if category else ""
    if faults := rules.subset_faults(limits, verdict.subset, verdict.objects, category=slug):
        raise SubsetCounts(subset=verdict.subset, faults=faults)


@transaction.atomic
def clear_images(*, actor: Person, benchmark_slug: str, marks: Iterable[tuple[int, UUID]]) -> list[Judged]:
    """Mark pictures as showing nothing personal; no release holds a picture without the mark (W-I4).

    Args:
        actor: The curator.
        benchmark_slug: Where.
        marks: Pictures, each with the key of its mark.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        ClientKeyReused: A key came with another command at this very moment; nothing was marked.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "image_clear")
    keys = dict(marks)
    rows = access.images_visible_to(actor, benchmark, "image_clear").filter(pk__in=keys)
    images = {i.pk: i for i in rows.select_for_update(of=("self",), no_key=True).order_by("pk")}
    done = audit.done_before(actor_id=actor.pk, client_keys=keys.values())
    results, changed, events = [], [], []
    for image_id, client_key in keys.items():
        image = images.get(image_id)
        earlier = done.get(client_key)
        if image is None:
            results.append(Judged(image_id, NotFound()))
        elif not access.has_relation(actor, image, "image_clear"):
            results.append(Judged(image_id, OwnWork()))
        elif earlier is not None and (earlier.action, earlier.target_id) != ("image_clear", image_id):
            results.append(Judged(image_id, ClientKeyReused()))
        else:
            results.append(Judged(image_id))
            if earlier is None and image.pii_clear_by_id is None:  # who set it first stays on record
                image.pii_clear_by = actor
                changed.append(image)
                events.append(
                    audit.event(
                        action="image_clear",
                        target_type="image",
                        target_id=image.pk,
                        label=image.label,
                        actor_id=actor.pk,
                        benchmark_id=image.benchmark_id,
                        client_key=client_key,
                    )
                )
    Image.objects.bulk_update(changed, ["pii_clear_by"])
    audit.record_all(events)
    return results
