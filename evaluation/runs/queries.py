"""Reads about runs: what is left to do, how far they are.

"Wanted" by a rolling run are the accepted revisions of its benchmark and kind, and the revisions that frozen releases
hold: an item reopened after a freeze still has to be scored as it was frozen. All predictions of a revision are
written in one statement, so the one for its picture stands for all of them, and finding what is left is one probe of
the primary key for each revision.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core import jobs
from curation.core.models import Job
from curation.people.models import Person
from evaluation.runs import access
from evaluation.runs.models import Run
from evaluation.suites.rules import IMAGE

# A run whose job failed is left alone for this long, so that a broken system does not fill the job table.
PAUSE_AFTER_FAILURE = timedelta(minutes=10)

_WANTED = """
    select i.id as item_id, i.accepted_no as revision_no, null::bigint as rendition_id
      from annotation_item i
     where i.benchmark_id = r.benchmark_id and i.kind = r.settings ->> 'kind' and i.state = 'accepted'
    union all
    select e.item_id, e.revision_no, e.rendition_id
      from annotation_release l join annotation_releaseentry e on e.release_id = l.id
     where l.benchmark_id = r.benchmark_id and l.kind = r.settings ->> 'kind' and l.state = 'frozen'
"""
_NOT_PREDICTED = """
    not exists (select 1 from evaluation_prediction p where p.run_id = r.id and p.item_id = w.item_id
                   and p.revision_no = w.revision_no and p.variant = %(image)s)
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


class Work(NamedTuple):
    """A revision to predict, and the picture file that goes with it.

    ``key`` is empty where the picture has no clean rendition; ``image_bytes_sha256`` is that file's.
    """

    item_id: int
    revision_no: int
    content: dict[str, Any]
    rendition_id: int | None
    key: str
    image_bytes_sha256: str


def pending(run: Run, limit: int) -> list[Work]:
    """Revisions without predictions, at most ``limit``, lowest item first."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select w.item_id, w.revision_no, v.content::text, f.id, coalesce(f.key, ''), coalesce(f.sha256, '')
              from (select w.item_id, w.revision_no, max(w.rendition_id) as rendition_id
                      from evaluation_run r cross join lateral ({_WANTED}) w
                     where r.id = %(run)s and {_NOT_PREDICTED}
                     group by w.item_id, w.revision_no order by w.item_id, w.revision_no limit %(limit)s) w
              join annotation_itemrevision v on v.item_id = w.item_id and v.no = w.revision_no
              join annotation_item i on i.id = w.item_id
              left join lateral (
                   select f.id, f.key, f.sha256 from curation_rendition f
                    where f.image_id = i.image_id and f.role = 'clean'
                    order by (f.id = w.rendition_id) desc nulls last, f.version desc limit 1) f on true
             order by w.item_id, w.revision_no
            """,  # noqa: S608  (only constants of this module are put together)
            {"run": run.pk, "limit": limit, "image": IMAGE},
        )
        return [Work(item, no, json.loads(content), *file) for item, no, content, *file in cursor.fetchall()]


def count_pending(run: Run) -> int:
    """How many revisions have no predictions yet."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select count(*) from (
                select distinct w.item_id, w.revision_no from evaluation_run r cross join lateral ({_WANTED}) w
                 where r.id = %(run)s and {_NOT_PREDICTED}) t
            """,  # noqa: S608  (constants of this module; values are parameters)
            {"run": run.pk, "image": IMAGE},
        )
        return int(cursor.fetchone()[0])


def runs_with_work() -> list[int]:
    """The open rolling runs that have something left to predict; stops at the first find of each."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select r.id from evaluation_run r
             where r.state = 'open' and r.release_id is null
               and exists (select 1 from ({_WANTED}) w where {_NOT_PREDICTED})
             order by r.id
            """,  # noqa: S608  (constants of this module; values are parameters)
            {"image": IMAGE},
        )
        return [row[0] for row in cursor.fetchall()]


def paused(dedupe_keys: Iterable[str]) -> set[str]:
    """Those keys whose newest job failed a short while ago."""
    newest = (
        Job.objects.filter(dedupe_key__in=list(dedupe_keys))
        .order_by("dedupe_key", "-pk")
        .distinct("dedupe_key")
        .values_list("dedupe_key", "state", "finished_at")
    )
    since = timezone.now() - PAUSE_AFTER_FAILURE
    return {key for key, state, at in newest if state == Job.State.FAILED and at is not None and at > since}


def job_key(run_id: int) -> str:
    """Dedupe key of the job that embeds for a run."""
    return f"embed:{run_id}"


def acceptance_runs(person: Person, slug: str, operation: str) -> list[dict[str, Any]]:
    """How far a benchmark's rolling runs are, for their page: five statements whatever their number.

    ``expected``, ``done`` and ``failed`` count accepted items: all, those with predictions of the accepted revision,
    and among these the ones where a picture or a text could not be embedded.
    """
    found = list(access.acceptance_runs_visible_to(person, slug, operation).order_by("pk"))
    counts = _counts([run.pk for run in found])
    newest = {
        job.dedupe_key: job
        for job in Job.objects.filter(dedupe_key__in=[job_key(run.pk) for run in found])
        .order_by("dedupe_key", "-pk")
        .distinct("dedupe_key")
    }
    worker = jobs.last_seen("gpu")
    rows = []
    for run in found:
        job = newest.get(job_key(run.pk))
        expected, done, failed = counts.get(run.pk, (0, 0, 0))
        rows.append(
            {
                "id": run.pk,
                "system": run.system,
                "suite": run.suite,
                "state": run.state,
                "expected": expected,
                "done": done,
                "failed": failed,
                "last_error": {"code": job.error_code, "params": job.error_params} if job and job.error_code else None,
                "job": job,
                "worker": worker,
                "updated_at": (job.finished_at or job.heartbeat_at or job.created_at) if job else run.created_at,
            }
        )
    return rows


def _counts(run_ids: list[int]) -> dict[int, tuple[int, int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select r.id, count(*), count(p.item_id), count(*) filter (where p.item_id is not null and exists (
                     select 1 from evaluation_prediction q where q.run_id = r.id and q.item_id = i.id
                        and q.revision_no = i.accepted_no and q.outcome = 'failed'))
              from evaluation_run r
              join annotation_item i on i.benchmark_id = r.benchmark_id and i.kind = r.settings ->> 'kind'
                                    and i.state = 'accepted'
              left join evaluation_prediction p on p.run_id = r.id and p.item_id = i.id
                                               and p.revision_no = i.accepted_no and p.variant = %s
             where r.id = any(%s) group by r.id
            """,
            [IMAGE, run_ids],
        )
        return {run_id: (expected, done, failed) for run_id, expected, done, failed in cursor.fetchall()}
