"""The job that reads a file: counted first, so that a file that breaks off changes nothing, then taken row by row.

A block of rows, what became of it and its report are one transaction; whoever goes on after a crash begins behind the
last row that was reported.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from annotation.imports import queries
from annotation.imports.errors import ImportFileGone, ImportUnreadable
from annotation.imports.models import Import, ImportRow
from annotation.imports.queries import Standing
from annotation.imports.rules import Fault, Row, Unreadable, fitted, read
from annotation.items import services as items
from annotation.items.errors import ContentMalformed
from annotation.items.models import Item
from annotation.items.queries import kind_settings
from annotation.kinds.base import open_findings
from annotation.kinds.registry import KINDS
from annotation.packages import services as packages
from annotation.packages.access import track_settings
from annotation.packages.models import Package
from annotation.packages.queries.building import protocol_with
from annotation.quality import services as quality
from curation.core import audit
from curation.core.errors import DomainError, StorageUnavailable, TextRefused
from curation.core.jobs import Lease
from curation.core.models import AuditEvent
from curation.core.stores import store
from curation.images.models import Image

AT_ONCE = 100  # rows in one transaction, during which nobody else numbers items of the benchmark
COUNTED_AT_ONCE = 2_000  # rows between two signs of life while they are only counted
SHOWN_FINDINGS = 20
# Nobody has begun a package in one of these states, so that a draft takes nothing from anybody.
NOT_BEGUN = {Package.State.AVAILABLE, Package.State.ASSIGNED}


class Outcome(NamedTuple):
    """What became of a row."""

    outcome: str
    item: Item | None = None
    fault: Fault | None = None


class _Wanted(NamedTuple):
    """A row whose picture may be worked on and whose texts may be stored."""

    row: Row
    image: Image
    content: dict[str, Any]


def run_import(lease: Lease) -> None:
    """Bring a file's rows in; safe to run twice.

    Raises:
        ImportUnreadable: The file as a whole is not of its format; nothing was taken.
        ImportFileGone, KindNotInProtocol, LeaseLost.
        StorageUnavailable: It is gone on with later.
    """
    imported = Import.objects.select_related("benchmark__protocol", "created_by").get(pk=lease.args["import_id"])
    if imported.finished_at is not None:
        return
    try:
        with store().local_path(imported.key) as path:
            total = _counted(lease, imported, path)
            done = queries.last_line(imported.pk)
            fresh = (row for row in read(path, imported.format, imported.kind) if row.line > done)
            taken = sum(imported.counts.get(name, 0) for name in queries.OUTCOMES)
            while block := list(islice(fresh, AT_ONCE)):
                taken += len(block)
                _take(lease, imported, block, taken, total)
        _hand_in(lease, imported, total)
    except FileNotFoundError as error:
        _finish(imported)
        raise ImportFileGone from error
    except StorageUnavailable:
        raise
    except DomainError:
        _finish(imported)
        raise
    _finish(imported)


def _finish(imported: Import) -> None:
    Import.objects.filter(pk=imported.pk, finished_at=None).update(finished_at=timezone.now())
    store().discard([imported.key])


def _counted(lease: Lease, imported: Import, path: Path) -> int:
    """Read the whole file once without taking anything; how many rows it has."""
    total = 0
    try:
        for total, _ in enumerate(read(path, imported.format, imported.kind), 1):
            if total % COUNTED_AT_ONCE == 0:
                lease.progress(0, 0)
    except Unreadable as error:
        raise ImportUnreadable(row=error.row, reason=error.reason) from error
    imported.counts = imported.counts | {"rows": total}
    Import.objects.filter(pk=imported.pk).update(counts=imported.counts)
    return total


@transaction.atomic
def _take(lease: Lease, imported: Import, block: Sequence[Row], taken: int, total: int) -> None:
    lease.progress(taken, total)
    benchmark = packages.lock_benchmark(imported.benchmark)
    block = [row for row in block if row.line > queries.last_line(imported.pk)]
    protocol_id = protocol_with(benchmark, imported.kind).pk
    outcomes: dict[int, Outcome] = {}
    wanted: list[_Wanted] = []
    for row, pictures in zip(block, queries.pictures_named(benchmark.pk, [r.picture for r in block]), strict=True):
        found = _wanted(imported, protocol_id, row, pictures)
        if isinstance(found, Fault):
            outcomes[row.line] = Outcome("refused", fault=found)
        else:
            wanted.append(found)
    there = _standings(imported, wanted)
    lacking = [(w.image.pk, w.row.slot) for w in wanted if (w.image.pk, w.row.slot) not in there]
    packages.add_items(benchmark, imported.kind, list(dict.fromkeys(lacking)))
    if lacking:
        there = _standings(imported, wanted)
    events: list[AuditEvent] = []
    bring = _written if imported.target == Import.Target.ITEMS else _drafted
    for one in wanted:
        standing = there[one.image.pk, one.row.slot]
        outcomes[one.row.line] = _unchanged(one, standing) or bring(imported, protocol_id, one, standing, events)
    audit.record_all(events)
    ImportRow.objects.bulk_create(_report(imported, row, outcomes[row.line]) for row in block)
    counts = Counter(outcome.outcome for outcome in outcomes.values())
    imported.counts = imported.counts | {name: imported.counts.get(name, 0) + n for name, n in counts.items()}
    Import.objects.filter(pk=imported.pk).update(counts=imported.counts)


def _standings(imported: Import, wanted: Sequence[_Wanted]) -> dict[tuple[int, int], Standing]:
    ids = {w.image.pk for w in wanted}
    return queries.standings(imported.benchmark_id, imported.kind, ids, imported.created_by_id) if ids else {}


def _report(imported: Import, row: Row, outcome: Outcome) -> ImportRow:
    return ImportRow(
        import_of=imported,
        line=row.line,
        outcome=outcome.outcome,
        label=row.picture.display,
        code=outcome.fault.code if outcome.fault else "",
        params=outcome.fault.params if outcome.fault else {},
        item=outcome.item,
    )


def _wanted(imported: Import, protocol_id: int, row: Row, pictures: Sequence[Image]) -> _Wanted | Fault:
    """Look at what can be said of a row without its item."""
    if row.fault is not None:
        return row.fault
    shown = {"image": row.picture.display}
    if not row.picture.has_reference:
        return Fault("image_not_named", {})
    if not pictures:
        return Fault("image_unknown", shown)
    if len(pictures) > 1:
        return Fault("image_ambiguous", shown | {"count": len(pictures)})
    [image] = pictures
    shown = {"image": image.label}
    if image.state != Image.State.ACCEPTED:
        return Fault("image_not_ready", shown | {"state": image.state})
    if image.pii_clear_by_id is None:
        return Fault("image_not_clear", shown)
    content = _content(imported, protocol_id, row)
    return content if isinstance(content, Fault) else _Wanted(row, image, content)


def _content(imported: Import, protocol_id: int, row: Row) -> dict[str, Any] | Fault:
    drafts = imported.target == Import.Target.DRAFTS
    content = fitted(
        row.content or {}, KINDS[imported.kind].rules(kind_settings(protocol_id, imported.kind)).slots, pad=drafts
    )
    if isinstance(content, Fault):
        return content
    try:
        # A draft too: what can never be handed in is refused here and not left to the annotator.
        cleaned = items.clean_content(imported.kind, protocol_id, content, draft=False)
    except TextRefused as error:
        return Fault(error.code, error.params)
    except ContentMalformed as error:
        return Fault(error.code, error.params)
    if drafts:
        return cleaned
    findings = items.check_content(imported.kind, protocol_id, cleaned, complete=True)
    stopping = open_findings(findings, {f.code: imported.reason for f in findings})
    if stopping:
        told = [{"code": f.code, "field": f.field, "params": f.params} for f in stopping[:SHOWN_FINDINGS]]
        return Fault("content_refused", {"count": len(stopping), "findings": told})
    return cleaned


def _unchanged(one: _Wanted, standing: Standing) -> Outcome | None:
    return Outcome("unchanged", standing.item) if standing.content == one.content else None


def _in_the_way(standing: Standing) -> Outcome | None:
    """Why an item that stands otherwise than unwritten is left as it is."""
    item = standing.item
    if item.state == Item.State.TODO:
        return None
    set_aside = item.state in (Item.State.SKIPPED, Item.State.EXCLUDED)
    code = "item_set_aside" if set_aside else "item_written"
    return Outcome("refused", item, Fault(code, {"item": item.label, "state": item.state}))


def _in_work(standing: Standing) -> Outcome:
    package = standing.package.label if standing.package else ""
    return Outcome("refused", standing.item, Fault("item_in_work", {"item": standing.item.label, "package": package}))


def _written(imported: Import, protocol_id: int, one: _Wanted, standing: Standing, events: list[AuditEvent]) -> Outcome:
    """Hand a row's texts in as the importer's."""
    if refused := _in_the_way(standing):
        return refused
    if standing.package is not None:
        return _in_work(standing)
    item = standing.item
    left = item.state
    findings = items.check_content(imported.kind, protocol_id, one.content, complete=True)
    revision = items.append_revision(
        item=item,
        action="submit",
        author_id=imported.created_by_id,
        base_no=item.revision_no,
        content=one.content,
        reasons={f.code: imported.reason for f in findings if f.overridable},
        origin="import",
        protocol_id=protocol_id,
        client_key=uuid.uuid5(uuid.NAMESPACE_URL, f"import:{imported.pk}:{one.row.line}"),
    )
    standing.content = one.content
    events.append(
        audit.event(
            action="item_submit",
            target_type="item",
            target_id=item.pk,
            label=item.label,
            actor_id=imported.created_by_id,
            benchmark_id=imported.benchmark_id,
            state_from=left,
            state_to=item.state,
            data={"revision_no": revision.no, "import_id": imported.pk, "overrides": sorted(revision.reasons)},
        )
    )
    return Outcome("made", item)


def _drafted(imported: Import, protocol_id: int, one: _Wanted, standing: Standing, _: list[AuditEvent]) -> Outcome:
    """Lay a row's texts before whoever writes the item."""
    if refused := _in_the_way(standing):
        return refused
    if standing.own_draft or (standing.package is not None and standing.package.state not in NOT_BEGUN):
        return _in_work(standing)
    if standing.draft == one.content:
        return Outcome("unchanged", standing.item)
    findings = items.check_content(imported.kind, protocol_id, one.content, complete=False)
    standing.draft_seq, _at = items.save_draft(
        item=standing.item,
        author_id=imported.created_by_id,
        base_no=standing.item.revision_no,
        seq=standing.draft_seq + 1,
        content=one.content,
        findings=[f.as_json() for f in findings],
        brought_in=True,
    )
    standing.draft = one.content
    return Outcome("drafted", standing.item)


def _hand_in(lease: Lease, imported: Import, total: int) -> None:
    """Put what was written into packages of the protocol's size that stand handed over, so that it is reviewed."""
    if imported.target != Import.Target.ITEMS:
        return
    while True:
        with transaction.atomic():
            lease.progress(total, total)
            benchmark = packages.lock_benchmark(imported.benchmark)
            size = track_settings(protocol_with(benchmark, imported.kind).pk).size
            item_ids = queries.loose_work(imported, size)
            if not item_ids:
                return
            package = packages.create_submitted_package(
                actor=imported.created_by,
                benchmark=benchmark,
                kind=imported.kind,
                item_ids=item_ids,
                data={"import_id": imported.pk},
            )
            quality.open_review(package, imported.created_by)
