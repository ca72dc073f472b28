"""The sets of items: of a release, made once, and of accepted work, which follows what is accepted."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import connection, transaction
from django.db.models.functions import Now

from annotation.releases.models import Release, ReleaseKind
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core import jobs
from curation.core.models import Job
from curation.images.models import ticked_sql
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.rows import Row, WrongInput
from evaluation.sets import queries, rules
from evaluation.sets.models import Entry, ItemSet
from evaluation.sets.queries import ItemRow
from evaluation.sets.services.captions import caption_entries
from evaluation.suites.rules import SUITES, Context, Side, Suite

log = logging.getLogger(__name__)

READ: Final = "evaluation.read_item_set"
#: Items that one transaction adds to a set of accepted work.
_AT_ONCE: Final = 2_000
_EVERY: Final = 500  # entries written by one statement
_ACCEPTED: Final = """
    i.benchmark_id = %(benchmark)s and i.kind = %(kind)s and i.state = 'accepted' and i.copy_no = 0
"""
# Before a person has looked at a covered picture again, no system sees it.
_NEW: Final = f"""
    select i.id from annotation_item i join curation_image m on m.id = i.image_id
     where {_ACCEPTED} and {ticked_sql("m")}
       and not exists (select 1 from evaluation_entry e where e.set_id = %(set)s and e.ended_at is null
                          and e.item_id = i.id and e.revision_no = i.accepted_no)
     order by i.id limit %(limit)s
"""  # noqa: S608  (constants of this module; values are parameters)
# The vector of a caption's picture is that of one file, so its entry ends once something was covered in the picture.
# Without a tick no system gets it: the entry ends too, and another one follows the next tick.
_OVER: Final = f"""
    select e.id from evaluation_entry e
     where e.set_id = %(set)s and e.ended_at is null
       and not exists (select 1 from annotation_item i join curation_image m on m.id = e.image_id
                        where i.id = e.item_id and i.accepted_no = e.revision_no and {_ACCEPTED}
                          and (e.row ->> 'version' is null
                               or m.redaction_no + 1 = (e.row ->> 'version')::int and {ticked_sql("m")}))
"""  # noqa: S608


def release_set(release: Release, suite: str, *, actor_id: int | None = None) -> ItemSet:
    """Return the set of a release for a suite; if there is none yet, a job makes its entries. Call it in a transaction.

    Args:
        release: A frozen release with items of the suite's kind.
        suite: The suite.
        actor_id: Who starts a run over it; None: the protocol requests one.
    """
    row, is_new = ItemSet.objects.get_or_create(
        release=release,
        suite=suite,
        defaults={
            "benchmark_id": release.benchmark_id,
            "origin": ItemSet.Origin.RELEASE,
            "name": release.label,
            "created_by_id": actor_id,
        },
    )
    key = f"set:{row.pk}"
    if is_new or (row.state == ItemSet.State.WAITING and _has_failed(row) and not jobs.cooling_down([key])):
        job = jobs.enqueue(task=READ, args={"set_id": row.pk}, dedupe_key=key, benchmark_id=row.benchmark_id)
        row.job_id = job.pk
        row.save(update_fields=["job_id"])
    return row


def _has_failed(row: ItemSet) -> bool:
    return Job.objects.filter(pk=row.job_id or 0, state=Job.State.FAILED).exists()


def read_release(row: ItemSet, lease: jobs.Lease) -> None:
    """Make the entries of a release's set.

    Raises:
        SetRefused: The splits that are scored have no question.
        WrongInput: A row is not of the form that the suite asks.
        LeaseLost: Another worker has the job.
    """
    suite = SUITES[row.suite]
    own = ReleaseKind.objects.select_related("release__protocol").get(release=row.release_id, kind=suite.kind)
    if suite.is_retrieval:
        made = caption_entries(suite, queries.release_captions(own.release, suite))
    else:
        made = [
            one
            for line, item in enumerate(queries.release_rows(own), 1)
            for one in _entries(suite, item, line, suite.sides)
        ]
    if not made:
        raise rules.SetRefused("nothing_to_ask", expected=suite.kind)
    sides = [side for side in suite.sides if all(side in entry.texts for entry in made)]
    for no, entry in enumerate(made, 1):
        entry.set, entry.no = row, no
    files = [(entry.row or {}).get("file", "") if suite.is_retrieval else "" for entry in made]
    contents = ((entry.key, entry.texts, file) for entry, file in zip(made, files, strict=True))
    digest = rules.digest_of(own.digest, contents)
    with transaction.atomic():
        Entry.objects.bulk_create(made, batch_size=_EVERY)
        ItemSet.objects.filter(pk=row.pk, state=ItemSet.State.WAITING).update(
            state=ItemSet.State.READY, sides=sides, size=len(made), digest=digest
        )
        # In the same transaction, so that a worker without its lease writes nothing.
        lease.progress(1, 1)


def rolling_set(benchmark_id: int, suite: Suite, protocol: ProtocolVersion) -> ItemSet:
    """Return the set of a benchmark's accepted work for a suite; it is made if there is none."""
    translated_to = protocol.content.get("languages", {}).get("translation") or ""
    sides = [side for side in suite.sides if side in ("content", translated_to)]
    row, _ = ItemSet.objects.get_or_create(
        benchmark_id=benchmark_id,
        suite=suite.name,
        origin=ItemSet.Origin.ROLLING,
        defaults={"state": ItemSet.State.READY, "sides": sides},
    )
    return row


