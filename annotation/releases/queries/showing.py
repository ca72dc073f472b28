"""What pages show of releases."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Case, Count, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from annotation.items.models import Item
from annotation.releases import access, rules
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage
from annotation.releases.queries.contents import split_counts
from annotation.releases.queries.snapshots import settings_of, snapshot
from annotation.releases.rules import Gate
from curation.core.models import Job
from curation.core.pages import page
from curation.images.access import image_for
from curation.people.access import benchmark_for
from curation.people.models import Person


def with_counts(rows: QuerySet[Release]) -> QuerySet[Any]:
    """Add ``n_images`` and ``n_items``: what a frozen release holds, what a draft would hold now."""
    accepted = Item.objects.filter(
        benchmark_id=OuterRef("benchmark_id"), kind=OuterRef("kind"), state=Item.State.ACCEPTED
    )
    entries = ReleaseEntry.objects.filter(release_id=OuterRef("pk"))
    images = ReleaseImage.objects.filter(release_id=OuterRef("pk"))
    draft = Release.State.DRAFT
    return rows.annotate(
        n_items=Case(When(state=draft, then=_count(accepted, "pk")), default=_count(entries, "item_id")),
        n_images=Case(When(state=draft, then=_count(accepted, "image_id")), default=_count(images, "image_id")),
    )


def _count(rows: QuerySet[Any], column: str) -> Coalesce:
    """Count different values of a column in a correlated subquery."""
    one_group = rows.order_by().annotate(all=Value(1)).values("all")
    counted = one_group.annotate(n=Count(column, distinct=True)).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _row(release: Release, *, images: int, items: int) -> dict[str, Any]:
    """A release as lists and commands show it."""
    return {
        "id": release.pk,
        "benchmark_id": release.benchmark_id,
        "number": release.number,
        "label": release.label,
        "kind": release.kind,
        "state": release.state,
        "seed": str(release.seed),
        "created_at": release.created_at,
        "frozen_at": release.frozen_at,
        "digest": release.digest or None,
        "images": images,
        "items": items,
    }


def release_row(release_id: int) -> dict[str, Any]:
    """One release as lists show it, for the answer of a command."""
    release = with_counts(Release.objects.all()).get(pk=release_id)
    return _row(release, images=release.n_images, items=release.n_items)


def releases_page(person: Person, slug: str, *, cursor: str | None, page_size: int) -> dict[str, Any]:
    """A page of a benchmark's releases, newest first."""
    benchmark = benchmark_for(person, slug, "release_list")
    rows = with_counts(access.releases_visible_to(person, benchmark, "release_list"))
    found = page(rows, by="-number", cursor=cursor, page_size=page_size)
    return found | {"results": [_row(r, images=r.n_images, items=r.n_items) for r in found["results"]]}


def release_detail(person: Person, release_id: int) -> dict[str, Any]:
    """A release with its gates, splits, files and the job that writes them.

    A draft's gates and splits are those it would be frozen with at this moment; a frozen release has passed its gates.
    """
    release = access.release_for(person, release_id, "release_show")
    settings = settings_of(release.protocol_id)
    gates: list[Gate] = []
    if release.state == Release.State.DRAFT:
        now = snapshot(release.benchmark_id, release.kind)
        drawn = now.splits(settings.shares, release.seed)
        gates = rules.failures(now, settings, drawn)
        images, items = Counter(drawn.values()), Counter(drawn[c.picture.number] for c in now.candidates)
    else:
        images, items = split_counts(release)
    return _row(release, images=images.total(), items=items.total()) | {
        "splits": [{"name": name, "images": images[name], "items": items[name]} for name in settings.shares],
        "gates": [gate_row(release, gate) for gate in gates],
        "files": list(ReleaseFile.objects.filter(release=release).order_by("name")),
        "job": Job.objects.filter(pk=release.job_id).first() if release.job_id else None,
    }


def releases_of_image(person: Person, image_id: int) -> list[dict[str, Any]]:
    """The frozen releases that hold a picture, newest first: what taking it down cannot change any more.

    Raises:
        NotFound, OperationNotAllowed.
    """
    image = image_for(person, image_id, "image_releases")
    rows = ReleaseImage.objects.filter(image=image).select_related("release").order_by("-release__number")
    return [
        {
            "id": row.release.pk,
            "label": row.release.label,
            "state": row.release.state,
            "split": row.split,
            "frozen_at": row.release.frozen_at,
        }
        for row in rows[:100]
    ]


def gate_row(release: Release, gate: Gate) -> dict[str, Any]:
    """A failed gate with the page where it can be mended."""
    base = f"/b/{release.benchmark.slug}"
    link = f"{base}/packages" if gate.picture_id is None else f"{base}/pictures/{gate.picture_id}"
    return {"code": gate.code, "params": gate.params, "label": gate.label, "link": link}
