"""Correcting a picture's category, values of dimensions, subset and licence after it was added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db import transaction

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.benchmarks.rules import Images
from curation.core.decisions import Decision
from curation.core.errors import DomainError
from curation.core.transitions import advance, check_state
from curation.images import rules
from curation.images.access import check_reach, lock_image_for
from curation.images.errors import DETAIL_ERRORS
from curation.images.models import Image
from curation.images.services.judging import COUNTS, check_subset, set_counts
from curation.images.states import TABLE
from curation.people.models import Person
from curation.taxonomy.models import Category
from curation.taxonomy.queries import axis_values


@transaction.atomic
def correct_image(
    *,
    actor: Person,
    image_id: int,
    client_key: UUID,
    category: str = "",
    licence: str = "",
    subset: str = "",
    objects: rules.Objects | None = None,
    axes: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Correct what was chosen wrongly when a picture was added; the audit log keeps both values.

    Args:
        actor: Who corrects it.
        image_id: The picture.
        client_key: The request's key.
        category: Slug of the right main category; empty to keep the current one.
        licence: Code of the right licence; empty to keep the current one.
        subset: Code of the right subset; empty to keep the current one.
        objects: The counts that the right subset requires; None to keep the current ones.
        axes: The right values of further dimensions by code; empty to remove a value. Others stay.

    Returns:
        The picture's id.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this.
        CategoryUnknown, AxisValueUnknown, LicenceNotAllowed, SiteLicenceNotAllowed: The protocol does not list
            the value.
        SubsetUnknown: The protocol has no such subset.
        SubsetCounts: The picture's subset does not allow a picture of that category, or with these counts.
        ActionNotAllowed: It is refused or withdrawn.
        ClientKeyReused: The key was used for something else.
    """
    image = lock_image_for(actor, image_id, "image_correct")
    decision = Decision(actor_id=actor.pk, action="image_correct", row=image, client_key=client_key)
    values = {
        "category": category,
        "licence": licence,
        "subset": subset,
        "objects": asdict(objects) if objects else {},
        "axes": dict(axes),
    }
    chosen: dict[str, Any] = {name: value for name, value in values.items() if value}
    if decision.is_repeat(**chosen):
        return image.pk
    advance(image, "correct", table=TABLE)
    limits, known = image_rules(image.benchmark), _known(image.benchmark, category)
    counted = _counted(image)
    current = {
        "category": image.category.slug if image.category else "",
        "licence": image.licence,
        "subset": image.subset,
        "objects": asdict(counted) if counted else {},
        "axes": {axis: image.axes.get(axis, "") for axis in axes},
    }
    before = {name: current[name] for name, value in chosen.items() if value != current[name]}
    _check(image, limits, category=category, licence=licence, known=known, axes=axes)
    image.category = known[category] if category else image.category
    image.licence = licence or image.licence
    image.subset = subset or image.subset
    image.axes = rules.merged_axes(image.axes, axes)
    if objects is not None:
        set_counts(image, objects)
    if image.subset and (category or subset or objects):
        check_subset(image.subset, objects or counted, limits=limits, category=image.category)
    if before:
        image.save(update_fields=["category", "axes", "licence", "subset", *(f"objects_{name}" for name in COUNTS)])
        decision.record(**chosen, before=before)
    return image.pk


def correction_refusals(
    actor: Person, benchmark: Benchmark, images: Iterable[Image], *, category: str = "", licence: str = ""
) -> dict[int, DomainError]:
    """What :func:`correct_image` would raise for pictures of one benchmark, by id; without one it can be corrected."""
    limits, known = image_rules(benchmark), _known(benchmark, category)
    refusals: dict[int, DomainError] = {}
    for image in images:
        try:
            check_reach(actor, image, "image_correct")
            check_state(TABLE, "image_correct", image.state)
            _check(image, limits, category=category, licence=licence, known=known)
            if image.subset and category:
                check_subset(image.subset, _counted(image), limits=limits, category=known[category])
        except DomainError as error:
            refusals[image.pk] = error
    return refusals


def _known(benchmark: Benchmark, category: str) -> dict[str, Category]:
    return {c.slug: c for c in Category.objects.filter(benchmark=benchmark, slug=category)}


def _check(
    image: Image,
    limits: Images,
    *,
    category: str,
    licence: str,
    known: Mapping[str, Category],
    axes: Mapping[str, str] = MappingProxyType({}),
) -> None:
    chosen = {axis: value for axis, value in axes.items() if value}
    details: dict[str, Any] = {"category": category, "licence": licence, "axes": chosen}
    if licence:  # a site permits some licences only
        details["site"] = image.source.get("site", "")
    try:
        rules.check_details(details, limits, categories=known, teams=(), axes=axis_values(image.benchmark, chosen))
    except rules.InvalidDetail as invalid:
        raise DETAIL_ERRORS[invalid.code](**invalid.params) from invalid


def _counted(image: Image) -> rules.Objects | None:
    """The counts of a picture as they are stored."""
    if image.objects_all is None or image.objects_listed is None:  # counted together
        return None
    return rules.Objects(image.objects_all, image.objects_listed, image.objects_main, image.objects_categories)