def follow_accepted(set_id: int) -> int:
    """Add what was accepted to a set of accepted work, and end what no longer is; return how many entries are new.

    A superfluous call changes nothing.
    """
    total = 0
    while new := _follow(set_id):
        total += new
    return total


@transaction.atomic
def _follow(set_id: int) -> int:
    """Do one share of the work. The lock of the set's row makes numbers gapless in the order of commits."""
    row = ItemSet.objects.select_for_update(no_key=True).get(pk=set_id)
    suite, benchmark = SUITES[row.suite], Benchmark.objects.select_related("protocol").get(pk=row.benchmark_id)
    if benchmark.protocol is None:
        return 0
    values: dict[str, Any] = {"set": row.pk, "benchmark": row.benchmark_id, "kind": suite.kind, "limit": _AT_ONCE}
    if over := _ids(_OVER, values):
        Entry.objects.filter(pk__in=over).update(ended_at=Now())
    item_ids = _ids(_NEW, values)
    if not item_ids:
        return 0
    if suite.is_retrieval:
        made = caption_entries(suite, queries.accepted_captions(suite, item_ids))
    else:
        sides: Sequence[Side] = [side for side in suite.sides if side in row.sides]
        rows = queries.accepted_rows(benchmark, benchmark.protocol, suite.kind, item_ids)
        made = [entry for item in rows for entry in _tried(suite, item, sides)]
    made = _without_repeated(row, made)
    for no, entry in enumerate(made, row.size + 1):
        entry.set, entry.no, entry.line = row, no, no
    Entry.objects.bulk_create(made, batch_size=_EVERY)
    row.size += len(made)
    row.save(update_fields=["size"])
    return len(made)


def _without_repeated(row: ItemSet, made: Sequence[Entry]) -> list[Entry]:
    """Leave out entries whose key another has, so that two items with one number stop no others."""
    active = Entry.objects.filter(set=row, ended_at=None, key__in=[entry.key for entry in made])
    keys = set(active.values_list("key", flat=True))
    kept = []
    for entry in made:
        if entry.key in keys:
            log.warning("set %s has a question %s already", row.pk, entry.key)
            continue
        keys.add(entry.key)
        kept.append(entry)
    return kept


def _ids(statement: str, values: dict[str, Any]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [pk for (pk,) in cursor.fetchall()]


def _tried(suite: Suite, item: ItemRow, sides: Sequence[Side]) -> list[Entry]:
    try:
        return list(_entries(suite, item, 0, sides))
    except WrongInput as wrong:  # a protocol that allows what the suite cannot ask stops no other item
        log.warning("suite %s cannot ask item %s: %s, %s", suite.name, item.item_id, wrong.field, wrong.expected)
        return []


def _entries(suite: Suite, item: ItemRow, line: int, sides: Iterable[Side]) -> Iterable[Entry]:
    """Yield the entry of a question without set and number; it has the sides in which the question exists.

    Raises:
        WrongInput: It does not exist in the first of the sides.
    """
    row = Row("item", line, item.gold | item.asks)
    first, *others = sides
    read = list(suite.read(row, Context(first)))
    texts = [{first: rules.stored(entry)} for entry, _ in read]
    for side in others:
        try:
            translated = list(suite.read(row, Context(side)))
        except WrongInput:
            continue
        for own, (entry, _) in zip(texts, translated, strict=True):
            own[side] = rules.stored(entry)
    (gold,) = PROFILES[suite.profiles[0]].read_gold(Row("item", line, item.gold))
    for own, (entry, _) in zip(texts, read, strict=True):
        yield Entry(
            key=entry.key,
            line=line,
            item_id=item.item_id,
            revision_no=item.revision_no,
            part=item.part,
            image_id=item.image_id,
            cluster=gold.cluster,
            texts=own,
            gold=gold.gold,
            row=item.gold,
            tags=dict(gold.tags),
        )
