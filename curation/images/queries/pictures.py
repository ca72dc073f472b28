"""Reads about pictures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, Count, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONObject

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import image_rules
from curation.benchmarks.rules import Images
from curation.core.errors import DomainError
from curation.core.models import AuditEvent
from curation.core.operations import Reach
from curation.images import access
from curation.images.models import Blindfold, Image, ImageVerdict, NearPair, Rendition, Takedown, image_label, media_url
from curation.images.rules import DecisionResult, HeldBatch
from curation.images.shapes.pictures import (
    CategoryCount,
    HeldAnswer,
    ImageAnswer,
    ImageCategory,
    ImageCounts,
    ImageFacts,
    ImageObjects,
    ImageRow,
    ImageSource,
    JudgedRows,
    NearImageDetail,
    RenditionRow,
    RowError,
    SubsetCount,
)
from curation.people.access import benchmark_for, names_visible
from curation.people.models import Person
from curation.people.shapes import person_brief
from curation.taxonomy.models import Category


def last_correction_key(image_id: int, name: str) -> UUID | None:
    """The client key of the last change of a picture's field, such as ``category``; None if there was none."""
    events = AuditEvent.objects.filter(target_type="image", target_id=image_id, action="image_correct")
    return events.filter(data__before__has_key=name).order_by("-pk").values_list("client_key", flat=True).first()


# --- Counts


class _Group(NamedTuple):
    """The number of pictures of one state, category and subset, with or without the mark."""

    state: str
    category_id: int | None
    subset: str
    clear: bool
    n: int


