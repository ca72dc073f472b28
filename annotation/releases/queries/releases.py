"""Releases as pages show them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    Case,
    Count,
    Exists,
    IntegerField,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from annotation.items.models import Item
from annotation.releases import access, rules, states
from annotation.releases.errors import ReleaseFileGone
from annotation.releases.exporters import archive, registry
from annotation.releases.exporters.cells import line
from annotation.releases.models import Release, ReleaseFile, ReleaseImage, ReleaseKind, ReleaseOutlook
from annotation.releases.queries.archives import ArchiveToSend
from annotation.releases.queries.contents import covered_pictures, missing_of, split_counts
from annotation.releases.queries.outlooks import EMPTY, INLINE, accepted_items, gate_row, outlook
from annotation.releases.queries.snapshots import current_failures, kinds_of, settings_of
from annotation.releases.rules import GateFailure, Settings
from annotation.releases.shapes import (
    ArchiveRow,
    ImageReleaseRow,
    KindOutlook,
    LeftOutRow,
    OutlookContent,
    ReleaseDetail,
    ReleaseFileRow,
    ReleaseKindDetail,
    ReleasePage,
    ReleaseRow,
    SplitRow,
)
from annotation.tallies.models import Tally
from curation.core.models import Job
from curation.core.pages import cut_page
from curation.core.shapes import job_answer
from curation.core.transitions import available_actions
from curation.images.access import image_for
from curation.people.access import benchmark_for
from curation.people.models import Person

# A picture is in few releases; this bounds the answer.
_MOST_OF_IMAGE: Final = 100
# States in which a release has no content yet.
_NOT_FROZEN: Final = (Release.State.DRAFT, Release.State.CHECKED)


def with_counts(rows: QuerySet[Release]) -> QuerySet[Any]:
    """Annotate ``n_images`` and ``n_items``, what a release that is not frozen would hold now, and ``has_job``.

    The items come from the tallies. The pictures are counted up to ``INLINE`` items, otherwise those of the last check.
    """
    kinds = ReleaseKind.objects.filter(release=OuterRef(OuterRef("pk"))).order_by().values("kind")
    of_kinds = {"benchmark_id": OuterRef("benchmark_id"), "kind__in": kinds, "state": Item.State.ACCEPTED}
    accepted = Tally.objects.filter(of="item", **of_kinds).order_by().values("state").annotate(total=Sum("n"))
    pictures = _count(Item.objects.filter(**of_kinds, copy_no=0), "image_id")
    checked = ReleaseOutlook.objects.filter(release_id=OuterRef("pk")).values("image_count")
    return rows.annotate(
        n_items=Case(
            When(state__in=_NOT_FROZEN, then=Coalesce(Subquery(accepted.values("total")), 0)),
            output_field=IntegerField(),
        ),
        n_images=Case(
            When(state__in=_NOT_FROZEN, n_items__gt=INLINE, then=Subquery(checked)),
            When(state__in=_NOT_FROZEN, then=pictures),
        ),
        has_job=Exists(_open_jobs().filter(pk=OuterRef("job_id"))),
        kind_names=ArraySubquery(ReleaseKind.objects.filter(release=OuterRef("pk")).order_by("place").values("kind")),
    )


def _count(rows: QuerySet[Any], column: str) -> Coalesce:
    """Count the distinct values of a column in a correlated subquery."""
    one_group = rows.order_by().annotate(all=Value(1)).values("all")
    counted = one_group.annotate(n=Count(column, distinct=True)).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _open_jobs() -> QuerySet[Job]:
    return Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])


def has_open_job(release: Release) -> bool:
    """Whether a job of this release is queued or running."""
    return release.job_id is not None and _open_jobs().filter(pk=release.job_id).exists()


def is_in_work(release: Release) -> bool:
    """Whether a job that checks a draft or freezes a checked release is queued or running."""
    return release.state in _NOT_FROZEN and has_open_job(release)


def _row(
    viewer: Person, release: Any, *, kinds: Sequence[str], has_job: bool, images: int | None, items: int
) -> ReleaseRow:
    """A release in lists and after commands; nothing can be done with it while a worker checks or freezes it."""
    actions = available_actions(
        states.TABLE, release.state, may=lambda operation: viewer.may(release.benchmark_id, operation)
    )
    return {
        "id": release.pk,
        "number": release.number,
        "label": release.label,
        "kinds": list(kinds),
        "state": release.state,
        "checking": has_job and release.state == Release.State.DRAFT,
        "freezing": has_job and release.state == Release.State.CHECKED,
        "seed": str(release.seed),
        "created_at": release.created_at,
        "frozen_at": release.frozen_at,
        "published_at": release.published_at,
        "digest": release.digest or None,
        "images": images,
        "items": items,
        "available_actions": [] if has_job and release.state in _NOT_FROZEN else actions,
    }


def _counted_row(viewer: Person, release: Any) -> ReleaseRow:
    """A release of :func:`with_counts`."""
    images, items = release.n_images, release.n_items
    if release.state not in _NOT_FROZEN:
        counts = split_counts(release).values()
        images, items = sum(n.images for n in counts), sum(n.items for n in counts)
    return _row(viewer, release, kinds=release.kind_names, has_job=release.has_job, images=images, items=items)


def saved_release(person: Person, release: Release) -> ReleaseRow:
    """A release after its settings were saved."""
    return _counted_row(person, with_counts(Release.objects.all()).get(pk=release.pk))


def moved_release(person: Person, release: Release) -> ReleaseDetail:
    """A release after a command that moved it or started a job."""
    return release_detail(person, release.pk)


def release_page(person: Person, benchmark_slug: str, *, cursor: str | None = None, page_size: int) -> ReleasePage:
    """List the releases of a benchmark, newest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "release_list")
    rows = with_counts(access.releases_visible_to(person, benchmark, "release_list"))
    releases, page = cut_page(rows, by="-number", cursor=cursor, page_size=page_size)
    return {"results": [_counted_row(person, release) for release in releases], **page}


