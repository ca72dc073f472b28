"""Runs as pages show them: progress, workers, failures."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count

from annotation.kinds.registry import label
from curation.core import jobs
from curation.core.pages import COUNT_LIMIT, decode_cursor, encode_cursor
from curation.core.transitions import available_actions
from curation.images.models import image_label, media_url
from curation.people.models import Person
from evaluation.runs import access, rules, states
from evaluation.runs.models import Chunk, Run
from evaluation.runs.queries.grids import cost_of, manner_of
from evaluation.runs.queries.work import UNRESOLVED, workers_by_queue
from evaluation.runs.shapes import (
    FailurePage,
    FailureRow,
    RunChunks,
    RunDetail,
    RunError,
    RunErrorCount,
    RunRow,
)
from evaluation.systems.queries import queue_of, system_brief

# The newest runs of a benchmark that its page lists.
MOST_RUNS = 100

# What of the unresolved failures ``u`` with their entries ``e`` is one failure: a picture counts once for all its
# captions.
_INPUT = "case when u.input = 'picture' then -e.image_id else e.id end"


def run_list(
    person: Person, benchmark_slug: str, *, release: int | None = None, item_set: int | None = None
) -> list[RunRow]:
    """List the runs of a benchmark, or those over a release or a set, with their progress, newest first.

    The statements are the same whatever the number of runs.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = access.runs_visible_to(person, benchmark_slug, "run_list")
    if release is not None:
        rows = rows.filter(set__release_id=release)
    if item_set is not None:
        rows = rows.filter(set_id=item_set)
    return _rows(list(rows.order_by("-pk")[:MOST_RUNS]), person)


def run_row(person: Person, run_id: int) -> RunRow:
    """One run as lists show it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    (row,) = _rows([access.run_for(person, run_id, "run_show")], person)
    return row


def started_runs(person: Person, benchmark_slug: str, run_ids: Collection[int]) -> list[RunRow]:
    """The runs of a grid that the person has just started, or that were open.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = access.runs_visible_to(person, benchmark_slug, "run_list")
    return _rows(list(rows.filter(pk__in=run_ids).order_by("pk")), person)


def changed_run(person: Person, run: Run) -> RunRow:
    """As :func:`run_row`, for a run that the person has just changed."""
    return run_row(person, run.pk)


def run_detail(person: Person, run_id: int) -> RunDetail:
    """Show a run with its settings, its workers' environments, and its chunks by state.

    Raises:
        NotFound, OperationNotAllowed.
    """
    run = access.run_for(person, run_id, "run_show")
    (row,) = _rows([run], person)
    by_state = dict(Chunk.objects.filter(run=run).values_list("state").annotate(n=Count("pk")))
    chunks: RunChunks = {
        "queued": by_state.get(Chunk.State.QUEUED, 0),
        "running": by_state.get(Chunk.State.RUNNING, 0),
        "done": by_state.get(Chunk.State.DONE, 0),
        "failed": by_state.get(Chunk.State.FAILED, 0),
    }
    return {**row, "settings": run.settings, "environment": run.environment, "chunks": chunks}