def image_counts(person: Person, benchmark_slug: str) -> ImageCounts:
    """Count the pictures that the person may see by state, category and subset.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "image_counts")
    visible = access.images_visible_to(person, benchmark, "image_counts")
    all_groups = _groups_from_tallies(benchmark)
    reaches_all = person.reach(benchmark.pk, "image_counts") is Reach.ALL
    groups = all_groups if reaches_all else _groups_from_rows(visible)
    limits, categories = image_rules(benchmark), benchmark.categories.order_by("number").values_list("pk", "slug")
    by_state: Counter[str] = Counter()
    by_subset: Counter[str] = Counter()
    for group in groups:
        by_state[group.state] += group.n
        if group.state == Image.State.ACCEPTED and group.subset and group.n:
            by_subset[group.subset] += group.n
    own = visible.filter(state=Image.State.RECEIVED, contributor=person).count()
    return {
        "received": by_state[Image.State.RECEIVED],
        "accepted": by_state[Image.State.ACCEPTED],
        "refused": by_state[Image.State.REFUSED],
        "withdrawn": by_state[Image.State.WITHDRAWN],
        "clear": sum(group.n for group in groups if group.clear),
        "to_judge": by_state[Image.State.RECEIVED] - own,
        "to_check": sum(
            group.n
            for group in groups
            if not group.clear and group.state in {Image.State.RECEIVED, Image.State.ACCEPTED}
        ),
        "by_category": _category_counts(limits, list(categories), all_groups),
        "by_subset": _subset_counts(limits, by_subset, len(categories)),
    }


def _subset_counts(limits: Images, accepted: Mapping[str, int], categories: int) -> list[SubsetCount]:
    """Accepted pictures of each subset that has some or a quota, against the quota of a number of categories."""
    quotas = {subset.code: subset.quota for subset in limits.subsets if subset.quota is not None}
    return [
        {
            "subset": code,
            "accepted": accepted.get(code, 0),
            "minimum": quotas[code].per_category_minimum * categories if code in quotas else None,
            "target": quotas[code].per_category_target * categories if code in quotas else None,
        }
        for code in sorted(accepted.keys() | quotas.keys())
    ]


def _category_counts(
    limits: Images, categories: Sequence[tuple[int, str]], groups: Sequence[_Group]
) -> list[CategoryCount]:
    quota, with_quota = limits.quota, {subset.code for subset in limits.subsets if subset.quota is not None}
    counts: Counter[tuple[str, int | None]] = Counter()
    of_subsets: dict[int | None, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for group in groups:
        counts[group.state, group.category_id] += group.n
        if group.state == Image.State.ACCEPTED and group.subset in with_quota:
            of_subsets[group.category_id][group.subset] += group.n
    return [
        {
            "slug": slug,
            "accepted": counts[Image.State.ACCEPTED, pk],
            "received": counts[Image.State.RECEIVED, pk],
            "minimum": quota.per_category_minimum if quota else None,
            "target": quota.per_category_target if quota else None,
            "subsets": _subset_counts(limits, of_subsets[pk], 1),
        }
        for pk, slug in categories
    ]


def _groups_from_rows(visible: QuerySet[Image]) -> list[_Group]:
    clear = ExpressionWrapper(Q(pii_clear_by__isnull=False), output_field=BooleanField())
    rows = visible.order_by().annotate(clear=clear).values_list("state", "category_id", "subset", "clear")
    return [_Group(*row) for row in rows.annotate(n=Count("pk"))]


def _groups_from_tallies(benchmark: Benchmark) -> list[_Group]:
    """Group by the tallies; they belong to a room above, so they are read by the reverse relation."""
    rows = benchmark.tallies.filter(of="image").order_by().values_list("state", "category_id", "subset", "clear")
    return [_Group(*row) for row in rows.annotate(total=Sum("n"))]


def images_to_judge(person: Person, benchmark: Benchmark) -> int:
    """Count the pictures of others that wait for a verdict, in one statement."""
    received = benchmark.tallies.filter(of="image", state=Image.State.RECEIVED)
    own = Image.objects.filter(benchmark=benchmark, state=Image.State.RECEIVED, contributor=person)
    counted = own.order_by().values("benchmark").annotate(n=Count("pk")).values("n")
    total = Coalesce(Sum("n"), 0) - Coalesce(Subquery(counted), 0)
    return int(received.aggregate(n=total)["n"])


def _image_rows(person: Person, ids: Sequence[int]) -> dict[int, ImageRow]:
    """Return pictures as lists show them, by id; one statement."""
    rows = for_lists(Image.objects.filter(pk__in=ids))
    return {image.pk: image_row(person, image) for image in rows}


def for_lists(rows: QuerySet[Image]) -> QuerySet[Image]:
    """Add what :func:`image_row` reads."""
    return with_files(rows).select_related("category", "collected_for", "contributor")


# --- Results of commands


def held_answer(person: Person, batch: HeldBatch) -> HeldAnswer:
    """Answer with the batch that a curator reserved."""
    rows = _image_rows(person, batch.image_ids)
    return {
        "images": [rows[image_id] for image_id in batch.image_ids if image_id in rows],
        "until": batch.until,
        "held_by_others": batch.held_by_others,
        "others_until": batch.others_until,
    }


def judged_rows(person: Person, judged: Sequence[DecisionResult]) -> JudgedRows:
    """Answer with the result of each decision and the pictures as they are now."""
    rows = _image_rows(person, [result.image_id for result in judged if result.error is None])
    return {
        "results": [
            {
                "image_id": result.image_id,
                "image": rows.get(result.image_id),
                "error": row_error(result.error) if result.error else None,
            }
            for result in judged
        ]
    }


def row_error(error: DomainError) -> RowError:
    """Answer with the error of one of many."""
    return {"code": error.code, "params": error.params, "detail": str(error)}


# --- One picture


def image_detail(person: Person, image_id: int) -> ImageAnswer:
    """Show a picture with its files and decisions.

    Four statements.

    Raises:
        NotFound, OperationNotAllowed: See :func:`access.image_for`.
    """
    rows = with_files(Image.objects.all()).select_related("collected_for")
    image = access.image_for(person, image_id, "image_show", rows=rows)
    verdicts = ImageVerdict.objects.filter(image=image).select_related("judge").order_by("pk")
    takedowns = Takedown.objects.filter(image=image).select_related("by").order_by("no")
    protocol = image.benchmark.protocol
    show_names = names_visible(person, image.benchmark_id, protocol.content if protocol else None)
    return {
        **_image_facts(person, image),
        "verdicts": [
            {
                "id": verdict.pk,
                "judge": person_brief(verdict.judge) if show_names or verdict.judge_id == person.pk else None,
                "outcome": verdict.outcome,
                "reasons": verdict.reasons,
                "details": verdict.details,
                "created_at": verdict.created_at,
            }
            for verdict in verdicts
        ],
        "takedowns": [
            {
                "restored": takedown.restored,
                "by": person_brief(takedown.by) if show_names or takedown.by_id == person.pk else None,
                "reason": takedown.reason,
                "comment": takedown.comment,
                "at": takedown.at,
            }
            for takedown in takedowns
        ],
        "original_kept": image_rules(image.benchmark).keep_originals,
        "near": _near_image_details(person, image),
        "renditions": [_rendition_row(image, rendition) for rendition in _files(image)],
    }


def _rendition_row(image: Image, rendition: dict[str, Any]) -> RenditionRow:
    return {
        "id": rendition["id"],
        "role": rendition["role"],
        "version": rendition["version"],
        "sha256": rendition["sha256"],
        "bytes": rendition["bytes"],
        "width": rendition["width"],
        "height": rendition["height"],
        "url": media_url(image.pk, rendition["id"], rendition["role"], rendition["key"]),
    }


def _near_image_details(person: Person, image: Image) -> list[NearImageDetail]:
    """Return the near duplicates that the person may see, for a comparison side by side."""
    visible = access.images_visible_to(person, image.benchmark, "image_show")
    pairs = dict(NearPair.objects.filter(image=image, other__in=visible).values_list("other_id", "distance")[:20])
    others = with_files(visible.filter(pk__in=pairs)).select_related("contributor")
    details = [_near_image_detail(person, other, pairs[other.pk]) for other in others]
    return sorted(details, key=lambda detail: (detail["distance"], detail["id"]))


def _near_image_detail(person: Person, other: Image, distance: int) -> NearImageDetail:
    urls = _urls(other)
    return {
        "id": other.pk,
        "label": other.label,
        "distance": distance,
        "thumb_url": urls[Rendition.Role.THUMB],
        "view_url": urls[Rendition.Role.VIEW],
        "clean_url": urls[Rendition.Role.CLEAN],
        "width": other.width,
        "height": other.height,
        "state": other.state,
        "contributor": access.contributor_for(person, other),
    }


_OF_FILE = ("id", "role", "version", "sha256", "bytes", "width", "height", "key")


def with_files(rows: QuerySet[Image]) -> QuerySet[Image]:
    """Add renditions, near duplicates and the protocol's tracks to the same statement."""
    files = Rendition.objects.filter(image=OuterRef("pk"), version=OuterRef("redaction_no") + 1).order_by("role")
    near = NearPair.objects.filter(image=OuterRef("pk")).exclude(other__state=Image.State.REFUSED)
    hidden = Blindfold.objects.filter(image_id=OuterRef("other_id")).values("person_id")
    return rows.annotate(
        tracks=F("benchmark__protocol__content__tracks"),
        share=F("benchmark__protocol__content__images__share"),
        files=ArraySubquery(files.values(row=JSONObject(**{name: name for name in _OF_FILE}))),
        near_images=ArraySubquery(
            near.order_by("distance", "other_id").values(
                row=JSONObject(
                    id="other_id", number=F("other__number"), distance="distance", hidden_from=ArraySubquery(hidden)
                )
            )[:20]
        ),
    )


