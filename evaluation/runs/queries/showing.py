"""What the pages of runs show: how far each is, who works on it, what failed."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from annotation.kinds.registry import label
from curation.core.errors import InvalidInput
from curation.core.models import Job
from curation.core.pages import COUNT_LIMIT
from curation.core.transitions import available_actions
from curation.images.models import image_label, media_url
from curation.people.models import Person
from evaluation.runs import access, rules, states
from evaluation.runs.models import Chunk, Run
from evaluation.runs.queries.work import UNRESOLVED, job_keys, workers
from evaluation.suites.rules import IMAGE
from evaluation.systems.queries import queue_of

# The newest runs of a benchmark that its page lists.
MOST_RUNS = 100

# A rolling run is judged by what is accepted now; what it failed at before that does not count.
_OF_NOW = """
    (r.release_id is not null or exists (select 1 from annotation_item i where i.id = u.item_id
        and i.state = 'accepted' and i.accepted_no = u.revision_no))
"""


def run_list(person: Person, slug: str, operation: str, *, release_id: int | None = None) -> list[dict[str, Any]]:
    """A benchmark's runs, newest first: rolling ones, and those over releases or over one release.

    The statements are the same whatever the number of runs.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = access.runs_visible_to(person, slug, operation)
    if release_id is not None:
        rows = rows.filter(release_id=release_id)
    return _shown(list(rows.order_by("-pk")[:MOST_RUNS]), person)


def run_row(person: Person, run_id: int, operation: str) -> dict[str, Any]:
    """One run as lists show it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    (row,) = _shown([access.run_for(person, run_id, operation)], person)
    return row


def run_detail(person: Person, run_id: int, operation: str) -> dict[str, Any]:
    """One run with its settings, what it was carried out with, and its chunks by state.

    Raises:
        NotFound, OperationNotAllowed.
    """
    run = access.run_for(person, run_id, operation)
    (row,) = _shown([run], person)
    counted = Counter(Chunk.objects.filter(run=run).values_list("state", flat=True))
    chunks = {state: counted[state] for state in Chunk.State.values}
    return row | {"settings": run.settings, "environment": run.environment, "chunks": chunks}


def _shown(runs: Sequence[Run], viewer: Person) -> list[dict[str, Any]]:
    if not runs:
        return []
    ids = [run.pk for run in runs]
    serving = workers()
    now = next(iter(serving.values())).now
    counts, chunks, failed, jobs = _counts(ids), _chunks(ids, now), _failed(ids), _jobs(ids)
    rows = []
    for run in runs:
        expected, tried = counts.get(run.pk, (0, 0))
        seen = serving[queue_of(run.system.backend)]
        at, wrong, job = chunks.get(run.pk, _NO_CHUNKS), failed.get(run.pk, _NONE_FAILED), jobs.get(run.pk, _NO_JOBS)
        if run.release_id is not None:
            tried = expected if run.state == Run.State.CLOSED else at.tried
        left = max(expected - tried, at.left)
        heard = max(filter(None, (at.heard, job.heard)), default=None)
        failed_job = job.newest is not None and job.newest.state == Job.State.FAILED and not job.open
        standing = rules.Standing(
            state=run.state,
            left=left,
            at_work=heard is not None,
            heard=heard,
            job_failed=failed_job,
            worker_alive=seen.living > 0,
        )
        shown, silent_s = rules.shown(standing, now)
        pace = rules.pace(done=at.lately, since=at.since, left=left, now=now) if shown == "running" else None
        error = job.newest if failed_job and left else None
        rows.append(
            {
                "id": run.pk,
                "system": run.system,
                "suite": run.suite,
                "release": run.release,
                "state": run.state,
                "shown": shown,
                "silent_s": silent_s,
                "expected": expected,
                "done": tried,
                "failed": wrong.revisions,
                "per_minute": pace.per_minute if pace else None,
                "seconds_left": pace.seconds_left if pace else None,
                "last_error": {"code": error.error_code, "params": error.error_params} if error else None,
                "errors": wrong.codes,
                "worker": {"alive": seen.living > 0, "last_seen": seen.last_seen, "workers": seen.living},
                "job": job.newest,
                "round": run.round,
                "started_by": run.started_by,
                "created_at": run.created_at,
                "updated_at": max(filter(None, (run.created_at, run.ended_at, heard, job.at, at.done_at))),
                "available_actions": _actions(run, viewer, retry=bool(wrong.revisions or failed_job) and _stands(run)),
            }
        )
    return rows


def _actions(run: Run, viewer: Person, *, retry: bool) -> list[str]:
    open_to_me = available_actions(states.TABLE, run.state, may=lambda op: viewer.may(run.benchmark_id, op))
    return [operation for operation in open_to_me if retry or operation != "run_retry"]


def _stands(run: Run) -> bool:
    return run.release is None or run.release.state in ("frozen", "published")


def _counts(run_ids: list[int]) -> dict[int, tuple[int, int]]:
    """Revisions each run wants, and for rolling ones how many of these were tried."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select r.id, count(*), count(*) filter (where exists (
                       select 1 from evaluation_prediction p where p.run_id = r.id and p.item_id = i.id
                          and p.revision_no = i.accepted_no and p.variant = %(image)s)
                    or exists (
                       select 1 from evaluation_failure f where f.run_id = r.id and f.item_id = i.id
                          and f.revision_no = i.accepted_no and f.variant = %(image)s))
              from evaluation_run r
              join annotation_item i on i.benchmark_id = r.benchmark_id and i.kind = r.settings ->> 'kind'
                                    and i.state = 'accepted'
             where r.id = any(%(runs)s) and r.release_id is null group by r.id
            union all
            select r.id, e.n, 0
              from evaluation_run r
              join (select e.release_id, count(*) as n from annotation_releaseentry e
                     where e.release_id in (select release_id from evaluation_run where id = any(%(runs)s))
                     group by e.release_id) e on e.release_id = r.release_id
             where r.id = any(%(runs)s)
            """,
            {"image": IMAGE, "runs": run_ids},
        )
        return {run_id: (expected, tried) for run_id, expected, tried in cursor.fetchall()}


class _Chunks(NamedTuple):
    """How far a run's chunks are: revisions tried, left, done lately since when; when a holder was last heard."""

    tried: int
    left: int
    lately: int
    since: datetime | None
    heard: datetime | None
    done_at: datetime | None


