"""Reads about pictures and about uploads on their way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    BigIntegerField,
    BooleanField,
    Count,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Cast, Coalesce, Extract, JSONObject

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import donor_uses, image_rules
from curation.core import jobs
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.core.pages import page
from curation.images import access, rules
from curation.images.models import (
    Image,
    ImageVerdict,
    NearPair,
    Rendition,
    Takedown,
    Upload,
    image_label,
    media_url,
)
from curation.lib.files import INCOMING
from curation.people.access import benchmark_for
from curation.people.models import Person

_LABEL: Final = re.compile(r"^\s*(?:img)?[-_ ]?0*(\d{1,9})\s*$", re.IGNORECASE)
_MICROSECONDS: Final = Cast(Extract("created_at", "epoch") * 1_000_000, BigIntegerField())


# --- Lists


def image_page(person: Person, slug: str, *, cursor: str | None, page_size: int, **wanted: Any) -> dict[str, Any]:
    """A page of a benchmark's pictures, newest first; two statements, whatever there is and whatever is asked for.

    Args:
        person: Who asks.
        slug: Where.
        cursor: What the previous page called ``next``.
        page_size: Rows a page.
        wanted: ``state``, ``category`` and ``subset`` by name, ``clear`` whether the mark is set, ``flag`` a flag's
            code, ``search`` a picture's label or number.
    """
    benchmark = benchmark_for(person, slug, "image_list")
    rows = access.images_visible_to(person, benchmark, "image_list").filter(_filter(wanted))
    if wanted.get("category"):
        # Looked up once: joined, the planner would read every picture of the benchmark.
        known = benchmark.categories.filter(slug=wanted["category"]).values("pk")[:1]
        rows = rows.filter(category=Subquery(known))
    found = page(_for_lists(rows), by="-number", cursor=cursor, page_size=page_size, count=False)
    return found | {"results": [describe(person, image) for image in found["results"]]}


def _filter(wanted: Mapping[str, Any]) -> Q:
    given = {name: value for name, value in wanted.items() if value not in (None, "")}
    condition = Q()
    for name in ("state", "subset"):
        if name in given:
            condition &= Q(**{name: given[name]})
    if "clear" in given:
        condition &= Q(pii_clear_by__isnull=not given["clear"])
    if "flag" in given:
        condition &= Q(flags__contains=[{"code": given["flag"]}])
    if "search" in given:
        number = _LABEL.match(given["search"])
        condition &= Q(number=int(number[1])) if number else Q(pk__in=[])
    return condition


def image_counts(person: Person, slug: str) -> dict[str, Any]:
    """How many pictures of each state, category and subset there are; of what the person may see."""
    benchmark = benchmark_for(person, slug, "image_counts")
    seen = access.images_visible_to(person, benchmark, "image_counts")
    state = Image.State
    everything = _kept(benchmark)
    if person.reach(benchmark.pk, "image_counts") is Reach.ALL:
        groups = everything
    else:
        clear = ExpressionWrapper(Q(pii_clear_by__isnull=False), output_field=BooleanField())
        rows = seen.order_by().annotate(clear=clear).values_list("state", "category_id", "subset", "clear")
        told = rows.annotate(n=Count("pk"))
        groups = [_Group(*row) for row in told]

    def count(**wanted: Any) -> int:
        return sum(g.n for g in groups if all(getattr(g, name) == value for name, value in wanted.items()))

    quota = image_rules(benchmark).quota
    own = seen.filter(state=state.RECEIVED, contributor=person).count()
    in_category: dict[str, Counter[int | None]] = {state.ACCEPTED: Counter(), state.RECEIVED: Counter()}
    for group in everything:
        if group.state in in_category:
            in_category[group.state][group.category_id] += group.n
    in_subset: Counter[str] = Counter()
    for group in groups:
        if group.state == state.ACCEPTED and group.subset and group.n:
            in_subset[group.subset] += group.n
    return {
        **{s.value: count(state=s) for s in state},
        "clear": count(clear=True),
        "to_judge": count(state=state.RECEIVED) - own,
        "by_category": [
            {
                "slug": slug,
                "accepted": in_category[state.ACCEPTED][pk],
                "received": in_category[state.RECEIVED][pk],
                "minimum": quota.per_category_minimum if quota else None,
                "target": quota.per_category_target if quota else None,
            }
            for pk, slug in benchmark.categories.order_by("number").values_list("pk", "slug")
        ],
        "by_subset": [{"subset": subset, "accepted": n} for subset, n in sorted(in_subset.items())],
    }


class _Group(NamedTuple):
    """So many pictures of a state, a category, a subset, with or without the mark."""

    state: str
    category_id: int | None
    subset: str
    clear: bool
    n: int


def _kept(benchmark: Benchmark) -> list[_Group]:
    """The numbers of a benchmark's pictures, which a room above keeps: by the relation that it leaves on benchmarks."""
    rows = benchmark.tallies.filter(of="image").order_by().values_list("state", "category_id", "subset", "clear")
    return [_Group(*row) for row in rows.annotate(total=Sum("n"))]


