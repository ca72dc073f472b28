"""Reads about imports, and the pictures and items that rows refer to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Max, OuterRef, Q, Subquery

from annotation.imports import access
from annotation.imports.models import Import, ImportRow
from annotation.imports.rules import PictureReference
from annotation.imports.shapes import ImportDetail, ImportPage, ImportReportPage, ImportReportRow
from annotation.items.models import FREES_SLOT, Draft, Item, ItemRevision
from annotation.packages.models import Package, PackageItem
from curation.core.models import Job
from curation.core.pages import cut_page
from curation.core.shapes import job_answer
from curation.images.models import Image, Rendition, Upload, current_renditions
from curation.people.access import benchmark_for
from curation.people.models import Person, Team
from curation.people.shapes import person_brief, team_brief


def import_page(person: Person, benchmark_slug: str, *, cursor: str | None = None, page_size: int) -> ImportPage:
    """List a benchmark's imports, newest first.

    Three statements.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "import_list")
    rows = access.imports_visible_to(person, benchmark, "import_list")
    imports, facts = cut_page(rows, by="-id", cursor=cursor, page_size=page_size)
    jobs = {job.pk: job for job in Job.objects.filter(pk__in=[row.job_id for row in imports])}
    return {
        **facts,
        "results": [_import_detail(row, jobs.get(row.job_id or 0)) for row in imports],
        "maximum_bytes": settings.IMPORT_LIMIT_BYTES,
    }


