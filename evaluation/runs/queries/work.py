"""Reads about the work of runs: what protocols request, what is pending, what failed.

A rolling run covers the accepted revisions of its benchmark and kind, and the revisions in releases: an item reopened
after a freeze still has to be scored as it was frozen. A run over a release covers that release's entries of its kind.
All answers and failures of a revision are written in one transaction, so a revision whose picture was tried was tried
completely, and finding what is pending is one or two probes of primary keys for each revision.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Coalesce

from curation.benchmarks.models import Benchmark
from curation.core import jobs
from curation.images.models import ticked_sql
from evaluation.backends.registry import QUEUES
from evaluation.runs.models import Chunk, Prediction, Run
from evaluation.sets.models import Entry
from evaluation.sets.rules import askable, in_chunks
from evaluation.suites.rules import IMAGE
from evaluation.systems.queries import queue_of

_COVERED = """
    select i.id as item_id, i.accepted_no as revision_no
      from annotation_item i
     where r.release_id is null and i.benchmark_id = r.benchmark_id and i.kind = r.settings ->> 'kind'
       and i.state = 'accepted' and i.copy_no = 0
    union all
    select e.item_id, e.revision_no
      from annotation_release l
      join annotation_releaseentry e on e.release_id = l.id and e.kind = r.settings ->> 'kind'
     where l.state in ('frozen', 'published')
       and case when r.release_id is null then l.benchmark_id = r.benchmark_id else l.id = r.release_id end
"""
_NOT_TRIED = """
    not exists (select 1 from evaluation_prediction p where p.run_id = r.id and p.item_id = w.item_id
                   and p.revision_no = w.revision_no and p.variant = %(image)s)
    and not exists (select 1 from evaluation_failure f where f.run_id = r.id and f.item_id = w.item_id
                   and f.revision_no = w.revision_no and f.variant = %(image)s)
"""
_TICKED = f"""
    exists (select 1 from annotation_item n join curation_image m on m.id = n.image_id
             where n.id = w.item_id and {ticked_sql("m")})
"""  # noqa: S608  (a condition without values)
_IN_CHUNKS = """
    select (e ->> 0)::bigint as item_id, (e ->> 1)::int as revision_no
      from evaluation_chunk c cross join lateral jsonb_array_elements(c.entries) e
     where c.run_id = %(run)s and c.state <> 'done'
"""
# Failures of the run ``r`` that no later round resolved.
UNRESOLVED = """
    select f.item_id, f.revision_no, f.variant, f.code, f.message, f.round
      from evaluation_failure f
     where f.run_id = r.id
       and not exists (select 1 from evaluation_prediction p where p.run_id = f.run_id and p.item_id = f.item_id
                          and p.revision_no = f.revision_no and p.variant = f.variant)
       and not exists (select 1 from evaluation_failure g where g.run_id = f.run_id and g.item_id = f.item_id
                          and g.revision_no = f.revision_no and g.variant = f.variant and g.round > f.round)
"""

# The same of a run over a set.
UNRESOLVED_REPLIES = """
    select f.entry_id, f.code
      from evaluation_replyfailure f
     where f.run_id = r.id
       and not exists (select 1 from evaluation_reply p where p.run_id = f.run_id and p.entry_id = f.entry_id
                          and p.variant = f.variant and p.sample = f.sample)
       and not exists (select 1 from evaluation_replyfailure g where g.run_id = f.run_id and g.entry_id = f.entry_id
                          and g.variant = f.variant and g.sample = f.sample and g.round > f.round)
"""


class RequestedRun(NamedTuple):
    """A system and a suite that a benchmark's protocol requests; ``protocol_id`` is its version."""

    benchmark_id: int
    protocol_id: int
    system: str
    suite: str


def requested_runs() -> list[RequestedRun]:
    """What the protocols of all open benchmarks request in ``evaluation: {systems, suites}``."""
    rows = Benchmark.objects.filter(state="open", protocol__isnull=False).order_by("pk")
    return [
        RequestedRun(benchmark_id, protocol_id, system, suite)
        for benchmark_id, protocol_id, evaluation in rows.values_list(
            "pk", "protocol_id", "protocol__content__evaluation"
        )
        for suite in (evaluation or {}).get("suites", [])
        for system in evaluation.get("systems", [])
    ]


class Revision(NamedTuple):
    """A revision by its item and number."""

    item_id: int
    revision_no: int