def release_detail(person: Person, release_id: int) -> ReleaseDetail:
    """Show a release with its gates, splits, files and the job that checks or freezes it or writes its files.

    Gates, splits and what is left out are current until the release is frozen, or those of the last check where it has
    more than ``INLINE`` items; a frozen release passed its gates.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release: Any = access.release_for(person, release_id, "release_show")
    job, is_open = _job_of(release)
    if release.state in _NOT_FROZEN and job is not None and not is_open:
        # The job may have ended after the state was read. A page that polls until the job ends would then stop at
        # the old state.
        release = access.release_for(person, release_id, "release_show")
        job, is_open = _job_of(release)
    settings, kinds = settings_of(release.protocol_id), kinds_of(release)
    content, kept, is_computed, accepted = EMPTY, None, True, 0
    files: list[ReleaseFile] = []
    covered = 0
    if release.state not in _NOT_FROZEN:
        covered = covered_pictures(release)
        content = _frozen_content(release, kinds)
        files = list(ReleaseFile.objects.filter(release=release).order_by("name"))
    elif (accepted := accepted_items(release)) > INLINE:
        kept = ReleaseOutlook.objects.filter(release=release).first()
        content, is_computed = (kept.content, True) if kept else (EMPTY, False)
    else:  # a page that polls until the job ends need not compare all questions each time
        content = outlook(release, with_warnings=not is_open)
    images, items = content["images"], Counter[str]()
    for of_kind in content["kinds"].values():
        items.update(of_kind["items"])
    row = _row(
        person,
        release,
        kinds=[own.kind for own in kinds],
        has_job=is_open,
        images=sum(images.values()) if is_computed else None,
        items=items.total() if is_computed else accepted,
    )
    by_kind = [_kind_detail(release, own, content["kinds"].get(own.kind), settings) for own in kinds]
    return {
        **row,
        "protocol_version": release.protocol.version,
        "splits_from": release.splits_from,
        "notes": release.notes,
        "checked_at": release.checked_at,
        "withdrawn_at": release.withdrawn_at,
        "withdrawn_reason": release.withdrawn_reason,
        "is_computed": is_computed,
        "as_of": kept.computed_at if kept else None,
        "gates": content["gates"],
        "gate_counts": content["gate_counts"],
        "warnings": content["warnings"],
        "by_kind": by_kind,
        "splits": _split_rows(settings, images, items),
        "formats": list(dict.fromkeys(name for detail in by_kind for name in detail["formats"])),
        "files": [_file_row(file, covered) for file in files if file.format != archive.FORMAT],
        "archive": None if covered else _archive_row(release, files),
        "missing_files": missing_of(release, {file.name for file in files}),
        "covered_pictures": covered,
        "changes": release.changes,
        "job": job_answer(job) if job else None,
    }


def _frozen_content(release: Release, kinds: Sequence[ReleaseKind]) -> OutlookContent:
    """What a frozen release holds, in the form of an outlook."""
    by_kind: dict[str, KindOutlook] = {}
    for own in kinds:
        counts = split_counts(own)
        by_kind[own.kind] = {
            "left_out": own.left_out,
            "images": {name: n.images for name, n in counts.items()},
            "items": {name: n.items for name, n in counts.items()},
        }
    images = {name: n.images for name, n in split_counts(release).items()}
    return {**EMPTY, "images": images, "kinds": by_kind}


def _kind_detail(
    release: Release, own: ReleaseKind, content: KindOutlook | None, settings: Settings
) -> ReleaseKindDetail:
    """A kind of a release; without content it is not computed yet."""
    images, items = (content["images"], content["items"]) if content else ({}, {})
    return {
        "kind": own.kind,
        "digest": own.digest or None,
        "images": sum(images.values()) if content else None,
        "items": sum(items.values()),
        "previous": {"id": own.previous.pk, "label": own.previous.label} if own.previous else None,
        "left_out": [_left_out_row(release, own.kind, code, n) for code, n in content["left_out"].items()]
        if content
        else [],
        "splits": _split_rows(settings, images, items),
        "formats": registry.formats_of(settings.exporters, own.kind),
        "changes": own.changes,
    }


def _split_rows(settings: Settings, images: Mapping[str, int], items: Mapping[str, int]) -> list[SplitRow]:
    return [
        {
            "name": name,
            "images": images.get(name, 0),
            "items": items.get(name, 0),
            "withheld": name in settings.withheld,
        }
        for name in settings.shares
    ]


def _job_of(release: Release) -> tuple[Job | None, bool]:
    """The newest job of a release, and whether it is queued or running."""
    job = Job.objects.filter(pk=release.job_id).first() if release.job_id else None
    return job, job is not None and job.state in (Job.State.QUEUED, Job.State.RUNNING)


def _file_row(file: ReleaseFile, covered: int) -> ReleaseFileRow:
    return {
        "name": file.name,
        "format": file.format,
        "kind": file.kind,
        "is_key": file.is_key,
        "is_destroyed": bool(covered) and registry.holds_pictures(file.name),
        "bytes": file.bytes,
        "sha256": file.sha256,
        "url": f"/api/v1/releases/{file.release_id}/{'keys' if file.is_key else 'files'}/{file.name}",
    }


def _archive_row(release: Release, files: Sequence[ReleaseFile]) -> ArchiveRow | None:
    index = next((file for file in files if file.format == archive.FORMAT), None)
    if index is None or release.state == Release.State.WITHDRAWN:
        return None
    try:
        whole = ArchiveToSend(release, index)
    except ReleaseFileGone:
        return None
    return {"files": whole.files, "bytes": whole.size, "url": f"/api/v1/releases/{release.pk}/archive.zip"}


def _left_out_row(release: Release, kind: str, code: str, n: int) -> LeftOutRow:
    """A count of what is left out for one reason, with the page that lists what there is of it now."""
    state = rules.LEFT_OUT[code]
    listing = "pictures?state=accepted" if state == "no_item" else f"items?kind={kind}&state={state}"
    return {"code": code, "n": n, "link": f"/b/{release.benchmark.slug}/{listing}"}


def releases_of_image(person: Person, image_id: int) -> list[ImageReleaseRow]:
    """List the frozen releases that hold a picture, newest first; withdrawing the picture does not change them.

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
        for row in rows[:_MOST_OF_IMAGE]
    ]


class File(NamedTuple):
    """A file to send."""

    name: str
    content: bytes


def gate_table(person: Person, release_id: int) -> File:
    """Every failure that prevents freezing a release, as comma-separated values.

    One line per failure: the gate, the item, picture or category, the page where people can fix it, and the gate's
    values as JSON. A frozen release has no lines.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release = access.release_for(person, release_id, "release_gates")
    failures = current_failures(release, most=None) if release.state in _NOT_FROZEN else []
    rows = [(failure.code, failure.label, gate_row(release, failure)["link"], _values(failure)) for failure in failures]
    lines = [line(["gate", "object", "page", "values"]), *(line(row) for row in rows)]
    return File(f"{release.label}-gates.csv", b"".join(lines))


def _values(failure: GateFailure) -> str:
    values = {name: value for name, value in failure.params.items() if name != "total"}
    return json.dumps(values, ensure_ascii=False)


def benchmark_counts() -> dict[str, Coalesce]:
    """The number of a benchmark's releases, as an expression on its row."""
    rows = Release.objects.filter(benchmark=OuterRef("pk")).order_by().values("benchmark")
    count = Subquery(rows.annotate(total=Count("pk")).values("total"), output_field=IntegerField())
    return {"releases": Coalesce(count, 0)}
