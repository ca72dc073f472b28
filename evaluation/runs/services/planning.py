"""What each cell of a grid would be: its setting, what it costs and takes, and why it cannot be started."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import ROUND_UP, Decimal
from math import ceil
from typing import Any, Final, cast

from curation.calls.queries import amount, budget_left
from curation.calls.rules import Price
from curation.core.errors import ActionNotAllowed, DomainError
from curation.people.models import Person
from evaluation.runs import queries
from evaluation.runs.errors import (
    GridTooLarge,
    RunAsksNothing,
    RunCellRepeats,
    RunNeedsBudget,
    RunNeedsWorker,
    RunOverBudget,
    RunStartTooLarge,
    SystemNotForSuite,
)
from evaluation.runs.models import Run
from evaluation.runs.queries import EqualRun, Share
from evaluation.runs.rules import MOST_CELLS, MOST_QUESTIONS, Cell, CellState, Grid, ms_for, that_fit
from evaluation.runs.services.pricing import highest_cost, is_paid, price_for
from evaluation.runs.services.set_runs import require_runnable
from evaluation.runs.services.settings import Completer
from evaluation.runs.services.sweeping import MAX_WORKERS
from evaluation.runs.shapes import RunCell, RunPlan, RunPlanCost
from evaluation.sets import access as sets
from evaluation.sets.models import ItemSet
from evaluation.suites.rules import SUITES, settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from evaluation.systems.models import System

_DIGITS: Final = Decimal("0.0001")


@dataclass(slots=True)
class PlannedCell:
    """A cell, and what is known about the run that it would be.

    Attributes:
        system: Its newest revision here; None if there is none.
        settings: The complete setting; None if there is no such setting.
        digest: Of the setting.
        equal: A run of the same system and setting.
        questions: How many it asks.
        price: Of its replies; None: they cost nothing.
        cost: The most that they cost; None: not known.
        seconds: How long it takes; None: not known.
        reason: Why it cannot be started.
    """

    cell: Cell
    system: System | None = None
    settings: dict[str, Any] | None = None
    digest: str = ""
    equal: EqualRun | None = None
    questions: int | None = None
    price: Price | None = None
    cost: Decimal | None = None
    seconds: float | None = None
    reason: DomainError | None = None

    @property
    def state(self) -> CellState:
        """What a start does with it."""
        if self.reason is not None:
            return "blocked"
        return "start" if self.equal is None else cast(CellState, self.equal.state)


def plan_set_runs(person: Person, set_id: int, *, grid: Grid) -> RunPlan:
    """Say for each cell of a grid what starting it does, costs and takes; nothing is started.

    Raises:
        GridTooLarge: It has more than :data:`MOST_CELLS` cells.
        ActionNotAllowed: The set's files were refused, or are not read yet.
        NotFound, OperationNotAllowed.
    """
    row = sets.set_for(person, set_id, "set_run_plan")
    planner = Planner(row, grid)
    planned = planner.plan()
    starting = [one for one in planned if one.state == "start"]
    return {
        "cells": [_cell_answer(one) for one in planned],
        "starts": len(starting),
        "questions": sum(one.questions or 0 for one in starting),
        "costs": planner.costs(starting),
        "seconds": planner.seconds_of(starting),
    }


class Planner:
    """Plans the cells of a grid over one set; what several cells share is read once.

    Args:
        row: The set.
        grid: The choices.
        adds_systems: Whether a system that ships and was never used is added, which writes.

    Raises:
        GridTooLarge: The grid has more than :data:`MOST_CELLS` cells.
        ActionNotAllowed: The set's files were refused or are not read yet, or its release was withdrawn.
    """

    def __init__(self, row: ItemSet, grid: Grid, *, adds_systems: bool = False) -> None:
        if row.state != ItemSet.State.READY or row.benchmark.protocol_id is None:
            raise ActionNotAllowed(action="set_run_start", state=row.state)
        require_runnable(row, "set_run_start")
        if grid.size > MOST_CELLS:
            raise GridTooLarge(cells=grid.size, maximum=MOST_CELLS)
        self._row, self._grid, self._completer = row, grid, Completer(row)
        self._systems = _systems(grid.systems, adds=adds_systems)
        ids = [system.pk for system in self._systems.values()]
        self._equal = queries.equal_runs(row, ids)
        self._workers = queries.workers_by_queue()
        self._pace = queries.pace_rows(ids)
        self._shares: dict[str, list[Share]] = {}
        self._left: dict[str, Decimal | None] = {}

    def plan(self) -> list[PlannedCell]:
        """Return the cells in the grid's order."""
        planned = [self._describe(cell) for cell in self._grid.cells()]
        _block_repeats(planned)
        self._block_beyond_budget(planned)
        starting = [one for one in planned if one.state == "start"]
        fits = that_fit([one.questions or 0 for one in starting], MOST_QUESTIONS)
        for one in (one for one, fit in zip(starting, fits, strict=True) if not fit):
            one.reason = RunStartTooLarge(maximum=MOST_QUESTIONS)
        return planned

    def _describe(self, cell: Cell) -> PlannedCell:
        one = PlannedCell(cell, self._systems.get(cell.system))
        try:
            self._complete(one)
        except DomainError as error:
            one.reason = error
        return one

    def _complete(self, one: PlannedCell) -> None:
        """Fill in what is known of a cell.

        Raises:
            DomainError: Why it cannot be started.
        """
        system = one.system
        if system is None:
            raise SystemNotForSuite(system=one.cell.system, suite=self._row.suite)
        one.settings = settings = self._completer.complete(system, one.cell.chosen)
        one.digest = settings_digest(settings)
        equal = self._equal.get((system.pk, one.digest))
        if equal is None or equal.state != Run.State.CLOSED or not self._grid.again:
            one.equal = equal
        shares = self._shares_for(settings)
        one.questions = sum(share.questions for share in shares)
        if not one.questions:
            raise RunAsksNothing(setting=settings["setting"])
        if one.equal is not None:
            return
        if any(is_paid(settings, share) for share in shares) and "generate" not in system.capabilities:
            raise SystemNotForSuite(system=system.slug, suite=self._row.suite)
        workers = self._workers[system_queries.queue_of(system.backend)].living
        has_picture = settings["picture"] is not None
        of_system = [row for row in self._pace if row.system_id == system.pk]
        if ms := ms_for(of_system, settings["means"], settings["setting"], has_picture=has_picture):
            one.seconds = ms * one.questions / 1000 / max(1, min(workers, MAX_WORKERS))
        self._add_cost(one, system, settings, shares)
        if not workers:
            raise RunNeedsWorker(queue=system_queries.queue_of(system.backend))

    def _add_cost(self, one: PlannedCell, system: System, settings: Mapping[str, Any], shares: Sequence[Share]) -> None:
        if any(is_paid(settings, share) for share in shares):
            one.price = price_for(system)
        one.cost = highest_cost(system, one.price, settings, shares) if one.price else Decimal(0)
        if one.price and self._left_in(one.price) is None:
            raise RunNeedsBudget(system=system.slug, currency=one.price.currency)

    def _shares_for(self, settings: Mapping[str, Any]) -> list[Share]:
        side, setting = settings["side"], SUITES[self._row.suite].setting(settings["setting"])
        if side not in self._shares:
            self._shares[side] = queries.shares_of(self._row, side)
        return [share for share in self._shares[side] if setting is not None and setting.asks(share.type)]

    def _left_in(self, price: Price) -> Decimal | None:
        if price.currency not in self._left:
            self._left[price.currency] = budget_left(self._row.benchmark, price)
        return self._left[price.currency]

    def _block_beyond_budget(self, planned: Iterable[PlannedCell]) -> None:
        """Block the cells whose highest cost does not fit into what the cells before them leave of the budget."""
        paid = [one for one in planned if one.state == "start" and one.price is not None]
        for currency, left in self._left.items():
            same = [one for one in paid if one.price and one.price.currency == currency]
            fits = that_fit([one.cost or Decimal(0) for one in same], left or Decimal(0))
            for one in (one for one, fit in zip(same, fits, strict=True) if not fit):
                one.reason = RunOverBudget(
                    estimate=_rounded_up(one.cost or Decimal(0)), left=amount(left or Decimal(0)), currency=currency
                )

    def costs(self, starting: Iterable[PlannedCell]) -> list[RunPlanCost]:
        """Sum what cells cost at most, by currency."""
        totals: dict[str, Decimal] = {}
        for one in starting:
            if one.price is not None:
                totals[one.price.currency] = totals.get(one.price.currency, Decimal(0)) + (one.cost or Decimal(0))
        return [
            {"currency": currency, "cost": _rounded_up(total), "left": amount(self._left[currency] or Decimal(0))}
            for currency, total in sorted(totals.items())
        ]

    def seconds_of(self, starting: Iterable[PlannedCell]) -> int | None:
        """How long cells take together: one after the other on each queue; None if one's time is not known."""
        by_queue: dict[str, float] = {}
        for one in starting:
            if one.seconds is None or one.system is None:
                return None
            queue = system_queries.queue_of(one.system.backend)
            by_queue[queue] = by_queue.get(queue, 0.0) + one.seconds
        return ceil(max(by_queue.values(), default=0.0))