_NO_CHUNKS = _Chunks(0, 0, 0, None, None, None)


def _chunks(run_ids: list[int], now: datetime) -> dict[int, _Chunks]:
    with connection.cursor() as cursor:
        asked: dict[str, Any] = {
            "runs": run_ids,
            "since": now - rules.PACE_OVER,
            "lease": rules.CHUNK_LEASE,
        }
        cursor.execute(
            """
            select c.run_id,
                   coalesce(sum(c.size) filter (where c.state = 'done' and c.round = 0), 0),
                   coalesce(sum(c.size) filter (where c.state <> 'done'), 0),
                   coalesce(sum(c.size) filter (where c.done_at > %(since)s), 0),
                   min(c.done_at - c.ms * interval '1 millisecond') filter (where c.done_at > %(since)s),
                   max(c.lease_until) - %(lease)s, max(c.done_at)
              from evaluation_chunk c where c.run_id = any(%(runs)s) group by c.run_id
            """,
            asked,
        )
        return {run_id: _Chunks(*rest) for run_id, *rest in cursor.fetchall()}


class _Failed(NamedTuple):
    """Revisions where something failed, and how often each code was said."""

    revisions: int
    codes: list[dict[str, Any]]


_NONE_FAILED = _Failed(0, [])


def _failed(run_ids: list[int]) -> dict[int, _Failed]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select r.id, u.code, count(*), count(distinct (u.item_id, u.revision_no))
              from evaluation_run r cross join lateral ({UNRESOLVED}) u
             where r.id = any(%(runs)s) and {_OF_NOW}
             group by grouping sets ((r.id), (r.id, u.code)) order by r.id, 3 desc, u.code
            """,  # noqa: S608  (constants of this package; values are parameters)
            {"runs": run_ids},
        )
        found: dict[int, _Failed] = {}
        for run_id, code, n, revisions in cursor.fetchall():
            before = found.get(run_id, _NONE_FAILED)
            if code is None:
                found[run_id] = _Failed(revisions, before.codes)
            else:
                found[run_id] = _Failed(before.revisions, [*before.codes, {"code": code, "n": n}])
        return found


class _Jobs(NamedTuple):
    """The job to show, whether any is open, when a running one was last heard, when the last one changed."""

    newest: Job | None
    open: bool
    heard: datetime | None
    at: datetime | None


_NO_JOBS = _Jobs(None, open=False, heard=None, at=None)


def _jobs(run_ids: list[int]) -> dict[int, _Jobs]:
    keys = {key: run_id for run_id in run_ids for key in job_keys(run_id)}
    newest = Job.objects.filter(dedupe_key__in=list(keys)).order_by("dedupe_key", "-pk").distinct("dedupe_key")
    of_run: dict[int, list[Job]] = {}
    for job in newest:
        of_run.setdefault(keys[job.dedupe_key], []).append(job)
    found = {}
    for run_id, some in of_run.items():
        running = [job for job in some if job.state == Job.State.RUNNING]
        queued = [job for job in some if job.state == Job.State.QUEUED]
        found[run_id] = _Jobs(
            newest=max(running or queued or some, key=lambda job: job.pk),
            open=bool(running or queued),
            heard=max((job.heartbeat_at for job in running if job.heartbeat_at), default=None),
            at=max((job.finished_at or job.heartbeat_at or job.created_at for job in some), default=None),
        )
    return found


def failures(
    person: Person, run_id: int, operation: str, *, code: str | None, cursor: str | None, page_size: int
) -> dict[str, Any]:
    """What a run could not answer and no later round made good, by item.

    Args:
        person: Who asks.
        run_id: Which run.
        operation: What the person does.
        code: Only failures of this kind.
        cursor: What the previous page called ``next``.
        page_size: Rows a page.

    Raises:
        InvalidInput: The cursor is none of this list.
        NotFound, OperationNotAllowed.
    """
    run = access.run_for(person, run_id, operation)
    item_id, no, variant = _read(cursor) if cursor else (0, 0, "")
    given = {
        "run": run.pk,
        "code": code,
        "item": item_id,
        "no": no,
        "variant": variant,
        "rows": page_size + 1,
        "most": COUNT_LIMIT + 1,
    }
    wanted = f"""
        from evaluation_run r cross join lateral ({UNRESOLVED}) u
       where r.id = %(run)s and {_OF_NOW} and (%(code)s::text is null or u.code = %(code)s)
    """
    with connection.cursor() as sql:
        sql.execute(f"select count(*) from (select 1 {wanted} limit %(most)s) t", given)  # noqa: S608  (constants)
        total = int(sql.fetchone()[0])
        sql.execute(
            f"""
            select u.*, i.kind, i.number, m.id, m.number, t.id, t.key
              from (select u.* {wanted}
                       and (u.item_id, u.revision_no, u.variant) > (%(item)s, %(no)s, %(variant)s)
                     order by u.item_id, u.revision_no, u.variant limit %(rows)s) u
              join annotation_item i on i.id = u.item_id
              join curation_image m on m.id = i.image_id
              left join lateral (select t.id, t.key from curation_rendition t where t.image_id = m.id
                                    and t.role = 'thumb' order by t.version desc limit 1) t on true
             order by u.item_id, u.revision_no, u.variant
            """,  # noqa: S608  (constants of this package; values are parameters)
            given,
        )
        rows = sql.fetchall()
    more, rows = len(rows) > page_size, rows[:page_size]
    return {
        "results": [_failure(*row) for row in rows],
        "next": _write(*rows[-1][:3]) if more else None,
        "total": min(total, COUNT_LIMIT),
        "total_is_capped": total > COUNT_LIMIT,
    }


def _failure(
    item_id: int,
    revision_no: int,
    variant: str,
    code: str,
    said: str,
    round_: int,
    kind: str,
    number: int,
    image_id: int,
    image_number: int,
    thumb_id: int | None,
    thumb_key: str | None,
) -> dict[str, Any]:
    thumb = media_url(image_id, thumb_id, "thumb", thumb_key) if thumb_id and thumb_key else ""
    return {
        "item": {"id": item_id, "label": label(kind, number)},
        "revision_no": revision_no,
        "variant": variant,
        "code": code,
        "said": said,
        "round": round_,
        "image": {"id": image_id, "label": image_label(image_number), "thumb_url": thumb},
    }


def _write(item_id: int, revision_no: int, variant: str) -> str:
    return base64.urlsafe_b64encode(json.dumps([item_id, revision_no, variant]).encode()).decode().rstrip("=")


def _read(cursor: str) -> tuple[int, int, str]:
    try:
        item_id, no, variant = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        return _whole(item_id, 2**63), _whole(no, 2**31), _name(variant)
    except (ValueError, TypeError) as error:
        raise InvalidInput(fields={"cursor": ["Not a cursor of this list."]}) from error


def _whole(value: Any, limit: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= limit:
        raise ValueError
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError
    return value
