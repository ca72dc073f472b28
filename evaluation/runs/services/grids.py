"""Starting runs over an item set in a grid of settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from curation.core.decisions import Decision
from curation.people.models import Person
from evaluation.runs.errors import NothingToStart
from evaluation.runs.models import Run
from evaluation.runs.rules import Grid
from evaluation.runs.services.planning import PlannedCell, Planner
from evaluation.runs.services.set_runs import create_set_run
from evaluation.sets import access as sets
from evaluation.sets.models import ItemSet


class StartedRuns(NamedTuple):
    """The runs of a grid, and how many of them this request created."""

    benchmark_slug: str
    run_ids: tuple[int, ...]
    created: int


@transaction.atomic
def start_set_runs(*, actor: Person, set_id: int, grid: Grid, client_key: UUID) -> StartedRuns:
    """Start every cell of a grid that can be started; a system is tested in its newest revision here.

    Of a cell whose equal run is open or paused, that run is returned. One whose equal run has ended is started again
    only if the grid says so.

    Raises:
        GridTooLarge: It has more than :data:`MOST_CELLS` cells.
        NothingToStart: No cell can be started, and none has an open run.
        ActionNotAllowed: The set's files were refused, or are not read yet.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    # The lock makes a repeated request wait for its first try.
    row = sets.set_for(actor, set_id, "set_run_start", lock=True)
    slug = row.benchmark.slug
    decision = Decision(actor_id=actor.pk, action="set_run_start", row=row, client_key=client_key)
    request = {"grid": grid.as_json()}
    if earlier := decision.earlier(**request):
        return StartedRuns(slug, tuple(earlier.data["runs"]), created=0)
    planned = Planner(row, grid, adds_systems=True).plan()
    starting = [one for one in planned if one.state == "start"]
    run_ids = [one.equal.run_id for one in planned if one.equal and one.state in (Run.State.OPEN, Run.State.PAUSED)]
    if not starting and not run_ids:
        codes = {one.reason.code if one.reason else one.state: None for one in planned}
        raise NothingToStart(cells=len(planned), reasons=", ".join(codes))
    run_ids += _create_runs(actor, row, starting)
    if starting:
        decision.record(runs=run_ids, created=len(starting), **request)
    return StartedRuns(slug, tuple(run_ids), created=len(starting))


def _create_runs(actor: Person, row: ItemSet, starting: Iterable[PlannedCell]) -> list[int]:
    run_ids = []
    for one in starting:
        if one.settings is None or one.system is None or row.benchmark.protocol_id is None:
            raise ValueError("a cell that is started has a setting, and its benchmark a protocol")
        run = create_set_run(row, one.system, one.settings, protocol_id=row.benchmark.protocol_id, started_by=actor)
        run_ids.append(run.pk)
    return run_ids
