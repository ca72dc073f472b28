"""Reads about imports, and what a block of rows needs to know of the benchmark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, Subquery

from annotation.imports import access
from annotation.imports.models import Import, ImportRow
from annotation.imports.rules import PictureReference
from annotation.items.models import Draft, Item, ItemRevision
from annotation.packages.models import Package, PackageItem
from curation.core.models import Job
from curation.core.pages import page
from curation.images.models import Image, Rendition, Upload
from curation.people.access import benchmark_for
from curation.people.models import Person

OUTCOMES = ("made", "drafted", "unchanged", "refused")


def import_page(person: Person, slug: str, *, cursor: str | None, page_size: int) -> dict[str, Any]:
    """A page of a benchmark's imports, newest first; three statements.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, "import_list")
    rows = access.imports_visible_to(person, benchmark, "import_list")
    found = page(rows, by="-id", cursor=cursor, page_size=page_size)
    jobs = {job.pk: job for job in Job.objects.filter(pk__in=[row.job_id for row in found["results"]])}
    return found | {"results": [_told(person, row, jobs.get(row.job_id)) for row in found["results"]]}


def import_json(person: Person, import_id: int, operation: str = "import_show") -> dict[str, Any]:
    """One import as its page shows it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    found = access.import_for(person, import_id, operation)
    return _told(person, found, Job.objects.filter(pk=found.job_id or 0).first())


def _told(person: Person, row: Import, job: Job | None) -> dict[str, Any]:
    return {
        "id": row.pk,
        "kind": row.kind,
        "format": row.format,
        "target": row.target,
        "name": row.name,
        "bytes": row.bytes,
        "reason": row.reason,
        "created_by": {"id": row.created_by.pk, "name": row.created_by.name},
        "created_at": row.created_at,
        "finished_at": row.finished_at,
        "counts": dict.fromkeys(("rows", *OUTCOMES), 0) | row.counts,
        "job": job,
    }


def row_page(
    person: Person, import_id: int, *, outcome: str | None, cursor: str | None, page_size: int
) -> dict[str, Any]:
    """A page of what became of an import's rows, in the order of the file.

    Raises:
        NotFound, OperationNotAllowed.
    """
    found = access.import_for(person, import_id, "import_rows")
    rows = ImportRow.objects.filter(import_of=found).select_related("item")
    if outcome is not None:
        rows = rows.filter(outcome=outcome)
    return page(rows, by="line", cursor=cursor, page_size=page_size)


# --- What a block of rows needs ---------------------------------------------------------------------------------------


def last_line(import_id: int) -> int:
    """The last row of an import that was reported on; 0 before the first."""
    return ImportRow.objects.filter(import_of_id=import_id).aggregate(n=Max("line"))["n"] or 0


def pictures_named(benchmark_id: int, named: Sequence[PictureReference]) -> list[list[Image]]:
    """The pictures that rows name, each by the surest name it has: none, one, or several that share a file name.

    A digest that no picture has is not made good by a label or a file name: pictures are numbered anew in every
    benchmark.
    """
    rows = Image.objects.filter(benchmark_id=benchmark_id)
    digests = {n.sha256 for n in named if n.sha256}
    by_digest: dict[str, dict[int, Image]] = defaultdict(dict)
    if digests:
        for image in rows.filter(sha256__in=digests).exclude(state=Image.State.REFUSED):
            by_digest[image.sha256][image.pk] = image
        clean = Rendition.objects.filter(image__benchmark_id=benchmark_id, role="clean", sha256__in=digests)
        for rendition in clean.exclude(image__state=Image.State.REFUSED).select_related("image"):
            by_digest[rendition.sha256][rendition.image_id] = rendition.image
    numbers = {n.number for n in named if not n.sha256 and n.number is not None}
    by_number = {image.number: image for image in rows.filter(number__in=numbers)} if numbers else {}
    by_file = _by_file(benchmark_id, {file for n in named if not n.sha256 and n.number is None for file in n.files})
    found = []
    for one in named:
        if one.sha256:
            found.append(list(by_digest[one.sha256].values()))
        elif one.number is not None:
            found.append([by_number[one.number]] if one.number in by_number else [])
        else:
            found.append(next((list(by_file[f].values()) for f in one.files if f in by_file), []))
    return found


def _by_file(benchmark_id: int, files: Iterable[str]) -> dict[str, dict[int, Image]]:
    """Pictures by the name that their file had when it was uploaded."""
    wanted = {file for file in files if "\0" not in file and file.isprintable()}
    found: dict[str, dict[int, Image]] = {}
    if wanted:
        taken = Upload.objects.filter(benchmark_id=benchmark_id, filename__in=wanted, image__isnull=False)
        for upload in taken.exclude(image__state=Image.State.REFUSED).select_related("image"):
            if upload.image is not None:
                found.setdefault(upload.filename, {})[upload.image.pk] = upload.image
    return found


@dataclass(slots=True)
class Standing:
    """How an item stands when a row comes for it.

    Attributes:
        item: Locked.
        content: Of its newest revision.
        package: The package that holds it.
        draft: What an earlier import laid before its writer, of the newest revision.
        draft_seq: The last save of the importer's own draft row.
        own_draft: Whether the importer typed something here themselves.
    """

    item: Item
    content: Mapping[str, Any] | None = None
    package: Package | None = None
    draft: Mapping[str, Any] | None = None
    draft_seq: int = 0
    own_draft: bool = False


def standings(
    benchmark_id: int, kind: str, image_ids: Iterable[int], author_id: int
) -> dict[tuple[int, int], Standing]:
    """Items of pictures by (picture, slot), locked, with what stands in and around them; three statements."""
    ids = set(image_ids)
    items = Item.objects.filter(benchmark_id=benchmark_id, kind=kind, image_id__in=ids)
    locked = list(items.select_for_update(of=("self",), no_key=True).order_by("pk"))
    by_id = {item.pk: Standing(item) for item in locked}
    newest = ItemRevision.objects.filter(item_id=OuterRef("pk"), no=OuterRef("revision_no")).values("content")[:1]
    for pk, content in items.filter(pk__in=by_id).annotate(newest=Subquery(newest)).values_list("pk", "newest"):
        by_id[pk].content = content
    for member in PackageItem.objects.filter(item_id__in=by_id, active=True).select_related("package"):
        by_id[member.item_id].package = member.package
    for draft in Draft.objects.filter(Q(brought_in=True) | Q(author_id=author_id), item_id__in=by_id):
        standing = by_id[draft.item_id]
        if draft.brought_in and draft.base_no == standing.item.revision_no:
            standing.draft = draft.content
        if draft.author_id == author_id:
            standing.draft_seq, standing.own_draft = draft.seq, not draft.brought_in
    return {(s.item.image_id, s.item.slot): s for s in by_id.values()}


def loose_work(imported: Import, limit: int) -> list[int]:
    """Items that the importer brought in, now or before, and that no package holds; in the order of their numbers."""
    revision = ItemRevision.objects.filter(
        item_id=OuterRef("pk"), no=OuterRef("revision_no"), origin="import", author_id=imported.created_by_id
    )
    items = Item.objects.filter(benchmark_id=imported.benchmark_id, kind=imported.kind, state=Item.State.MADE)
    loose = items.filter(Exists(revision)).exclude(memberships__active=True)
    return list(loose.order_by("number").values_list("pk", flat=True)[:limit])
