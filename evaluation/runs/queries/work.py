"""Reads about the work of runs: what protocols request, what is pending, what failed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings as site
from django.db import connection
from django.db.models import Q
from django.db.models.functions import Coalesce

from curation.benchmarks.models import Benchmark
from curation.core import jobs
from evaluation.backends.registry import QUEUES
from evaluation.runs.models import Chunk, Run
from evaluation.sets.models import Entry
from evaluation.sets.rules import in_chunks
from evaluation.suites.rules import SUITES
from evaluation.systems.queries import queue_of

#: Failures of the run ``r`` that no later round resolved.
UNRESOLVED: Final = """
    select f.entry_id, f.code, f.input, f.message, f.value, f.round
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


def failed_entries(run: Run) -> list[list[int]]:
    """Chunks of the entries of a run's set with an unresolved failure that are in no unfinished chunk, by number."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select e.no, coalesce(e.picture_id, e.image_id)
              from evaluation_run r cross join lateral ({UNRESOLVED}) u
              join evaluation_entry e on e.id = u.entry_id
             where r.id = %(run)s and e.ended_at is null
               and not exists (select 1 from evaluation_chunk c
                                where c.run_id = r.id and c.state <> 'done' and c.entries @> to_jsonb(e.no))
             order by e.no
            """,  # noqa: S608  (constants of this module; values are parameters)
            {"run": run.pk},
        )
        return chunks_of(run, cursor.fetchall())


def uncut_entries(run: Run, *, up_to: int) -> list[list[int]]:
    """Chunks of the entries that a run asks and that are in none yet, by number."""
    setting = SUITES[run.suite].setting(run.settings["setting"])
    rows = Entry.objects.filter(set_id=run.set_id, no__gt=run.cut_to, no__lte=up_to, ended_at=None)
    if setting is None or setting.prompts:
        prompts = setting.prompts if setting else {}
        rows = rows.filter(**{f"texts__{run.settings['side']}__type__in": list(prompts)})
    picture = Coalesce("picture_id", "image_id")
    return chunks_of(run, list(rows.order_by("no").values_list("no", picture)))


def chunks_of(run: Run, entries: Sequence[tuple[int, int | None]]) -> list[list[int]]:
    """Cut entries, given by number and picture, into the chunks of a run."""
    # Questions take long one by one; captions and pictures are embedded in batches.
    pictures = site.EMBED_ITEMS_AT_ONCE if SUITES[run.suite].is_retrieval else None
    return in_chunks(entries, pictures=pictures)


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
    """The open runs with an unfinished chunk, or an entry in none, without those that failed lately.

    A run over the set of a release or of files is among them until a worker has closed it.
    """
    values: dict[str, Any] = {"cool_down": jobs.COOL_DOWN, "slack": jobs.CLOCK_SLACK}
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select r.id, s.backend
              from evaluation_run r join evaluation_system s on s.id = r.system_id
              join evaluation_itemset t on t.id = r.set_id
             where r.state = 'open'
               and (t.state <> 'waiting' and (t.size > r.cut_to or t.origin <> 'rolling')
                    or exists (select 1 from evaluation_chunk c where c.run_id = r.id and c.state <> 'done'))
               and not exists (select 1 from evaluation_chunk c where c.run_id = r.id and c.state = 'failed'
                                  and c.finished_at > statement_timestamp() - %(cool_down)s
                                  and c.finished_at <= statement_timestamp() + %(slack)s)
             order by r.id
            """,
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