def images_to_judge(person: Person, benchmark: Benchmark) -> int:
    """How many pictures of others wait for a verdict: one statement."""
    received = benchmark.tallies.filter(of="image", state=Image.State.RECEIVED)
    own = Image.objects.filter(benchmark=benchmark, state=Image.State.RECEIVED, contributor=person)
    counted = own.order_by().values("benchmark").annotate(n=Count("pk")).values("n")
    total = Coalesce(Sum("n"), 0) - Coalesce(Subquery(counted), 0)
    return int(received.aggregate(n=total)["n"])


def images_described(person: Person, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Pictures as lists show them, by id, read anew after a change; one statement."""
    rows = _for_lists(Image.objects.filter(pk__in=ids))
    return {image.pk: describe(person, image) for image in rows}


def _for_lists(rows: QuerySet[Image]) -> QuerySet[Image]:
    return with_files(rows).select_related("category", "collected_for", "contributor")


# --- One picture


def image_detail(person: Person, image_id: int) -> dict[str, Any]:
    """One picture with everything decided about it; four statements.

    Raises:
        NotFound, OperationNotAllowed: See :func:`access.image_for`.
    """
    rows = with_files(Image.objects.all()).select_related("collected_for")
    image = access.image_for(person, image_id, "image_show", rows=rows)
    verdicts = ImageVerdict.objects.filter(image=image).select_related("judge").order_by("pk")
    takedowns = Takedown.objects.filter(image=image).select_related("by").order_by("no")
    return describe(person, image) | {
        "verdicts": list(verdicts),
        "takedowns": list(takedowns),
        "original_kept": image_rules(image.benchmark).keep_originals,
        "near": _near_in_full(person, image),
        "renditions": [r | {"url": media_url(image.pk, r["id"], r["role"], r["key"])} for r in _files(image)],
    }


def _near_in_full(person: Person, image: Image) -> list[dict[str, Any]]:
    """The pictures that look the same, as far as the person may see them, with what is needed side by side."""
    visible = access.images_visible_to(person, image.benchmark, "image_show")
    pairs = dict(NearPair.objects.filter(image=image, other__in=visible).values_list("other_id", "distance")[:20])
    found = []
    for other in with_files(visible.filter(pk__in=pairs)).select_related("contributor"):
        urls = _urls(other)
        found.append(
            {
                "id": other.pk,
                "label": other.label,
                "distance": pairs[other.pk],
                "thumb_url": urls[Rendition.Role.THUMB],
                "view_url": urls[Rendition.Role.VIEW],
                "clean_url": urls[Rendition.Role.CLEAN],
                "width": other.width,
                "height": other.height,
                "state": other.state,
                "contributor": other.contributor,
            }
        )
    return sorted(found, key=lambda n: (n["distance"], n["id"]))


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
    urls = _urls(image)
    near: list[dict[str, Any]] = getattr(image, "near_ones", [])
    counted = image.objects_all is not None
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
        "collected_for": image.collected_for,
        "subset": image.subset,
        "objects": {"all": image.objects_all, "listed": image.objects_listed, "main": image.objects_main}
        if counted
        else None,
        "verdict_no": image.verdict_no,
        "source": _NO_SOURCE | image.source,
        "licence": image.licence,
        "contributor": image.contributor,
        "personal_information_clear": image.pii_clear_by_id is not None,
        "flags": image.flags,
        "near": [{"id": n["id"], "label": image_label(n["number"]), "distance": n["distance"]} for n in near],
        "created_at": image.created_at,
        "available_actions": access.actions(person, image),
    }


# What pictures that came in before a question was asked say to it.
_NO_SOURCE: Final = {"site": "", "url": "", "author": "", "uses": None, "waived": False, "donor_consent": False}


def _files(image: Image) -> list[dict[str, Any]]:
    files: list[dict[str, Any]] = getattr(image, "files", [])
    return files


def _urls(image: Image) -> dict[str, str]:
    return {r["role"]: media_url(image.pk, r["id"], r["role"], r["key"]) for r in _files(image)}


# --- Uploads


def upload_page(
    person: Person, slug: str, *, state: str | None, ids: list[UUID] | None, cursor: str | None, page_size: int
) -> dict[str, Any]:
    """A page of the person's uploads, newest first, and whether somebody is there to check them.

    Five statements: benchmark, page, near pictures, what waits, the worker.
    """
    benchmark = benchmark_for(person, slug, "upload_list")
    rows = access.uploads_of(person, benchmark, "upload_list").exclude(state=Upload.State.DROPPED)
    if state:
        rows = rows.filter(state=state)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    # Ids are random; the order of arrival is a number all the same: microseconds since 1970.
    rows = rows.select_related("image").annotate(arrived=_MICROSECONDS)
    found = page(rows, by="-arrived", cursor=cursor, page_size=page_size, count=False)
    waiting = Upload.objects.filter(person=person, benchmark=benchmark, state=Upload.State.CHECKING)
    return found | {
        "results": describe_uploads(person, benchmark, found["results"]),
        "worker_alive": jobs.last_seen("default")["alive"],
        "waiting": waiting.count(),
    }


def uploads_described(person: Person, slug: str, ids: Sequence[UUID]) -> list[dict[str, Any]]:
    """Some of the person's uploads, in the order asked for."""
    benchmark = benchmark_for(person, slug, "upload_list")
    rows = access.uploads_of(person, benchmark, "upload_list").filter(pk__in=ids).select_related("image")
    by_id = {upload.pk: upload for upload in rows}
    return describe_uploads(person, benchmark, [by_id[i] for i in ids if i in by_id])


def describe_uploads(person: Person, benchmark: Any, uploads: Sequence[Upload]) -> list[dict[str, Any]]:
    """Uploads as their sender sees them."""
    limits, uses = image_rules(benchmark), donor_uses(benchmark)
    near = _near_thumbs(person, benchmark, uploads)
    return [_describe_upload(upload, near, rules.missing(upload.details, limits, uses=uses)) for upload in uploads]


def _describe_upload(upload: Upload, near: Mapping[int, dict[str, Any]], lacking: list[str]) -> dict[str, Any]:
    cleaned = upload.cleaned or {}
    ready = upload.state == Upload.State.READY
    return {
        "id": upload.pk,
        "filename": upload.filename,
        "bytes": upload.bytes,
        "received": upload.received,
        "kind": upload.kind,
        "parent": upload.parent_id,
        "state": upload.state,
        "checks": upload.checks,
        "error": {"code": upload.error_code, "params": upload.error_params} if upload.error_code else None,
        "details": upload.details,
        "missing": lacking if upload.kind == "picture" else [],
        "width": cleaned.get("width"),
        "height": cleaned.get("height"),
        "thumb_url": f"/api/v1/uploads/{upload.pk}/thumb" if ready else None,
        "near": [
            near[image_id] | {"distance": bits} for image_id, _, bits, _ in cleaned.get("near", []) if image_id in near
        ],
        "image": {"id": upload.image.pk, "label": upload.image.label} if upload.image else None,
        "expires_at": upload.expires_at,
    }


def _near_thumbs(person: Person, benchmark: Any, uploads: Sequence[Upload]) -> dict[int, dict[str, Any]]:
    """The pictures that waiting uploads look like; only those that their sender may see."""
    ids = {n[0] for u in uploads if u.state == Upload.State.READY for n in (u.cleaned or {}).get("near", [])}
    if not ids:
        return {}
    visible = access.images_visible_to(person, benchmark, "image_list").filter(pk__in=ids)
    standing = visible.exclude(state__in=[Image.State.REFUSED, Image.State.WITHDRAWN])
    files = Rendition.objects.filter(image__in=standing, role=Rendition.Role.THUMB).select_related("image")
    return {
        file.image_id: {
            "id": file.image_id,
            "label": file.image.label,
            "thumb_url": media_url(file.image_id, file.pk, file.role, file.key),
        }
        for file in files
    }


def staged_thumb(person: Person, upload_id: UUID) -> Path:
    """Where the thumb of a checked upload lies.

    Raises:
        NotFound: There is none, or it is somebody else's.
    """
    upload = access.upload_for(person, upload_id, "upload_list")
    name: str | None = next((f["name"] for f in (upload.cleaned or {}).get("files", []) if f["role"] == "thumb"), None)
    if upload.state != Upload.State.READY or name is None:
        raise NotFound
    place: Path = Path(settings.MEDIA_ROOT) / INCOMING / str(upload.pk) / name
    return place