def pending_revisions(run: Run, limit: int, *, unticked: bool = False) -> list[Revision]:
    """At most ``limit`` revisions that were never tried and are in no chunk, shortest content first, then by item.

    Inputs of similar length waste the least of a batch on padding. ``unticked``: also those whose picture waits to be
    looked at again.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            with busy as materialized ({_IN_CHUNKS})
            select w.item_id, w.revision_no
              from (select distinct w.item_id, w.revision_no
                      from evaluation_run r cross join lateral ({_COVERED}) w
                     where r.id = %(run)s and {_NOT_TRIED} and (%(unticked)s or {_TICKED})
                       and not exists (select 1 from busy b where b.item_id = w.item_id
                                          and b.revision_no = w.revision_no)) w
              join annotation_itemrevision v on v.item_id = w.item_id and v.no = w.revision_no
             order by length(v.content::text), w.item_id, w.revision_no limit %(limit)s
            """,  # noqa: S608  (only constants of this module are put together)
            {"run": run.pk, "limit": limit, "image": IMAGE, "unticked": unticked},
        )
        return [Revision(*row) for row in cursor.fetchall()]


def failed_revisions(run: Run) -> list[Revision]:
    """Revisions with an unresolved failure that are in no unfinished chunk, shortest first."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            with busy as materialized ({_IN_CHUNKS})
            select w.item_id, w.revision_no
              from (select distinct u.item_id, u.revision_no
                      from evaluation_run r cross join lateral ({UNRESOLVED}) u where r.id = %(run)s) w
              join annotation_itemrevision v on v.item_id = w.item_id and v.no = w.revision_no
             where not exists (select 1 from busy b where b.item_id = w.item_id and b.revision_no = w.revision_no)
             order by length(v.content::text), w.item_id, w.revision_no
            """,  # noqa: S608  (constants of this module; values are parameters)
            {"run": run.pk},
        )
        return [Revision(*row) for row in cursor.fetchall()]


def failed_entries(run: Run) -> list[list[int]]:
    """Chunks of the entries of a run's set with an unresolved failure that are in no unfinished chunk, by number."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select e.no, coalesce(e.picture_id, e.image_id)
              from evaluation_run r cross join lateral ({UNRESOLVED_REPLIES}) u
              join evaluation_entry e on e.id = u.entry_id
             where r.id = %(run)s and e.ended_at is null
               and not exists (select 1 from evaluation_chunk c
                                where c.run_id = r.id and c.state <> 'done' and c.entries @> to_jsonb(e.no))
             order by e.no
            """,  # noqa: S608  (constants of this module; values are parameters)
            {"run": run.pk},
        )
        return in_chunks(cursor.fetchall())


def uncut_entries(run: Run, *, up_to: int) -> list[tuple[int, int | None]]:
    """Number and picture of each entry that a run over a set asks and that is in no chunk yet, by number."""
    setting = askable()[run.suite].setting(run.settings["setting"])
    rows = Entry.objects.filter(set_id=run.set_id, no__gt=run.cut_to, no__lte=up_to, ended_at=None)
    rows = rows.filter(**{f"texts__{run.settings['side']}__type__in": list(setting.prompts) if setting else []})
    picture = Coalesce("picture_id", "image_id")
    return list(rows.order_by("no").values_list("no", picture))


class ChunkInput(NamedTuple):
    """A revision to predict, and the picture file that belongs to it.

    ``key`` is empty if the picture has no clean rendition; ``image_bytes_sha256`` is that file's. ``answered`` names
    the variants that an earlier round answered.
    """

    item_id: int
    revision_no: int
    content: dict[str, Any]
    rendition_id: int | None
    key: str
    image_bytes_sha256: str
    answered: frozenset[str] = frozenset()


def chunk_inputs(run: Run, chunk: Chunk) -> list[ChunkInput]:
    """A chunk's revisions in order, each with its picture's current file.

    Files of earlier versions are destroyed, also where a release names one. Revisions whose picture lost its tick since
    the chunk was cut are left out: they are pending again.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select w.item_id, w.revision_no, v.content::text, f.id, coalesce(f.key, ''), coalesce(f.sha256, '')
              from unnest(%(items)s::bigint[], %(nos)s::int[]) with ordinality as w (item_id, revision_no, place)
              join annotation_itemrevision v on v.item_id = w.item_id and v.no = w.revision_no
              join annotation_item i on i.id = w.item_id
              join curation_image m on m.id = i.image_id
              left join curation_rendition f
                on f.image_id = m.id and f.role = 'clean' and f.version = m.redaction_no + 1
             where {ticked_sql("m")}
             order by w.place
            """,  # noqa: S608  (a condition without values)
            {"items": [item for item, _ in chunk.entries], "nos": [no for _, no in chunk.entries]},
        )
        rows = cursor.fetchall()
    answered = _answered_variants(run, chunk) if chunk.round else {}
    return [
        ChunkInput(item, no, json.loads(content), rendition_id, key, sha256, answered.get((item, no), frozenset()))
        for item, no, content, rendition_id, key, sha256 in rows
    ]