def _rows(runs: Sequence[Run], viewer: Person) -> list[RunRow]:
    if not runs:
        return []
    ids = [run.pk for run in runs]
    workers = workers_by_queue()
    now = next(iter(workers.values())).now
    chunks_of, errors_of, error_of = _chunks(ids, now), _error_counts(ids), _errors(ids)
    rows: list[RunRow] = []
    for run in runs:
        tried = run.answered + run.refused + run.failed
        serving = workers[queue_of(run.system.backend)]
        chunks = chunks_of.get(run.pk, _NO_CHUNKS)
        remaining = max(run.expected - tried, chunks.remaining)
        failed = run.pk in error_of and not chunks.running
        progress = rules.RunProgress(
            state=run.state,
            remaining=remaining,
            heartbeat_at=chunks.heartbeat_at,
            failed=failed,
            worker_alive=serving.living > 0,
        )
        status, silent_s = rules.run_status(progress, now, jobs.LEASE)
        pace = None
        if status == "running":
            pace = rules.pace(done=chunks.done_lately, since=chunks.since, remaining=remaining, now=now)
        release = run.release
        # Failures of entries that have ended since are not retried.
        has_failures = bool(errors_of.get(run.pk)) or failed
        may_retry = has_failures and (release is None or release.state in ("frozen", "published"))
        rows.append(
            {
                "id": run.pk,
                "system": system_brief(run.system),
                "suite": run.suite,
                "release": {"id": release.pk, "label": release.label} if release else None,
                "set": {"id": run.set.pk, "name": run.set.name, "origin": run.set.origin},
                "manner": manner_of(run.settings),
                "state": run.state,
                "status": status,
                "silent_s": silent_s,
                "expected": run.expected,
                "done": tried,
                "failed": run.failed,
                "refused": run.refused,
                "cost": cost_of(run, viewer),
                "per_minute": pace.per_minute if pace else None,
                "seconds_left": pace.seconds_left if pace else None,
                "last_error": error_of[run.pk] if failed else None,
                "errors": errors_of.get(run.pk, []),
                "worker": {
                    "alive": serving.living > 0,
                    "last_seen": serving.last_seen,
                    "workers": serving.living,
                },
                "round": run.round,
                "started_by": {"id": run.started_by.pk, "name": run.started_by.name} if run.started_by else None,
                "created_at": run.created_at,
                "updated_at": max(filter(None, (run.created_at, run.ended_at, chunks.changed_at))),
                "available_actions": _actions(run, viewer, may_retry=may_retry),
            }
        )
    return rows


def _actions(run: Run, viewer: Person, *, may_retry: bool) -> list[str]:
    allowed = available_actions(states.TABLE, run.state, may=lambda op: viewer.may(run.benchmark_id, op))
    return [operation for operation in allowed if may_retry or operation != "run_retry"]


class _Chunks(NamedTuple):
    """A run's chunks: entries remaining, and done lately since when; the last heartbeat; the last change."""

    remaining: int
    running: int
    done_lately: int
    since: datetime | None
    heartbeat_at: datetime | None
    changed_at: datetime | None


_NO_CHUNKS = _Chunks(0, 0, 0, None, None, None)


def _chunks(run_ids: list[int], now: datetime) -> dict[int, _Chunks]:
    with connection.cursor() as cursor:
        values: dict[str, Any] = {"runs": run_ids, "since": now - rules.PACE_WINDOW}
        cursor.execute(
            """
            select c.run_id,
                   coalesce(sum(c.size) filter (where c.state <> 'done'), 0),
                   count(*) filter (where c.state = 'running'),
                   coalesce(sum(c.size) filter (where c.state = 'done' and c.finished_at > %(since)s), 0),
                   min(c.finished_at - c.ms * interval '1 millisecond')
                       filter (where c.state = 'done' and c.finished_at > %(since)s),
                   max(c.heartbeat_at) filter (where c.state = 'running'),
                   max(greatest(c.finished_at, c.heartbeat_at))
              from evaluation_chunk c where c.run_id = any(%(runs)s) group by c.run_id
            """,
            values,
        )
        return {run_id: _Chunks(*rest) for run_id, *rest in cursor.fetchall()}


def _errors(run_ids: list[int]) -> dict[int, RunError]:
    """The error of the chunk of each run that failed last."""
    failed = Chunk.objects.filter(run__in=run_ids, state=Chunk.State.FAILED)
    newest = failed.order_by("run_id", "-finished_at").distinct("run_id")
    return {
        run_id: {"code": code, "params": params}
        for run_id, code, params in newest.values_list("run_id", "error_code", "error_params")
    }


