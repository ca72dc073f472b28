"""The rows of boards by profile, and what several views of a board read in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from annotation.releases.models import Release
from curation.core.errors import NotFound
from curation.people.models import Person
from evaluation.leaderboards.queries.board import board_groups
from evaluation.leaderboards.shapes import ProfileGroup
from evaluation.profiles.base import BREAKDOWNS
from evaluation.runs import access as runs
from evaluation.scoring.queries import kind_with_results, label_with_kind, scored_runs
from evaluation.scoring.rules import SCOPES
from evaluation.submissions.queries import ScoredRow, by_profile, figures, least_group_of, rows_of_runs, scored_rows
from evaluation.submissions.rules import publishable_groups
from evaluation.submissions.shapes import ScoredFigure
from evaluation.suites.rules import SUITES

#: Rows of a board with groups, the best, and its groups, the largest.
MOST_ROWS: Final = 50
MOST_GROUPS: Final = 100


class Tables(NamedTuple):
    """The rows of boards by profile, and what their files say and where they are.

    Attributes:
        title: What charts are headed with.
        stem: What names of files begin with.
        files: The address of their files, without the name.
        query: What the address of each file ends with, beside its profile.
        least_group: The smallest group with figures; 0: every group has some.
    """

    title: str
    stem: str
    digest: str
    benchmark_id: int
    rows: Mapping[str, list[ScoredRow]]
    files: str
    query: Mapping[str, str]
    least_group: int = 0

    def board(self, profile: str | None) -> tuple[str, list[ScoredRow]]:
        """The rows of a profile, by default of the first with rows; ``""`` and none if nothing is scored.

        Raises:
            NotFound: The profile has no rows.
        """
        name = next(iter(self.rows), "") if profile is None else profile
        if profile is not None and profile not in self.rows:
            raise NotFound
        rows = self.rows.get(name, [])
        return name, [row._replace(report=self._publishable(row.report)) for row in rows]

    def _publishable(self, report: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**report, "breakdowns": publishable_groups(report, self.least_group)} if self.least_group else report


def tables_of_set(person: Person, set_id: int, operation: str) -> Tables:
    """The tables of an item set.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item_set = runs.set_of_runs_for(person, set_id, operation)
    profiles = SUITES[item_set.suite].profiles
    rows = list(rows_of_runs(scored_runs(item_set), person, is_open=True))
    return Tables(
        item_set.name or item_set.label,
        item_set.label,
        item_set.digest,
        item_set.benchmark_id,
        by_profile(rows, profiles),
        f"/api/v1/sets/{item_set.pk}/board/",
        {},
        least_group_of(item_set.release) if item_set.release else 0,
    )


def tables_of_release(person: Person | None, release: Release, kind: str | None) -> Tables:
    """The tables of a kind of a release; ``person`` is the reader, None: anybody.

    Where the release withholds answers, groups are as large as in the reports of submissions.

    Raises:
        NotFound: The release does not hold the kind.
    """
    kind = kind_with_results(release, kind)
    title = label_with_kind(release, kind)
    return Tables(
        title,
        title,
        release.digest,
        release.benchmark_id,
        scored_rows(person, release, kind),
        f"/api/v1/releases/{release.pk}/leaderboard/",
        {} if release.kind else {"kind": kind},
        least_group_of(release),
    )


def tags_of(rows: Sequence[ScoredRow]) -> list[str]:
    """The tags by which questions differ; retrieval's directions are none."""
    members: dict[str, set[str]] = {}
    for row in rows:
        for tag, groups in row.report["breakdowns"].items():
            members.setdefault(tag, set()).update(groups)
    several = {tag for tag, values in members.items() if len(values) > 1 and not values <= set(SCOPES)}
    return [tag for tag in BREAKDOWNS if tag in several]


def groups_of(tables: Tables, rows: Sequence[ScoredRow], tag: str) -> tuple[list[ProfileGroup], int]:
    """The largest groups of a tag in display order, and how many there are."""
    metric = headline_of(rows)
    counts: dict[str, int] = {}
    chances: dict[str, float | None] = {}
    for row in rows:
        for group, part in row.report["breakdowns"].get(tag, {}).items():
            counts[group] = max(counts.get(group, 0), part["n"])
            if chances.get(group) is None:
                chances[group] = part["metrics"].get(metric, {}).get("chance")
    largest = dict(sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST_GROUPS])
    ordered = board_groups(tables.benchmark_id, {(tag, group): n for group, n in largest.items()})
    return [{**group, "chance": chances[group["group"]]} for group in ordered], len(counts)


def headline_of(rows: Sequence[ScoredRow]) -> str:
    """The metric that boards are ordered by, as reports name it."""
    names = (metric_name(figure) for row in rows for figure in figures(row.report["metrics"])[:1])
    return next(names, "")


def metric_name(figure: ScoredFigure) -> str:
    """The metric as reports name it, with its direction."""
    return f"{figure['scope']} {figure['metric']}".strip()


def chance_of(rows: Sequence[ScoredRow], metric: str) -> float | None:
    """What guessing gives, over the most questions: some profiles count only what was answered."""
    parts: list[Mapping[str, Any]] = [row.report["metrics"].get(metric, {}) for row in rows]
    widest = max(parts, key=lambda part: part.get("n") or 0, default=None)
    return widest.get("chance") if widest else None


def text_only_of(rows: Sequence[ScoredRow]) -> dict[str, ScoredRow]:
    """The row of the same setting without pictures, by the key of the row that it is beside."""
    by_run = {row.run: row for row in rows if row.run is not None}
    return {row.key: by_run[row.text_only] for row in rows if row.text_only in by_run}
