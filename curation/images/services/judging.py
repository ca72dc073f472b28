"""Curators' decisions on pictures, many at once and never on their own.

A decision carries the number of decisions that the curator's page showed (``no``), so that of two curators who loaded
the same picture only one decides. The number of statements does not depend on the number of pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final
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
from curation.images.rules import DecisionResult
from curation.images.services.duplicates import lock_numbering
from curation.images.states import TABLE
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category

COUNTS: Final = tuple(one.name for one in fields(rules.Objects))


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on a picture.

    Attributes:
        image_id: The picture.
        no: Number of decisions on it that the curator's page showed.
        outcome: ``accepted`` or ``refused``.
        reasons: Codes of the protocol's list, for a refusal.
        subset: The subset of an accepted picture; empty for none.
        category: Slug of its main category; empty to keep the current one.
        objects: The counts.
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
        """What is stored beside outcome and reasons."""
        return {
            "subset": self.subset,
            "category": self.category,
            "objects": asdict(self.objects) if self.objects else None,
        }


@dataclass(slots=True)
class _Context:
    """Everything that decisions are checked against, read once after locking the pictures.

    Attributes:
        earlier: The actor's earlier verdicts with the same client keys.
        holds: Reservations of the pictures for others.
        newest: The newest verdict on each picture that was decided since the curator loaded it.
        duplicates: Pictures that are not refused with the same file as one of the refused pictures, by SHA-256.
    """

    limits: Images
    images: Mapping[int, Image]
    earlier: Mapping[UUID, ImageVerdict]
    holds: Mapping[int, InspectionHold]
    categories: Mapping[str, Category]
    newest: Mapping[int, ImageVerdict]
    duplicates: dict[str, Image] = field(default_factory=dict)


@transaction.atomic
def judge_images(*, actor: Person, benchmark_slug: str, verdicts: Sequence[Verdict]) -> list[DecisionResult]:
    """Accept or refuse pictures (CVLUE section 3.3), each independently of the others.

    Raises:
        NotFound, OperationNotAllowed: The actor may not judge here.
        ClientKeyReused: A concurrent command used one of the keys; nothing was decided.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "image_judge")
    context = _lock_and_read(actor, benchmark, verdicts)
    results, changed, rows, events = [], [], [], []
    for verdict in verdicts:
        try:
            new = _judge(actor, verdict, context)
        except DomainError as error:
            results.append(DecisionResult(verdict.image_id, error))
            continue
        results.append(DecisionResult(verdict.image_id))
        if new is not None:
            changed.append(context.images[verdict.image_id])
            rows.append(new[0])
            events.append(new[1])
    if rows:
        ImageVerdict.objects.bulk_create(rows)
        Image.objects.bulk_update(
            changed, ["state", "verdict_no", "subset", "category", *(f"objects_{name}" for name in COUNTS)]
        )
        audit.record_all(events)
        InspectionHold.objects.filter(holder=actor, image__in=changed).delete()
    return results


def _lock_and_read(actor: Person, benchmark: Benchmark, verdicts: Sequence[Verdict]) -> _Context:
    """Lock the pictures in the order of their ids, and read everything that decisions are checked against."""
    ids = [v.image_id for v in verdicts]
    rows = access.images_visible_to(actor, benchmark, "image_judge").filter(pk__in=ids)
    images = {i.pk: i for i in rows.select_for_update(of=("self",), no_key=True).order_by("pk")}
    stale = [v.image_id for v in verdicts if v.image_id in images and images[v.image_id].verdict_no != v.no]
    category_slugs = {v.category for v in verdicts if v.category}
    held = InspectionHold.objects.filter(image__in=images, held_until__gt=Now()).exclude(holder=actor)
    earlier = ImageVerdict.objects.filter(judge=actor, client_key__in=[v.client_key for v in verdicts])
    last = ImageVerdict.objects.filter(image__in=stale).order_by("image_id", "-no").distinct("image_id")
    main_category_ids = [i.category_id for i in images.values() if i.category_id]
    categories = Category.objects.filter(benchmark=benchmark)
    known = categories.filter(slug__in=category_slugs) | categories.filter(pk__in=main_category_ids)
    context = _Context(
        limits=image_rules(benchmark),
        images=images,
        earlier={v.client_key: v for v in earlier},
        holds={h.image_id: h for h in held.select_related("holder")},
        categories={c.slug: c for c in known},
        newest={v.image_id: v for v in last.select_related("judge")},
    )
    refused_sha256 = [i.sha256 for i in images.values() if i.state == Image.State.REFUSED]
    if refused_sha256 and any(v.outcome == Image.State.ACCEPTED for v in verdicts):
        lock_numbering(benchmark.pk)
        same_file = Image.objects.filter(benchmark=benchmark, sha256__in=refused_sha256)
        context.duplicates = {i.sha256: i for i in same_file.exclude(state=Image.State.REFUSED)}
    return context


