"""Reads about the cells of a grid: equal runs, what the questions of a set have, the pace of earlier runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from django.db import connection

from curation.calls.queries import amount
from curation.people.models import Person
from evaluation.runs.models import Run
from evaluation.runs.rules import PaceRow
from evaluation.runs.shapes import RunCost, RunManner
from evaluation.sets.models import ItemSet

# The newest runs of a system from which its pace is known.
_NEWEST = 20


def manner_of(settings: Mapping[str, Any]) -> RunManner:
    """How a run over a set asks its questions, from its complete setting."""
    numbers = {no for _, _, no, _ in settings.get("prompts", {}).values()}
    return {
        "setting": settings["setting"],
        "means": settings["means"],
        "side": settings["side"],
        "language": settings["language"],
        "prompt": max(numbers, default=None),
        "scale": settings["picture"][0] if settings["picture"] else None,
        "shots": settings["shots"]["number"] if settings.get("shots") else 0,
    }


def cost_of(run: Run, viewer: Person | None) -> RunCost | None:
    """What a run's replies cost, as readers see it who may see spending; None for others, and if they were free."""
    if not run.currency or viewer is None or not viewer.may(run.benchmark_id, "spending_show"):
        return None
    return {"amount": amount(run.cost), "currency": run.currency}


def text_only_runs(runs: Iterable[Run]) -> dict[int, int]:
    """For each run that sends pictures the newest that differs in one thing alone: it sends none."""
    manners = {run.pk: (run.system_id, manner_of(run.settings)) for run in runs}

    def same_but_picture(system_id: int, manner: RunManner) -> tuple[Any, ...]:
        return (system_id, *(value for name, value in manner.items() if name != "scale"))

    blind = {same_but_picture(*manners[pk]): pk for pk in sorted(manners) if manners[pk][1]["scale"] is None}
    seeing = {pk: same_but_picture(*one) for pk, one in manners.items() if one[1]["scale"] is not None}
    return {pk: blind[same] for pk, same in seeing.items() if same in blind}


class EqualRun(NamedTuple):
    """A run of the same system and setting over the same set."""

    run_id: int
    state: str


def equal_runs(item_set: ItemSet, system_ids: Collection[int]) -> dict[tuple[int, str], EqualRun]:
    """The run of some systems over a set by system and digest of the setting: an open one, else the newest that ended.

    Cancelled runs do not count.
    """
    rows = Run.objects.filter(set=item_set, system__in=system_ids).exclude(state=Run.State.CANCELLED).order_by("pk")
    equal: dict[tuple[int, str], EqualRun] = {}
    for run_id, system_id, digest, state in rows.values_list("pk", "system_id", "settings_sha256", "state"):
        key = system_id, digest
        if key not in equal or equal[key].state == Run.State.CLOSED:
            equal[key] = EqualRun(run_id, state)
    return equal


class Share(NamedTuple):
    """The questions of a set that have one type, and options or not.

    Attributes:
        pictures: How many of them have a picture.
        bytes: Bytes of their texts as JSON, all together.
        options: The most options that one has.
    """

    type: str
    has_options: bool
    questions: int
    pictures: int
    bytes: int
    options: int


def shares_of(item_set: ItemSet, side: str) -> list[Share]:
    """What the questions of a set have in one language; one statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select t ->> 'type', jsonb_array_length(t -> 'options') > 0, count(*),
                   count(coalesce(e.picture_id, e.image_id)),
                   sum(octet_length(t::text)),
                   max(case when jsonb_typeof(t -> 'values' -> 'options') = 'array'
                            then jsonb_array_length(t -> 'values' -> 'options') else 0 end)
              from evaluation_entry e cross join lateral (select e.texts -> %(side)s) s (t)
             where e.set_id = %(set)s and e.ended_at is null
             group by 1, 2 order by 1, 2
            """,
            {"set": item_set.pk, "side": side},
        )
        return [Share(*row) for row in cursor.fetchall()]


def pace_rows(system_ids: Collection[int]) -> list[PaceRow]:
    """How long workers took for the chunks of the newest runs of some systems over sets; one statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select r.system_id, r.settings ->> 'means', r.settings ->> 'setting', r.settings -> 'picture' <> 'null',
                   sum(c.ms), sum(c.size)
              from (select id, system_id, settings, row_number() over (partition by system_id order by id desc) as no
                      from evaluation_run
                     where system_id = any(%(systems)s)) r
              join evaluation_chunk c on c.run_id = r.id and c.state = 'done' and c.ms is not null
             where r.no <= %(newest)s
             group by 1, 2, 3, 4
            """,
            {"systems": list(system_ids), "newest": _NEWEST},
        )
        return [PaceRow(*row) for row in cursor.fetchall()]