def import_detail(person: Person, import_id: int) -> ImportDetail:
    """Show an import and its progress.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return import_answer(access.import_for(person, import_id, "import_show"))


def import_answer(imported: Import) -> ImportDetail:
    """Show an import that the caller has read or created."""
    return _import_detail(imported, Job.objects.filter(pk=imported.job_id or 0).first())


def _import_detail(row: Import, job: Job | None) -> ImportDetail:
    return {
        "id": row.pk,
        "kind": row.kind,
        "team": team_brief(row.team) if row.team else None,
        "format": row.format,
        "target": row.target,
        "name": row.name,
        "bytes": row.bytes,
        "reason": row.reason,
        "created_by": person_brief(row.created_by),
        "created_at": row.created_at,
        "finished_at": row.finished_at,
        "counts": {
            "rows": row.counts.get("rows", 0),
            "made": row.counts.get("made", 0),
            "drafted": row.counts.get("drafted", 0),
            "unchanged": row.counts.get("unchanged", 0),
            "refused": row.counts.get("refused", 0),
        },
        "job": job_answer(job) if job else None,
    }


def row_page(
    person: Person, import_id: int, *, outcome: str | None = None, cursor: str | None = None, page_size: int
) -> ImportReportPage:
    """List the outcomes of an import's rows, in the order of the file.

    Raises:
        NotFound, OperationNotAllowed.
    """
    imported = access.import_for(person, import_id, "import_rows")
    rows = ImportRow.objects.filter(import_of=imported).select_related("item")
    if outcome is not None:
        rows = rows.filter(outcome=outcome)
    report, facts = cut_page(rows, by="line", cursor=cursor, page_size=page_size)
    return {**facts, "results": [_report_row(row) for row in report]}


def _report_row(row: ImportRow) -> ImportReportRow:
    return {
        "line": row.line,
        "outcome": row.outcome,
        "label": row.label,
        "code": row.code or None,
        "params": row.params,
        "item": {"id": row.item.pk, "label": row.item.label} if row.item else None,
    }


# --- Pictures and items of a block of rows ----------------------------------------------------------------------------


def last_reported_line(import_id: int) -> int:
    """The line of the last row with an outcome; 0 before the first."""
    return ImportRow.objects.filter(import_of_id=import_id).aggregate(n=Max("line"))["n"] or 0


def find_pictures(benchmark_id: int, references: Sequence[PictureReference]) -> list[list[Image]]:
    """Find the pictures of each reference: none, one, or several that share a file name.

    A digest takes precedence over a label, a label over a file name. There is no fallback from a digest without a
    picture to the label, because every benchmark numbers its pictures by itself.
    """
    rows = Image.objects.filter(benchmark_id=benchmark_id).select_related("team", "category")
    digests = {r.sha256 for r in references if r.sha256}
    by_digest: dict[str, dict[int, Image]] = defaultdict(dict)
    if digests:
        for image in rows.filter(sha256__in=digests).exclude(state=Image.State.REFUSED):
            by_digest[image.sha256][image.pk] = image
        current = Rendition.objects.filter(current_renditions(), image__benchmark_id=benchmark_id, role="clean")
        clean = current.filter(sha256__in=digests)
        for rendition in clean.exclude(image__state=Image.State.REFUSED).select_related(
            "image__team", "image__category"
        ):
            by_digest[rendition.sha256][rendition.image_id] = rendition.image
    numbers = {r.number for r in references if not r.sha256 and r.number is not None}
    by_number = {image.number: image for image in rows.filter(number__in=numbers)} if numbers else {}
    by_filename = _pictures_by_filename(
        benchmark_id, {file for r in references if not r.sha256 and r.number is None for file in r.files}
    )
    pictures = []
    for reference in references:
        if reference.sha256:
            pictures.append(list(by_digest[reference.sha256].values()))
        elif reference.number is not None:
            pictures.append([by_number[reference.number]] if reference.number in by_number else [])
        else:
            pictures.append(next((list(by_filename[f].values()) for f in reference.files if f in by_filename), []))
    return pictures


def _pictures_by_filename(benchmark_id: int, filenames: Iterable[str]) -> dict[str, dict[int, Image]]:
    """Pictures by the file name under which they were uploaded, then by id."""
    storable = {name for name in filenames if "\0" not in name and name.isprintable()}
    pictures: dict[str, dict[int, Image]] = {}
    if storable:
        uploads = Upload.objects.filter(benchmark_id=benchmark_id, filename__in=storable, image__isnull=False)
        for upload in uploads.exclude(image__state=Image.State.REFUSED).select_related(
            "image__team", "image__category"
        ):
            if upload.image is not None:
                pictures.setdefault(upload.filename, {})[upload.image.pk] = upload.image
    return pictures


@dataclass(slots=True)
class ExistingItem:
    """An item that a row may change.

    Attributes:
        item: Locked.
        content: Of its newest revision.
        package: The package that holds it.
        imported_draft: The content of a draft that an earlier import saved for the newest revision.
        draft_seq: The sequence number of the importer's own draft row.
        has_own_draft: Whether the importer typed that draft themselves.
    """

    item: Item
    content: Mapping[str, Any] | None = None
    package: Package | None = None
    imported_draft: Mapping[str, Any] | None = None
    draft_seq: int = 0
    has_own_draft: bool = False


def lock_existing_items(
    benchmark_id: int, kind: str, image_ids: Iterable[int], author_id: int
) -> dict[tuple[int, int], ExistingItem]:
    """Lock the items of pictures; return them by (picture, slot), of which a discarded item has none.

    Four statements.
    """
    ids = set(image_ids)
    items = Item.objects.filter(benchmark_id=benchmark_id, kind=kind, image_id__in=ids, copy_no=0)
    items = items.exclude(excluded_for__in=FREES_SLOT)
    locked = list(items.select_for_update(of=("self",), no_key=True).order_by("pk"))
    by_id = {item.pk: ExistingItem(item) for item in locked}
    newest = ItemRevision.objects.filter(item_id=OuterRef("pk"), no=OuterRef("revision_no")).values("content")[:1]
    for pk, content in items.filter(pk__in=by_id).annotate(newest=Subquery(newest)).values_list("pk", "newest"):
        by_id[pk].content = content
    for member in PackageItem.objects.filter(item_id__in=by_id, active=True).select_related("package"):
        by_id[member.item_id].package = member.package
    for draft in Draft.objects.filter(Q(brought_in=True) | Q(author_id=author_id), item_id__in=by_id):
        existing = by_id[draft.item_id]
        if draft.brought_in and draft.base_no == existing.item.revision_no:
            existing.imported_draft = draft.content
        if draft.author_id == author_id:
            existing.draft_seq, existing.has_own_draft = draft.seq, not draft.brought_in
    return {(e.item.image_id, e.item.slot): e for e in by_id.values()}


def open_teams(benchmark_id: int) -> list[Team]:
    """The open teams of a benchmark."""
    return list(Team.objects.filter(benchmark_id=benchmark_id, closed_at=None))


def imported_texts(benchmark_id: int, kind: str, image_ids: Iterable[int]) -> list[ItemRevision]:
    """The texts that were imported for pictures, each with its item, also those of discarded items."""
    of_items = {"item__benchmark_id": benchmark_id, "item__kind": kind, "item__image_id__in": set(image_ids)}
    return list(ItemRevision.objects.filter(origin="import", **of_items).select_related("item").order_by("pk"))
