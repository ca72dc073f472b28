"""The job that imports a file: it counts the rows first, so that a truncated file changes nothing.

A block of rows and its report are one transaction. After a crash the next worker continues after the last reported row.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from annotation.imports import queries
from annotation.imports.errors import ImportFileGone, ImportUnreadable
from annotation.imports.models import OUTCOMES, Import, ImportRow
from annotation.imports.queries import ExistingItem
from annotation.imports.rules import Fault, Row, Unreadable, has_boxes, read
from annotation.imports.services.placing import ValidRow, check_team, choose_slots
from annotation.items import services as items
from annotation.items.errors import ContentMalformed
from annotation.items.models import Item
from annotation.items.queries import concepts_on, context_of, protocol_with, tree_of
from annotation.items.tracks import Track
from annotation.kinds.base import open_findings
from annotation.kinds.content import MalformedContent, WrongCount, fit
from annotation.kinds.context import Context
from annotation.kinds.tree import RecordNode, without_keys
from annotation.packages.models import Package
from annotation.tracks.registry import TRACKS
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import work_of
from curation.core import audit
from curation.core.errors import TextRefused
from curation.core.jobs import Lease
from curation.core.models import AuditEvent
from curation.core.stores import store
from curation.images.models import Image
from curation.people.models import Team

ROWS_PER_TRANSACTION = 100  # the benchmark is locked until they are committed
ROWS_PER_HEARTBEAT = 2_000  # while they are only counted
LISTED_FINDINGS = 20  # of one row; the count covers all
# A package in these states was never opened, so a draft replaces nothing that its assignee has seen.
NOT_STARTED = {Package.State.AVAILABLE, Package.State.ASSIGNED}


class RowResult(NamedTuple):
    """The outcome of a row, one of ``OUTCOMES``, with its item and the reason for a rejection."""

    outcome: str
    item: Item | None = None
    fault: Fault | None = None


def run_import(lease: Lease) -> None:
    """Import a file's rows; safe to run twice. :func:`end_failed` follows where it fails for good.

    Raises:
        ImportUnreadable: The file as a whole does not have its format; nothing was imported.
        ImportFileGone, KindNotInProtocol, LeaseLost.
        StorageUnavailable: The job is retried later.
    """
    imported = Import.objects.select_related("benchmark__protocol", "created_by", "team").get(
        pk=lease.args["import_id"]
    )
    if imported.finished_at is not None:
        return
    tree = tree_of(protocol_with(imported.benchmark, imported.kind).pk, imported.kind)
    try:
        with store().local_path(imported.key) as path:
            total = _count_rows(lease, imported, path, tree)
            last = queries.last_reported_line(imported.pk)
            rows = (row for row in read(path, imported.format, tree) if row.line > last)
            done = sum(imported.counts.get(name, 0) for name in OUTCOMES)
            while block := list(islice(rows, ROWS_PER_TRANSACTION)):
                done += len(block)
                _import_block(lease, imported, block, done, total)
        _complete(lease, imported, total)
    except FileNotFoundError as error:
        raise ImportFileGone from error
    _finish(imported)


def end_failed(job_id: int) -> None:
    """Finish the import of a job that failed for good, also of one whose worker was killed at the last attempt."""
    failed = Import.objects.filter(job_id=job_id, finished_at=None).first()
    if failed is not None:
        _finish(failed)


def _finish(imported: Import) -> None:
    Import.objects.filter(pk=imported.pk, finished_at=None).update(finished_at=timezone.now())
    store().discard([imported.key])


def _count_rows(lease: Lease, imported: Import, path: Path, tree: RecordNode) -> int:
    """Read the whole file without importing anything; save and return its number of rows."""
    total = 0
    try:
        for total, _ in enumerate(read(path, imported.format, tree), 1):
            if total % ROWS_PER_HEARTBEAT == 0:
                lease.progress(0, 0)
    except Unreadable as error:
        raise ImportUnreadable(row=error.row, reason=error.reason) from error
    imported.counts = imported.counts | {"rows": total}
    Import.objects.filter(pk=imported.pk).update(counts=imported.counts)
    return total


@transaction.atomic
def _import_block(lease: Lease, imported: Import, block: Sequence[Row], done: int, total: int) -> None:
    lease.progress(done, total)
    benchmark = items.lock_benchmark(imported.benchmark)
    if imported.team is not None:  # it may have been closed since the last block
        imported.team.refresh_from_db(fields=["closed_at"])
    last = queries.last_reported_line(imported.pk)
    block = [row for row in block if row.line > last]
    protocol = protocol_with(benchmark, imported.kind)
    protocol_id, work = protocol.pk, work_of(protocol.content, imported.kind)
    track = TRACKS[work.track]
    teams = queries.open_teams(benchmark.pk) if track.by_team else []
    results: dict[int, RowResult] = {}
    valid: list[ValidRow] = []
    for row, pictures in zip(block, queries.find_pictures(benchmark.pk, [r.picture for r in block]), strict=True):
        checked = _check_row(imported, protocol_id, row, pictures, teams if track.by_team else None, work.subset)
        if isinstance(checked, Fault):
            results[row.line] = RowResult("refused", fault=checked)
        else:
            valid.append(checked)
    tree = tree_of(protocol_id, imported.kind)
    existing = _lock_items(imported, valid)
    if track.chooses_slots:
        valid, refused = choose_slots(imported, valid, existing, work.per_picture.maximum)
        results |= {line: RowResult("refused", item, fault) for line, (item, fault) in refused.items()}
    if _add_missing(benchmark, imported, track, [row for row in valid if row.place not in existing]):
        existing = _lock_items(imported, valid)
    events: list[AuditEvent] = []
    for valid_row in valid:
        item = existing[valid_row.place]
        if _is_same(tree, item.content, valid_row.content):
            result = RowResult("unchanged", item.item)
        elif imported.target == Import.Target.ITEMS:
            result = _write_item(imported, track, protocol_id, valid_row, item, events)
        else:
            result = _save_draft(imported, protocol_id, valid_row, item)
        results[valid_row.row.line] = result
    audit.record_all(events)
    ImportRow.objects.bulk_create(_import_row(imported, row, results[row.line]) for row in block)
    counts = Counter(result.outcome for result in results.values())
    imported.counts = imported.counts | {name: imported.counts.get(name, 0) + n for name, n in counts.items()}
    Import.objects.filter(pk=imported.pk).update(counts=imported.counts)


def _add_missing(benchmark: Benchmark, imported: Import, track: Track, rows: Sequence[ValidRow]) -> int:
    """Create the items of rows that have none yet; return their number."""
    places = {row.place: row.image.team_id if track.by_team else None for row in rows}
    for team_id in dict.fromkeys(places.values()):
        of_team = [place for place, team in places.items() if team == team_id]
        items.add_items(benchmark, imported.kind, of_team, track=track.name, team_id=team_id)
    return len(places)


def _lock_items(imported: Import, rows: Sequence[ValidRow]) -> dict[tuple[int, int], ExistingItem]:
    ids = {row.image.pk for row in rows}
    return queries.lock_existing_items(imported.benchmark_id, imported.kind, ids, imported.created_by_id) if ids else {}


def _import_row(imported: Import, row: Row, result: RowResult) -> ImportRow:
    return ImportRow(
        import_of=imported,
        line=row.line,
        outcome=result.outcome,
        label=row.picture.display,
        code=result.fault.code if result.fault else "",
        params=result.fault.params if result.fault else {},
        item=result.item,
    )


def _check_row(
    imported: Import,
    protocol_id: int,
    row: Row,
    pictures: Sequence[Image],
    teams: Sequence[Team] | None,
    subset: str | None,
) -> ValidRow | Fault:
    """Check a row's picture, team and texts; its item is checked later, under a lock.

    ``teams`` are those that the row may name; None where the kind is not worked on by teams. ``subset`` is the kind's.
    """
    if row.fault is not None:
        return row.fault
    params = {"image": row.picture.display}
    if not row.picture.has_reference:
        return Fault("image_not_named", {})
    if not pictures:
        return Fault("image_unknown", params)
    if len(pictures) > 1:
        return Fault("image_ambiguous", params | {"count": len(pictures)})
    [image] = pictures
    params = {"image": image.label}
    if image.state != Image.State.ACCEPTED:
        return Fault("image_not_ready", params | {"state": image.state})
    if image.pii_clear_by_id is None and (teams is None or image.shared_at is None):
        return Fault("image_not_clear", params)
    if subset is not None and image.subset != subset:
        return Fault("image_outside_subset", params | {"subset": image.subset, "expected": subset})
    if (
        row.size is not None
        and row.size != (image.width, image.height)
        and has_boxes(tree_of(protocol_id, imported.kind))
    ):
        width, height = row.size
        expected = {"expected_width": image.width, "expected_height": image.height}
        return Fault("image_size_differs", params | {"width": width, "height": height} | expected)
    if fault := check_team(imported, row, image, teams):
        return fault
    content = _check_content(imported, protocol_id, row, image)
    return content if isinstance(content, Fault) else ValidRow(row, image, content, row.slot or 0)


def _check_content(imported: Import, protocol_id: int, row: Row, image: Image) -> dict[str, Any] | Fault:
    drafts, context = imported.target == Import.Target.DRAFTS, _context(imported, protocol_id, image)
    try:
        content = fit(tree_of(protocol_id, imported.kind, context.language.tag), row.content or {}, pad=drafts)
    except WrongCount as error:
        return Fault("wrong_count", {"count": error.count, "expected": error.expected})
    except MalformedContent:
        return Fault("row_not_understood", {})
    try:
        # Also a draft must not contain what could never be submitted.
        cleaned = items.clean_content(imported.kind, protocol_id, content, context, draft=False)
    except (TextRefused, ContentMalformed) as error:
        return Fault(error.code, error.params)
    if drafts:
        return cleaned
    findings = items.check_content(imported.kind, protocol_id, cleaned, context, complete=True)
    blocking = open_findings(findings, {f.code: imported.reason for f in findings})
    if blocking:
        listed = [{"code": f.code, "field": f.field, "params": f.params} for f in blocking[:LISTED_FINDINGS]]
        return Fault("content_refused", {"count": len(blocking), "findings": listed})
    return cleaned


def _context(imported: Import, protocol_id: int, image: Image) -> Context:
    return context_of(
        protocol_id,
        imported.kind,
        width=image.width,
        height=image.height,
        subset=image.subset,
        category=image.category.slug if image.category else "",
        language=image.team.language if image.team else "",
        concepts=concepts_on(imported.kind, image.pk),
    )


def _is_same(tree: RecordNode, one: Mapping[str, Any] | None, other: Mapping[str, Any]) -> bool:
    """Whether two contents say the same; keys of entries do not count, because formats such as COCO have none."""
    return one == other or (one is not None and without_keys(tree, one) == without_keys(tree, other))


def _reject_written(existing: ExistingItem) -> RowResult | None:
    """Reject a row for an item that has a text already, or that was skipped or excluded."""
    item = existing.item
    if item.state == Item.State.TODO:
        return None
    set_aside = item.state in (Item.State.SKIPPED, Item.State.EXCLUDED)
    code = "item_set_aside" if set_aside else "item_written"
    return RowResult("refused", item, Fault(code, {"item": item.label, "state": item.state}))


def _reject_in_work(existing: ExistingItem) -> RowResult:
    package = existing.package.label if existing.package else ""
    return RowResult("refused", existing.item, Fault("item_in_work", {"item": existing.item.label, "package": package}))


def _write_item(
    imported: Import, track: Track, protocol_id: int, row: ValidRow, existing: ExistingItem, events: list[AuditEvent]
) -> RowResult:
    """Submit a row's texts in the importer's name."""
    if rejected := _reject_written(existing):
        return rejected
    if existing.package is not None:
        return _reject_in_work(existing)
    item = existing.item
    state_before = item.state
    context = _context(imported, protocol_id, row.image)
    findings = items.check_content(imported.kind, protocol_id, row.content, context, complete=True)
    revision = items.append_revision(
        item=item,
        action="submit",
        author_id=imported.created_by_id,
        base_no=item.revision_no,
        content=row.content,
        context=context,
        reasons={f.code: imported.reason for f in findings if f.overridable},
        origin="import",
        protocol_id=protocol_id,
        client_key=uuid.uuid5(uuid.NAMESPACE_URL, f"import:{imported.pk}:{row.row.line}"),
        table=track.table,
    )
    track.imported(item, revision)
    existing.content = row.content
    events.append(
        audit.event(
            action="item_submit",
            target_type="item",
            target_id=item.pk,
            label=item.label,
            actor_id=imported.created_by_id,
            benchmark_id=imported.benchmark_id,
            state_from=state_before,
            state_to=item.state,
            data={"revision_no": revision.no, "import_id": imported.pk, "overrides": sorted(revision.reasons)},
        )
    )
    return RowResult("made", item)


def _save_draft(imported: Import, protocol_id: int, row: ValidRow, existing: ExistingItem) -> RowResult:
    """Save a row's texts as a draft for the item's annotator."""
    if rejected := _reject_written(existing):
        return rejected
    if existing.has_own_draft or (existing.package is not None and existing.package.state not in NOT_STARTED):
        return _reject_in_work(existing)
    if existing.imported_draft == row.content:
        return RowResult("unchanged", existing.item)
    context = _context(imported, protocol_id, row.image)
    findings = items.check_content(imported.kind, protocol_id, row.content, context, complete=False)
    existing.draft_seq, _at = items.save_draft(
        item=existing.item,
        author_id=imported.created_by_id,
        base_no=existing.item.revision_no,
        seq=existing.draft_seq + 1,
        content=row.content,
        findings=[f.as_json() for f in findings],
        imported=True,
    )
    existing.imported_draft = row.content
    return RowResult("drafted", existing.item)


def _complete(lease: Lease, imported: Import, total: int) -> None:
    """Let the kind's track do what follows once all items are written."""
    if imported.target != Import.Target.ITEMS:
        return
    track = TRACKS[work_of(protocol_with(imported.benchmark, imported.kind).content, imported.kind).track]
    track.complete_import(
        actor=imported.created_by,
        benchmark=imported.benchmark,
        kind=imported.kind,
        data={"import_id": imported.pk},
        heartbeat=lambda: lease.progress(total, total),
    )
