"""Reads about the work of runs: what protocols ask for, what is left to do, what has failed.

"Wanted" by a rolling run are the accepted revisions of its benchmark and kind, and the revisions that releases hold:
an item reopened after a freeze still has to be scored as it was frozen. A run over a release wants that release's
entries and nothing else. All answers and failures of a revision are written in one transaction, so what became of its
picture stands for all of them, and finding what is left is one or two probes of primary keys for each revision.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.core import jobs
from curation.core.models import Job
from evaluation.backends.registry import QUEUES
from evaluation.runs.models import Chunk, Prediction, Run
from evaluation.suites.rules import IMAGE
from evaluation.systems.queries import queue_of

# Workers that may share one run: each of them carries one job of it.
MOST_JOBS: Final = 8
# A run whose job failed is left alone for this long, so that a broken system does not fill the job table.
PAUSE_AFTER_FAILURE = timedelta(minutes=10)

_WANTED = """
    select i.id as item_id, i.accepted_no as revision_no
      from annotation_item i
     where r.release_id is null and i.benchmark_id = r.benchmark_id and i.kind = r.settings ->> 'kind'
       and i.state = 'accepted'
    union all
    select e.item_id, e.revision_no
      from annotation_release l join annotation_releaseentry e on e.release_id = l.id
     where l.state in ('frozen', 'published')
       and case when r.release_id is null
                then l.benchmark_id = r.benchmark_id and l.kind = r.settings ->> 'kind'
                else l.id = r.release_id end
"""
_NOT_TRIED = """
    not exists (select 1 from evaluation_prediction p where p.run_id = r.id and p.item_id = w.item_id
                   and p.revision_no = w.revision_no and p.variant = %(image)s)
    and not exists (select 1 from evaluation_failure f where f.run_id = r.id and f.item_id = w.item_id
                   and f.revision_no = w.revision_no and f.variant = %(image)s)
"""
_IN_CHUNKS = """
    select (e ->> 0)::bigint as item_id, (e ->> 1)::int as revision_no
      from evaluation_chunk c cross join lateral jsonb_array_elements(c.entries) e
     where c.run_id = %(run)s and c.state <> 'done'
"""
# Failures that no later round made good, of the run ``r``.
UNRESOLVED = """
    select f.item_id, f.revision_no, f.variant, f.code, f.said, f.round
      from evaluation_failure f
     where f.run_id = r.id
       and not exists (select 1 from evaluation_prediction p where p.run_id = f.run_id and p.item_id = f.item_id
                          and p.revision_no = f.revision_no and p.variant = f.variant)
       and not exists (select 1 from evaluation_failure g where g.run_id = f.run_id and g.item_id = f.item_id
                          and g.revision_no = f.revision_no and g.variant = f.variant and g.round > f.round)
"""


class Wish(NamedTuple):
    """What a benchmark's protocol asks for: a suite of a system; ``protocol_id`` is the version that says so."""

    benchmark_id: int
    protocol_id: int
    system: str
    suite: str


def wishes() -> list[Wish]:
    """What the protocols of all open benchmarks ask for; ``evaluation: {systems, suites}``."""
    rows = Benchmark.objects.filter(state="open", protocol__isnull=False)
    found = []
    for benchmark_id, protocol_id, asked in rows.order_by("pk").values_list(
        "pk", "protocol_id", "protocol__content__evaluation"
    ):
        for suite in (asked or {}).get("suites", []):
            found += [Wish(benchmark_id, protocol_id, system, suite) for system in (asked or {}).get("systems", [])]
    return found


class Revision(NamedTuple):
    """A revision by its item and number."""

    item_id: int
    revision_no: int


def pending(run: Run, limit: int) -> list[Revision]:
    """Revisions that were never tried and lie in no chunk, at most ``limit``, the shortest content first.

    Inputs of like length waste the least of a batch on padding; whose length is the same follow one another by item.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            with busy as materialized ({_IN_CHUNKS})
            select w.item_id, w.revision_no
              from (select distinct w.item_id, w.revision_no
                      from evaluation_run r cross join lateral ({_WANTED}) w
                     where r.id = %(run)s and {_NOT_TRIED}
                       and not exists (select 1 from busy b where b.item_id = w.item_id
                                          and b.revision_no = w.revision_no)) w
              join annotation_itemrevision v on v.item_id = w.item_id and v.no = w.revision_no
             order by length(v.content::text), w.item_id, w.revision_no limit %(limit)s
            """,  # noqa: S608  (only constants of this module are put together)
            {"run": run.pk, "limit": limit, "image": IMAGE},
        )
        return [Revision(*row) for row in cursor.fetchall()]


def failed_revisions(run: Run) -> list[Revision]:
    """Revisions with something that failed and was not made good, outside of open chunks, shortest first."""
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


class Work(NamedTuple):
    """A revision to predict, and the picture file that goes with it.

    ``key`` is empty where the picture has no clean rendition; ``image_bytes_sha256`` is that file's. ``answered`` names
    the variants that an earlier round has answered.
    """

    item_id: int
    revision_no: int
    content: dict[str, Any]
    rendition_id: int | None
    key: str
    image_bytes_sha256: str
    answered: frozenset[str] = frozenset()