def _judge(actor: Person, verdict: Verdict, context: _Context) -> tuple[ImageVerdict, AuditEvent] | None:
    """Decide on one picture; return None if an earlier try with the same key did."""
    image = context.images.get(verdict.image_id)
    if image is None:
        raise NotFound
    if not access.has_relation(actor, image, "image_judge"):
        raise OwnWork
    if (earlier := context.earlier.get(verdict.client_key)) is not None:
        same = (image.pk, verdict.outcome, list(verdict.reasons), verdict.details)
        if (earlier.image_id, earlier.outcome, earlier.reasons, earlier.details) != same:
            raise ClientKeyReused
        return None
    if (hold := context.holds.get(image.pk)) is not None:
        raise HeldByAnother(by=hold.holder.name, until=hold.held_until.isoformat())
    if image.verdict_no != verdict.no:
        newest = context.newest.get(image.pk)
        raise JudgedMeanwhile(by=newest.judge.name if newest else "", outcome=newest.outcome if newest else image.state)
    _check_reasons(verdict, context.limits)
    category = _main_category(verdict, image, context)
    if verdict.subset:
        check_subset(verdict.subset, verdict.objects, limits=context.limits, category=category)
    refusing = verdict.outcome == Image.State.REFUSED
    if not refusing and image.state == Image.State.REFUSED and (other := context.duplicates.get(image.sha256)):
        raise ImageDuplicate(twin=image_label(other.number), twin_id=other.pk)
    state_from = advance(image, "refuse" if refusing else "accept", table=TABLE)
    if not refusing:
        context.duplicates[image.sha256] = image
        image.subset = verdict.subset or image.subset
        image.category = category
        if verdict.objects is not None:
            set_counts(image, verdict.objects)
    image.verdict_no += 1
    row = ImageVerdict(
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
        state_from=state_from,
        state_to=image.state,
        data={"reasons": list(verdict.reasons)} | ({"subset": verdict.subset} if verdict.subset else {}),
        client_key=verdict.client_key,
    )
    return row, event


def set_counts(image: Image, objects: rules.Objects) -> None:
    """Put an inspector's counts on a picture."""
    for name in COUNTS:
        setattr(image, f"objects_{name}", getattr(objects, name))


def _check_reasons(verdict: Verdict, limits: Images) -> None:
    listed = [reason.code for reason in limits.refusal_reasons]
    refusing = verdict.outcome == Image.State.REFUSED
    if bool(verdict.reasons) is not refusing or not set(verdict.reasons) <= set(listed):
        raise ReasonsRefused(reasons=list(verdict.reasons), allowed=listed if refusing else [])


def _main_category(verdict: Verdict, image: Image, context: _Context) -> Category | None:
    if verdict.category:
        if verdict.category not in context.categories:
            raise CategoryUnknown(category=verdict.category)
        return context.categories[verdict.category]
    return next((c for c in context.categories.values() if c.pk == image.category_id), None)


def check_subset(subset: str, objects: rules.Objects | None, *, limits: Images, category: Category | None) -> None:
    """Check a picture's counts and main category against the rule of a subset.

    Raises:
        SubsetUnknown, SubsetCounts.
    """
    codes = [one.code for one in limits.subsets]
    if subset not in codes:
        raise SubsetUnknown(subset=subset, subsets=codes)
    if faults := rules.subset_faults(limits, subset, objects, category=category.slug if category else ""):
        raise SubsetCounts(subset=subset, faults=faults)