def _answered_variants(run: Run, chunk: Chunk) -> dict[tuple[int, int], frozenset[str]]:
    rows = Prediction.objects.filter(run=run, item_id__in=[item for item, _ in chunk.entries])
    variants: dict[tuple[int, int], set[str]] = {}
    for item, no, variant in rows.values_list("item_id", "revision_no", "variant"):
        variants.setdefault((item, no), set()).add(variant)
    return {key: frozenset(names) for key, names in variants.items()}


def lock_pictures(rendition_ids: Collection[int]) -> frozenset[int]:
    """Lock the pictures of some files until the transaction ends; return the files that were destroyed before."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select f.id, f.version <> m.redaction_no + 1 from curation_rendition f
              join curation_image m on m.id = f.image_id
             where f.id = any(%s) order by m.id for share of m
            """,
            [list(rendition_ids)],
        )
        return frozenset(rendition_id for rendition_id, is_destroyed in cursor.fetchall() if is_destroyed)


class PendingRun(NamedTuple):
    """An open run with work, and the queue of the workers that do it."""

    run_id: int
    queue: str


def pending_runs() -> list[PendingRun]:
    """The open runs with an unfinished chunk, or a revision or entry never tried, without those that failed lately.

    A run over the set of a release or of files is among them until a worker has closed it.
    """
    values: dict[str, Any] = {"image": IMAGE, "cool_down": jobs.COOL_DOWN, "slack": jobs.CLOCK_SLACK}
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select r.id, s.backend
              from evaluation_run r join evaluation_system s on s.id = r.system_id
             where r.state = 'open'
               and (exists (select 1 from evaluation_chunk c where c.run_id = r.id and c.state <> 'done')
                    or exists (select 1 from evaluation_itemset t where t.id = r.set_id and t.state = 'ready'
                                  and (t.size > r.cut_to or t.origin <> 'rolling'))
                    or exists (select 1 from ({_COVERED}) w where {_NOT_TRIED} and {_TICKED}))
               and not exists (select 1 from evaluation_chunk c where c.run_id = r.id and c.state = 'failed'
                                  and c.finished_at > statement_timestamp() - %(cool_down)s
                                  and c.finished_at <= statement_timestamp() + %(slack)s)
             order by r.id
            """,  # noqa: S608  (constants of this module; values are parameters)
            values,
        )
        return [PendingRun(run_id, queue_of(backend)) for run_id, backend in cursor.fetchall()]


def unfinished_chunks(run_id: int, at_most: int) -> int:
    """How many chunks are not done, counted up to a limit."""
    return Chunk.objects.filter(~Q(state=Chunk.State.DONE), run_id=run_id)[:at_most].count()


def running_chunks(run_id: int) -> int:
    """How many chunks are in the hands of a worker whose lease has not expired."""
    return Chunk.objects.filter(~jobs.lease_expired(), run_id=run_id, state=Chunk.State.RUNNING).count()


class Workers(NamedTuple):
    """The workers of a queue: how many are alive, when one was last seen, and the database's time."""

    living: int
    last_seen: datetime | None
    now: datetime


def workers_by_queue() -> dict[str, Workers]:
    """The workers of each of the queues of runs; one statement."""
    values: dict[str, Any] = {
        "queues": list(QUEUES),
        "silent": jobs.WORKER_SILENT_AFTER,
        "slack": jobs.CLOCK_SLACK,
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "select q.queue, count(*) filter (where w.seen_at > statement_timestamp() - %(silent)s "
            "and w.seen_at <= statement_timestamp() + %(slack)s), max(w.seen_at), statement_timestamp() "
            "from unnest(%(queues)s::text[]) q (queue) left join curation_workerseen w on w.queue = q.queue "
            "group by q.queue",
            values,
        )
        return {queue: Workers(*rest) for queue, *rest in cursor.fetchall()}