def works(run: Run, chunk: Chunk) -> list[Work]:
    """A chunk's revisions in its order, each with the picture file that the release has, else with the newest."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select w.item_id, w.revision_no, v.content::text, f.id, coalesce(f.key, ''), coalesce(f.sha256, '')
              from unnest(%(items)s::bigint[], %(nos)s::int[]) with ordinality as w (item_id, revision_no, place)
              join annotation_itemrevision v on v.item_id = w.item_id and v.no = w.revision_no
              join annotation_item i on i.id = w.item_id
              left join lateral (
                   select max(e.rendition_id) as id
                     from annotation_releaseentry e join annotation_release l on l.id = e.release_id
                    where e.item_id = w.item_id and e.revision_no = w.revision_no
                      and case when %(release)s::bigint is null then l.state in ('frozen', 'published')
                               else l.id = %(release)s::bigint end) published on true
              left join lateral (
                   select f.id, f.key, f.sha256 from curation_rendition f
                    where f.image_id = i.image_id and f.role = 'clean'
                    order by (f.id = published.id) desc nulls last, f.version desc limit 1) f on true
             order by w.place
            """,
            {
                "items": [item for item, _ in chunk.entries],
                "nos": [no for _, no in chunk.entries],
                "release": run.release_id,
            },
        )
        rows = cursor.fetchall()
    answered = _answered(run, chunk) if chunk.round else {}
    return [
        Work(item, no, json.loads(content), rendition_id, key, sha256, answered.get((item, no), frozenset()))
        for item, no, content, rendition_id, key, sha256 in rows
    ]


def _answered(run: Run, chunk: Chunk) -> dict[tuple[int, int], frozenset[str]]:
    rows = Prediction.objects.filter(run=run, item_id__in=[item for item, _ in chunk.entries])
    found: dict[tuple[int, int], set[str]] = {}
    for item, no, variant in rows.values_list("item_id", "revision_no", "variant"):
        found.setdefault((item, no), set()).add(variant)
    return {key: frozenset(variants) for key, variants in found.items()}


class Left(NamedTuple):
    """An open run with something left to do, and the queue whose workers do it."""

    run_id: int
    benchmark_id: int
    queue: str


def runs_with_work() -> list[Left]:
    """The open runs with an unfinished chunk or a revision never tried; stops at the first find of each."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select r.id, r.benchmark_id, s.backend
              from evaluation_run r join evaluation_system s on s.id = r.system_id
             where r.state = 'open'
               and (exists (select 1 from evaluation_chunk c where c.run_id = r.id and c.state <> 'done')
                    or exists (select 1 from ({_WANTED}) w where {_NOT_TRIED}))
             order by r.id
            """,  # noqa: S608  (constants of this module; values are parameters)
            {"image": IMAGE},
        )
        return [Left(run, benchmark, queue_of(backend)) for run, benchmark, backend in cursor.fetchall()]


def left_in_chunks(run_id: int) -> int:
    """How many revisions lie in unfinished chunks."""
    return sum(Chunk.objects.filter(~Q(state=Chunk.State.DONE), run_id=run_id).values_list("size", flat=True))


def unfinished_chunks(run_id: int, at_most: int) -> int:
    """How many chunks are not done, counted up to a limit."""
    return Chunk.objects.filter(~Q(state=Chunk.State.DONE), run_id=run_id)[:at_most].count()


def paused(dedupe_keys: Iterable[str]) -> set[str]:
    """Those keys whose newest job failed a short while ago."""
    lately = Q(finished_at__gt=Now() - PAUSE_AFTER_FAILURE, finished_at__lte=Now() + jobs.CLOCK_SLACK)
    newest = (
        Job.objects.filter(dedupe_key__in=list(dedupe_keys))
        .annotate(lately=ExpressionWrapper(lately, output_field=BooleanField()))
        .order_by("dedupe_key", "-pk")
        .distinct("dedupe_key")
        .values_list("dedupe_key", "state", "lately")
    )
    return {key for key, state, lately in newest if state == Job.State.FAILED and lately}


def job_key(run_id: int, no: int = 0) -> str:
    """Dedupe key of one of the jobs that embed for a run; as many as there are workers may be open at once."""
    return f"embed:{run_id}:{no}"


def job_keys(run_id: int) -> list[str]:
    """Dedupe keys of all jobs a run may have."""
    return [job_key(run_id, no) for no in range(MOST_JOBS)]


class Workers(NamedTuple):
    """The workers of a queue: how many show themselves, when one last did, and the database's time."""

    living: int
    last_seen: Any
    now: Any


def workers() -> dict[str, Workers]:
    """Who serves each of the queues of runs; one statement."""
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


class Failed(NamedTuple):
    """What a system could not answer, as of the newest round."""

    item_id: int
    variant: str
    code: str


def failed_of(run_id: int, release_id: int, split: str) -> list[Failed]:
    """What a run could not answer among the revisions of a release's split and no later round made good."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select u.item_id, u.variant, u.code
              from evaluation_run r cross join lateral ({UNRESOLVED}) u
              join annotation_releaseentry e on e.release_id = %(release)s and e.split = %(split)s
                   and e.item_id = u.item_id and e.revision_no = u.revision_no
             where r.id = %(run)s order by u.item_id, u.variant
            """,  # noqa: S608  (constants of this module; values are parameters)
            {"run": run_id, "release": release_id, "split": split},
        )
        return [Failed(*row) for row in cursor.fetchall()]
