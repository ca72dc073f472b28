"""What pages show of releases."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from annotation.items.models import Item
from annotation.releases import access, rules
from annotation.releases.exporters.cells import line
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage
from annotation.releases.queries.contents import missing_of, split_counts
from annotation.releases.queries.snapshots import gates_now, settings_of, snapshot_of
from annotation.releases.rules import Gate
from curation.core.models import Job
from curation.core.pages import page
from curation.images.access import image_for
from curation.people.access import benchmark_for
from curation.people.models import Person


def with_counts(rows: QuerySet[Release]) -> QuerySet[Any]:
    """Add ``n_images`` and ``n_items``, what a frozen release holds or another would hold now, and ``freezing``."""
    accepted = Item.objects.filter(
        benchmark_id=OuterRef("benchmark_id"), kind=OuterRef("kind"), state=Item.State.ACCEPTED
    )
    entries = ReleaseEntry.objects.filter(release_id=OuterRef("pk"))
    images = ReleaseImage.objects.filter(release_id=OuterRef("pk"))
    return rows.annotate(
        n_items=Case(When(state__in=_OPEN, then=_count(accepted, "pk")), default=_count(entries, "item_id")),
        n_images=Case(When(state__in=_OPEN, then=_count(accepted, "image_id")), default=_count(images, "image_id")),
        freezing=Exists(_open_jobs().filter(pk=OuterRef("job_id"))) & Q(state=Release.State.CHECKED),
    )


# States in which a release holds nothing yet.
_OPEN: Final = (Release.State.DRAFT, Release.State.CHECKED)


def _open_jobs() -> QuerySet[Job]:
    return Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])


def has_open_job(release: Release) -> bool:
    """Whether a worker has, or is to get, this release in hand."""
    return release.job_id is not None and _open_jobs().filter(pk=release.job_id).exists()


def is_being_frozen(release: Release) -> bool:
    """Whether a worker is freezing, or is to freeze, it; the only job there is before it is frozen."""
    return release.state == Release.State.CHECKED and has_open_job(release)


def _count(rows: QuerySet[Any], column: str) -> Coalesce:
    """Count different values of a column in a correlated subquery."""
    one_group = rows.order_by().annotate(all=Value(1)).values("all")
    counted = one_group.annotate(n=Count(column, distinct=True)).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _row(release: Any, *, images: int, items: int) -> dict[str, Any]:
    """A release as lists and commands show it."""
    return {
        "id": release.pk,
        "benchmark_id": release.benchmark_id,
        "number": release.number,
        "label": release.label,
        "kind": release.kind,
        "state": release.state,
        "freezing": release.freezing,
        "seed": str(release.seed),
        "created_at": release.created_at,
        "frozen_at": release.frozen_at,
        "published_at": release.published_at,
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
    """A release with its gates, splits, files and the job that freezes it or writes them.

    Gates, splits and what is left out of a release that is not frozen are those it would be frozen with at this
    moment, whether it was checked or not; a frozen release has passed its gates.
    """
    release: Any = access.release_for(person, release_id, "release_show")
    job, is_open = _job_of(release)
    if release.state == Release.State.CHECKED and job is not None and not is_open:
        # It may have ended after the state was read; whoever waits for it would wait for ever.
        release = access.release_for(person, release_id, "release_show")
        job, is_open = _job_of(release)
    release.freezing = release.state == Release.State.CHECKED and is_open
    settings = settings_of(release.protocol_id)
    gates: list[Gate] = []
    files: list[ReleaseFile] = []
    if release.state in _OPEN:
        now = snapshot_of(release)
        drawn = now.splits(settings, release.seed)
        gates, left_out = rules.failures(now, settings, drawn), now.left_out()
        images, items = Counter(drawn.values()), Counter(drawn[c.picture.number] for c in now.candidates)
    else:
        images, items = split_counts(release)
        left_out = release.left_out
        files = list(ReleaseFile.objects.filter(release=release).order_by("name"))
    return _row(release, images=images.total(), items=items.total()) | {
        "protocol_version": release.protocol.version,
        "splits_from": release.splits_from,
        "notes": release.notes,
        "checked_at": release.checked_at,
        "withdrawn_at": release.withdrawn_at,
        "withdrawn_reason": release.withdrawn_reason,
        "previous": release.previous,
        "gates": [gate_row(release, gate) for gate in gates],
        "gate_counts": [{"code": code, "n": n} for code, n in rules.count_gates(gates).items()],
        "left_out": [_left_out_row(release, code, n) for code, n in left_out.items()],
        "splits": [
            {"name": name, "images": images[name], "items": items[name], "withheld": name in settings.withheld}
            for name in settings.shares
        ],
        "formats": list(settings.exporters),
        "files": files,
        "missing_files": missing_of(release, {file.name for file in files}),
        "changes": release.changes,
        "job": job,
    }


def _job_of(release: Release) -> tuple[Job | None, bool]:
    """The job that freezes a release or writes its files, and whether it is still to end."""
    job = Job.objects.filter(pk=release.job_id).first() if release.job_id else None
    return job, job is not None and job.state in (Job.State.QUEUED, Job.State.RUNNING)


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


def gate_lines(person: Person, release_id: int) -> tuple[str, bytes]:
    """Everything that keeps a release from being frozen as a table, however much it is; its name and its bytes.

    A line each: the check, what failed, the page where it is mended, what the check found as JSON. What is frozen has
    passed.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release = access.release_for(person, release_id, "release_gates")
    gates = gates_now(release, most=None) if release.state in _OPEN else []
    rows = [
        (gate.code, gate.label, gate_row(release, gate)["link"], json.dumps(_found(gate), ensure_ascii=False))
        for gate in gates
    ]
    lines = [line(["gate", "what", "page", "found"]), *(line(row) for row in rows)]
    return f"{release.label}-to-settle.csv", b"".join(lines)


def _found(gate: Gate) -> dict[str, Any]:
    return {name: value for name, value in gate.params.items() if name != "total"}


def gate_row(release: Release, gate: Gate) -> dict[str, Any]:
    """A failed gate with the page where it can be mended."""
    link = f"/b/{release.benchmark.slug}{gate.path}"
    return {"code": gate.code, "params": gate.params, "label": gate.label, "link": link}


def _left_out_row(release: Release, code: str, n: int) -> dict[str, Any]:
    """So many things that are not in a release, with the page that lists them as they are now."""
    state = rules.LEFT_OUT[code]
    page_of_them = "pictures?state=accepted" if state == "no_item" else f"items?kind={release.kind}&state={state}"
    return {"code": code, "n": n, "link": f"/b/{release.benchmark.slug}/{page_of_them}"}