def axis_values_in_use(benchmark: Benchmark) -> dict[str, set[str]]:
    """The values of further dimensions that a benchmark's pictures have, by the dimension's code."""
    used: dict[str, set[str]] = {}
    for axes in Image.objects.filter(benchmark=benchmark).exclude(axes={}).values_list("axes", flat=True).distinct():
        for axis, value in axes.items():
            used.setdefault(axis, set()).add(value)
    return used


def image_row(person: Person, image: Image) -> ImageRow:
    """Return a picture as lists show it; ``image`` comes from :func:`with_files`."""
    every: list[dict[str, Any]] = getattr(image, "near_images", [])
    near = [n for n in every if person.pk not in n["hidden_from"]]
    return {
        **_image_facts(person, image),
        "near": [{"id": n["id"], "label": image_label(n["number"]), "distance": n["distance"]} for n in near],
    }


def _image_facts(person: Person, image: Image) -> ImageFacts:
    urls = _urls(image)
    return {
        "id": image.pk,
        "number": image.number,
        "label": image.label,
        "state": image.state,
        "width": image.width,
        "height": image.height,
        "sha256": image.sha256,
        "thumb_url": urls[Rendition.Role.THUMB],
        "view_url": urls[Rendition.Role.VIEW],
        "clean_url": urls[Rendition.Role.CLEAN],
        "category": _category(image.category),
        "collected_for": _category(image.collected_for),
        "axes": image.axes,
        "subset": image.subset,
        "objects": _objects(image),
        "verdict_no": image.verdict_no,
        "source": _source(image),
        "licence": image.licence,
        "contributor": access.contributor_for(person, image),
        "personal_information_clear": image.pii_clear_by_id is not None,
        "redaction_no": image.redaction_no,
        "tick": image.tick,
        "flags": image.flags,
        "created_at": image.created_at,
        "available_actions": access.actions(person, image, shares=getattr(image, "share", None) == "own_tick"),
    }


def _category(category: Category | None) -> ImageCategory | None:
    return {"slug": category.slug, "name": category.name} if category else None


def _objects(image: Image) -> ImageObjects | None:
    if image.objects_all is None or image.objects_listed is None:  # counted together
        return None
    return {
        "all": image.objects_all,
        "listed": image.objects_listed,
        "main": image.objects_main,
        "categories": image.objects_categories,
    }


def _source(image: Image) -> ImageSource:
    """Return where a picture comes from; older pictures lack the answers to newer questions."""
    source = image.source
    return {
        "kind": source["kind"],
        "site": source.get("site", ""),
        "url": source.get("url", ""),
        "author": source.get("author", ""),
        "uses": source.get("uses"),
        "waived": source.get("waived", False),
        "donor_consent": source.get("donor_consent", False),
    }


def _files(image: Image) -> list[dict[str, Any]]:
    files: list[dict[str, Any]] = getattr(image, "files", [])
    return files


def _urls(image: Image) -> dict[str, str]:
    return {file["role"]: media_url(image.pk, file["id"], file["role"], file["key"]) for file in _files(image)}