def _rounded_up(cost: Decimal) -> str:
    """A highest cost, rounded up to the digits that budgets have."""
    return amount(cost.quantize(_DIGITS, rounding=ROUND_UP))


def _systems(slugs: Iterable[str], *, adds: bool) -> dict[str, System]:
    """The newest revision of each system that is here."""
    names = set(slugs)
    systems = system_queries.newest_by_slug(names)
    if adds and names - systems.keys() & system_queries.records().keys():
        system_services.ensure_fixture_systems()
        systems = system_queries.newest_by_slug(names)
    return systems


def _block_repeats(planned: Iterable[PlannedCell]) -> None:
    """Block each cell that asks the same as one before it: a way that is not chosen may be one that is."""
    seen: set[tuple[int, str]] = set()
    for one in planned:
        if one.system is None or one.state == "blocked":
            continue
        if (one.system.pk, one.digest) in seen:
            one.reason = RunCellRepeats()
        seen.add((one.system.pk, one.digest))


def _cell_answer(one: PlannedCell) -> RunCell:
    chosen = one.cell.chosen
    manner: Mapping[str, Any] = queries.manner_of(one.settings) if one.settings else asdict(chosen)
    return {
        "system": one.cell.system,
        "name": one.system.name if one.system else one.cell.system,
        "setting": manner["setting"],
        "means": manner["means"],
        "side": manner["side"],
        "language": manner["language"],
        "prompt": manner["prompt"],
        "scale": manner["scale"] if one.settings or chosen.picture else None,
        "shots": manner["shots"],
        "state": one.state,
        "run": one.equal.run_id if one.equal and one.reason is None else None,
        "questions": one.questions,
        "cost": None if one.cost is None else _rounded_up(one.cost),
        "currency": one.price.currency if one.price else None,
        "seconds": None if one.seconds is None else ceil(one.seconds),
        "reason": {"code": one.reason.code, "params": one.reason.params} if one.reason else None,
    }
