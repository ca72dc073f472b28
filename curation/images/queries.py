"""Reads about pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, F, OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject

from curation.core.pages import COUNT_LIMIT, page
from curation.core.transitions import available_actions
from curation.images import access
from curation.images.models import Image, ImageVerdict, NearPair, Rendition, image_label, media_url
from curation.images.states import TABLE
from curation.people.access import benchmark_for
from curation.people.models import Person


def image_page(
    person: Person, slug: str, *, state: str | None, category: str | None, cursor: str | None, page_size: int
) -> dict[str, Any]:
    """A page of a benchmark's pictures, newest first, and how many there are of each state.

    Three statements: benchmark, counts, page. Counts are of what the person may see, before the filters.
    """
    benchmark = benchmark_for(person, slug, "image_list")
    seen = access.images_visible_to(person, benchmark, "image_list")
    wanted = Q()
    if state:
        wanted &= Q(state=state)
    if category:
        wanted &= Q(category__slug=category)
    counts = seen.aggregate(
        received=Count("pk", filter=Q(state=Image.State.RECEIVED)),
        accepted=Count("pk", filter=Q(state=Image.State.ACCEPTED)),
        refused=Count("pk", filter=Q(state=Image.State.REFUSED)),
        personal_information_clear=Count("pk", filter=Q(pii_clear_by__isnull=False)),
        total=Count("pk", filter=wanted) if wanted else Count("pk"),
    )
    total = counts.pop("total")
    rows = with_files(seen.filter(wanted)).select_related("category", "contributor")
    found = page(rows, by="-number", cursor=cursor, page_size=page_size, count=False)
    return found | {
        "results": [describe(person, image) for image in found["results"]],
        "total": min(total, COUNT_LIMIT),
        "total_is_capped": total > COUNT_LIMIT,
        "counts": counts,
    }


def image_detail(person: Person, image_id: int) -> dict[str, Any]:
    """One picture with everything decided about it; two statements.

    Raises:
        NotFound, OperationNotAllowed: See :func:`access.image_for`.
    """
    image = access.image_for(person, image_id, "image_show", rows=with_files(Image.objects.all()))
    verdicts = ImageVerdict.objects.filter(image=image).select_related("judge").order_by("pk")
    return describe(person, image) | {
        "verdicts": list(verdicts),
        "renditions": [r | {"url": media_url(image.pk, r["id"], r["role"], r["key"])} for r in _files(image)],
    }


def described(person: Person, image_id: int) -> dict[str, Any]:
    """One picture as lists show it, read anew after a change."""
    image = with_files(Image.objects.all()).select_related("category", "contributor").get(pk=image_id)
    return describe(person, image)


def with_files(rows: QuerySet[Image]) -> QuerySet[Image]:
    """Bring renditions and near pictures along in the same statement."""
    files = Rendition.objects.filter(image=OuterRef("pk")).order_by("version", "role")
    near = NearPair.objects.filter(image=OuterRef("pk")).exclude(other__state=Image.State.REFUSED)
    return rows.annotate(
        files=ArraySubquery(
            files.values(
                row=JSONObject(
                    id="id",
                    role="role",
                    version="version",
                    sha256="sha256",
                    bytes="bytes",
                    width="width",
                    height="height",
                    key="key",
                )
            )
        ),
        near_ones=ArraySubquery(
            near.order_by("distance", "other_id").values(
                row=JSONObject(id="other_id", number=F("other__number"), distance="distance")
            )[:20]
        ),
    )


def describe(person: Person, image: Image) -> dict[str, Any]:
    """A picture as people see it; ``image`` comes from :func:`with_files`."""
    urls = {r["role"]: media_url(image.pk, r["id"], r["role"], r["key"]) for r in _files(image)}
    near: list[dict[str, Any]] = getattr(image, "near_ones", [])
    return {
        "id": image.pk,
        "number": image.number,
        "label": image_label(image.number),
        "state": image.state,
        "width": image.width,
        "height": image.height,
        "sha256": image.sha256,
        "thumb_url": urls[Rendition.Role.THUMB],
        "view_url": urls[Rendition.Role.VIEW],
        "clean_url": urls[Rendition.Role.CLEAN],
        "category": image.category,
        "subset": image.subset,
        "source": image.source,
        "licence": image.licence,
        "contributor": image.contributor,
        "personal_information_clear": image.pii_clear_by_id is not None,
        "flags": image.flags,
        "near": [{"id": n["id"], "label": image_label(n["number"]), "distance": n["distance"]} for n in near],
        "created_at": image.created_at,
        "available_actions": actions(person, image),
    }


def actions(person: Person, image: Image) -> list[str]:
    """What the person may do with the picture now; nothing that judges their own."""
    if image.contributor_id == person.pk:
        return []
    open_now = available_actions(TABLE, image.state, lambda operation: person.may(image.benchmark_id, operation))
    if image.pii_clear_by_id is None and person.may(image.benchmark_id, "image_clear"):
        open_now.append("image_clear")
    return open_now


def file_path(rendition: Rendition) -> Path:
    """Where a rendition's bytes lie."""
    return Path(settings.MEDIA_ROOT) / rendition.key


def _files(image: Image) -> list[dict[str, Any]]:
    files: list[dict[str, Any]] = getattr(image, "files", [])
    return files