def _error_counts(run_ids: list[int]) -> dict[int, list[RunErrorCount]]:
    """How many inputs of each run have an unresolved failure of each error code."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select r.id, u.code, count(distinct {_INPUT})
              from evaluation_run r cross join lateral ({UNRESOLVED}) u
              join evaluation_entry e on e.id = u.entry_id
             where r.id = any(%(runs)s) and e.ended_at is null group by r.id, u.code
             order by 1, 3 desc, 2
            """,  # noqa: S608  (constants of this package; values are parameters)
            {"runs": run_ids},
        )
        by_run: dict[int, list[RunErrorCount]] = {}
        for run_id, code, n in cursor.fetchall():
            by_run.setdefault(run_id, []).append({"code": code, "n": n})
        return by_run


def failures(
    person: Person, run_id: int, *, code: str | None = None, cursor: str | None = None, page_size: int
) -> FailurePage:
    """List what a run over items could not answer in any round, by the numbers of its entries.

    Args:
        person: The viewer.
        run_id: The run.
        code: Only failures with this error code.
        cursor: The ``next`` of the previous page.
        page_size: Rows a page.

    Raises:
        InvalidInput: The cursor is not one of this list.
        NotFound, OperationNotAllowed.
    """
    run = access.run_for(person, run_id, "run_failures")
    after = decode_cursor(cursor) if cursor else 0
    values = {"run": run.pk, "code": code, "after": after, "rows": page_size + 1, "most": COUNT_LIMIT + 1}
    matching = f"""
        select distinct on ({_INPUT}) u.*, e.no, e.item_id, e.revision_no, e.part, e.key, e.image_id
          from evaluation_run r cross join lateral ({UNRESOLVED}) u
          join evaluation_entry e on e.id = u.entry_id
         where r.id = %(run)s and e.item_id is not null and e.ended_at is null
           and (%(code)s::text is null or u.code = %(code)s)
         order by {_INPUT}, e.no
    """  # noqa: S608  (constants)
    with connection.cursor() as sql:
        sql.execute(f"select count(*) from (select 1 from ({matching}) m limit %(most)s) t", values)  # noqa: S608
        total = int(sql.fetchone()[0])
        sql.execute(
            f"""
            select u.no, u.item_id, u.revision_no, u.input, u.part, u.key, u.code, u.message, u.round,
                   i.kind, i.number, m.id, m.number, t.id, t.key
              from (select * from ({matching}) u where u.no > %(after)s order by u.no limit %(rows)s) u
              join annotation_item i on i.id = u.item_id
              join curation_image m on m.id = u.image_id
              left join curation_rendition t
                on t.image_id = m.id and t.role = 'thumb' and t.version = m.redaction_no + 1
             order by u.no
            """,  # noqa: S608  (constants of this package; values are parameters)
            values,
        )
        rows = sql.fetchall()
    more, rows = len(rows) > page_size, rows[:page_size]
    return {
        "results": [_failure(*row[1:]) for row in rows],
        "next": encode_cursor(rows[-1][0]) if more else None,
        "total": min(total, COUNT_LIMIT),
        "total_is_capped": total > COUNT_LIMIT,
    }


def _failure(
    item_id: int,
    revision_no: int,
    failed: str,
    part: int,
    key: str,
    code: str,
    message: str,
    round_: int,
    kind: str,
    number: int,
    image_id: int,
    image_number: int,
    thumb_id: int | None,
    thumb_key: str | None,
) -> FailureRow:
    thumb = media_url(image_id, thumb_id, "thumb", thumb_key) if thumb_id and thumb_key else ""
    return {
        "item": {"id": item_id, "label": label(kind, number)},
        "revision_no": revision_no,
        "variant": {"picture": "image", "text": f"caption-{part}"}.get(failed, key),
        "code": code,
        "message": message,
        "round": round_,
        "image": {"id": image_id, "label": image_label(image_number), "thumb_url": thumb},
    }
