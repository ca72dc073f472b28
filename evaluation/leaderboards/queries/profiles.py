"""Boards of what profiles score: runs over an item set, and for a release submissions too.

A board reads the reports of at most 200 runs, and of what was submitted those that are listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from annotation.releases import access as releases
from annotation.releases.models import Release
from curation.core.errors import NotFound
from curation.people.models import Person
from evaluation.leaderboards.errors import RowNotComparable
from evaluation.leaderboards.queries.board import FORMATS, board_groups, compared
from evaluation.leaderboards.queries.files import File, Language, board_file, written
from evaluation.leaderboards.rules.cells import Board, Cell, Group, System
from evaluation.leaderboards.rules.chart import charted
from evaluation.leaderboards.rules.pairs import fourfold
from evaluation.leaderboards.shapes import BoardFile, ProfileBoard, ProfileGroup, ProfileRow, SystemsCompared
from evaluation.profiles.base import BREAKDOWNS
from evaluation.profiles.reports import SEED
from evaluation.profiles.results import Rights
from evaluation.runs import access as runs
from evaluation.scoring.models import ReportUnits
from evaluation.scoring.queries import kind_with_results, label_with_kind, scored_runs
from evaluation.scoring.rules import SCOPES
from evaluation.submissions.models import SubmissionUnits
from evaluation.submissions.queries import ScoredRow, by_profile, figures, least_group_of, rows_of_runs, scored_rows
from evaluation.submissions.rules import publishable_groups
from evaluation.submissions.shapes import ScoredFigure
from evaluation.suites.rules import SUITES

#: Rows of a board with groups, the best, and its groups, the largest.
MOST_ROWS: Final = 50
MOST_GROUPS: Final = 100
_WHOLE: Final = "leaderboard"
_GROUPS: Final = "groups-"


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


def set_board(person: Person, set_id: int, *, profile: str | None = None, tag: str | None = None) -> ProfileBoard:
    """Show what runs score on an item set, by one tag of its questions.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return content(_of_set(person, set_id, "set_board"), profile=profile, tag=tag)


def release_board(
    person: Person, release_id: int, *, kind: str | None = None, profile: str | None = None, tag: str | None = None
) -> ProfileBoard:
    """Show what runs and listed submissions score on a kind of a release, by one tag of its questions.

    Raises:
        NotFound, OperationNotAllowed, ReleaseWithdrawn.
    """
    release = releases.available_release_for(person, release_id, "leaderboard_profile")
    return content(tables_of_release(person, release, kind), profile=profile, tag=tag)


def set_board_file(
    person: Person, set_id: int, *, name: str, profile: str | None = None, theme: str = "light", lang: Language
) -> File:
    """One of the files of a set's board.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return profile_file(_of_set(person, set_id, "set_board_file"), name=name, profile=profile, theme=theme, lang=lang)


def release_file(
    person: Person,
    release_id: int,
    *,
    name: str,
    kind: str | None = None,
    profile: str | None = None,
    theme: str = "light",
    lang: Language,
) -> File:
    """One of the files of a release's board; with a profile of its board of what that scores.

    Raises:
        NotFound: There is no such file.
        OperationNotAllowed, ReleaseWithdrawn.
    """
    if profile is None:
        return board_file(person, release_id, name=name, kind=kind, theme=theme, lang=lang)
    release = releases.available_release_for(person, release_id, "leaderboard_file")
    return profile_file(tables_of_release(person, release, kind), name=name, profile=profile, theme=theme, lang=lang)


def set_comparison(person: Person, set_id: int, *, one: str, other: str, profile: str | None = None) -> SystemsCompared:
    """Compare two runs over a set question by question, with pictures as the independent units.

    Raises:
        NotFound, OperationNotAllowed, RowNotComparable.
    """
    return _compared(_of_set(person, set_id, "set_board_compare"), profile, one, other)


def release_comparison(
    person: Person, release_id: int, *, one: str, other: str, profile: str | None = None, kind: str | None = None
) -> SystemsCompared:
    """Compare two runs or submissions for a release question by question, with pictures as the independent units.

    Raises:
        NotFound, OperationNotAllowed, ReleaseWithdrawn, RowNotComparable.
    """
    release = releases.available_release_for(person, release_id, "leaderboard_profile_compare")
    return _compared(tables_of_release(person, release, kind), profile, one, other)


def _of_set(person: Person, set_id: int, operation: str) -> Tables:
    item_set = runs.set_of_runs_for(person, set_id, operation)
    profiles = SUITES[item_set.suite].profiles
    rows = list(rows_of_runs(scored_runs(item_set), is_open=True))
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


def content(tables: Tables, *, profile: str | None, tag: str | None) -> ProfileBoard:
    """The board of a profile, broken down by a tag; without one by the first of several values.

    Raises:
        NotFound: The profile has no rows, or their questions do not have the tag.
    """
    name, rows = tables.board(profile)
    tags = _tags(rows)
    if tag is not None and tag not in tags:
        raise NotFound
    tag = next(iter(tags), "") if tag is None else tag
    best = rows[:MOST_ROWS]
    groups, n_groups = _groups(tables, best, tag)
    metric = _headline(rows)
    blind, comparable = _text_only(rows), _comparable(best)
    return {
        "profiles": list(tables.rows),
        "profile": name,
        "metric": metric,
        "tags": tags,
        "tag": tag,
        "chance": _chance(rows, metric),
        "groups": groups,
        "n_groups": n_groups,
        "least_group": tables.least_group,
        "rows": [_row(row, blind.get(row.key), groups, tag, row.key in comparable) for row in best],
        "n_rows": len(rows),
        "charts": _files(tables, name, rows, tags),
    }


def _tags(rows: Sequence[ScoredRow]) -> list[str]:
    """The tags by which questions differ; retrieval's directions are none."""
    members: dict[str, set[str]] = {}
    for row in rows:
        for tag, groups in row.report["breakdowns"].items():
            members.setdefault(tag, set()).update(groups)
    several = {tag for tag, values in members.items() if len(values) > 1 and not values <= set(SCOPES)}
    return [tag for tag in BREAKDOWNS if tag in several]


def _groups(tables: Tables, rows: Sequence[ScoredRow], tag: str) -> tuple[list[ProfileGroup], int]:
    """The largest groups of a tag in display order, and how many there are."""
    metric = _headline(rows)
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


def _headline(rows: Sequence[ScoredRow]) -> str:
    """The metric that boards are ordered by, as reports name it."""
    names = (_metric_name(figure) for row in rows for figure in figures(row.report["metrics"])[:1])
    return next(names, "")


def _metric_name(figure: ScoredFigure) -> str:
    return f"{figure['scope']} {figure['metric']}".strip()


def _chance(rows: Sequence[ScoredRow], metric: str) -> float | None:
    """What guessing gives, over the most questions: some profiles count only what was answered."""
    parts: list[Mapping[str, Any]] = [row.report["metrics"].get(metric, {}) for row in rows]
    widest = max(parts, key=lambda part: part.get("n") or 0, default=None)
    return widest.get("chance") if widest else None


def _text_only(rows: Sequence[ScoredRow]) -> dict[str, ScoredRow]:
    """The row of the same setting without pictures, by the key of the row that it is beside."""
    by_run = {row.run: row for row in rows if row.run is not None}
    return {row.key: by_run[row.text_only] for row in rows if row.text_only in by_run}


def _figure(part: Mapping[str, Any], metric: str) -> ScoredFigure | None:
    value = part["metrics"].get(metric)
    return figures({metric: value})[0] if value is not None and value.get("value") is not None else None


def _row(
    row: ScoredRow, text_only: ScoredRow | None, groups: Sequence[ProfileGroup], tag: str, is_comparable: bool
) -> ProfileRow:
    metric = _headline([row])
    members = row.report["breakdowns"].get(tag, {})
    blind = _figure(text_only.report, metric) if text_only else None
    return {
        "key": row.key,
        "run": row.run,
        "submission": row.submission,
        "system": row.system,
        "crew": row.crew,
        "manner": row.manner,
        "is_demo": row.is_demo,
        "is_comparable": is_comparable,
        "has_samples": row.has_samples,
        "figure": next(iter(figures(row.report["metrics"])), None),
        "text_only": blind["value"] if blind else None,
        "groups": [_figure(members[group["group"]], metric) if group["group"] in members else None for group in groups],
    }


# --- files ------------------------------------------------------------------------------------------------------------


def _files(tables: Tables, profile: str, rows: Sequence[ScoredRow], tags: Sequence[str]) -> list[BoardFile]:
    """The files that can be made of a board; figures that are no shares have tables alone."""
    if not rows:
        return []
    query = urlencode({**tables.query, "profile": profile})
    whole = charted(_whole(tables, profile, rows))
    of_groups = FORMATS if _headline(rows) in whole else FORMATS[:2]
    stems = {_WHOLE: FORMATS if whole else FORMATS[:2], **{f"{_GROUPS}{tag}": of_groups for tag in tags}}
    names = [f"{stem}.{ending}" for stem, endings in stems.items() for ending in endings]
    return [{"name": name, "url": f"{tables.files}{name}?{query}"} for name in names]


def profile_file(tables: Tables, *, name: str, profile: str | None, theme: str = "light", lang: Language) -> File:
    """A table or a chart of a profile's board.

    Raises:
        NotFound: There is no such file, or the profile has no rows.
    """
    profile, rows = tables.board(profile)
    if name not in {file["name"] for file in _files(tables, profile, rows, _tags(rows))}:
        raise NotFound
    stem = name.rpartition(".")[0]
    if stem == _WHOLE:
        return written(lambda _: _whole(tables, profile, rows), tables.stem, name, theme=theme, lang=lang)
    tag = stem.removeprefix(_GROUPS)
    return written(
        lambda words: _by_group(tables, profile, rows, tag, words),
        tables.stem,
        name,
        theme=theme,
        lang=lang,
    )


def _whole(tables: Tables, profile: str, rows: Sequence[ScoredRow]) -> Board:
    blind = _text_only(rows)
    metrics = dict.fromkeys(_metric_name(figure) for row in rows for figure in figures(row.report["metrics"]))
    cells = [
        _cell(key, "", metric, row.report, blind[row.key].report if row.key in blind else None)
        for key, row in enumerate(rows)
        for metric in metrics
        if metric in row.report["metrics"]
    ]
    return _board(tables, profile, rows, list(metrics), cells)


def _by_group(tables: Tables, profile: str, rows: Sequence[ScoredRow], tag: str, lang: Language) -> Board:
    best, blind, metric = rows[:MOST_ROWS], _text_only(rows), _headline(rows)
    groups, _ = _groups(tables, best, tag)

    def part(row: ScoredRow | None, group: str) -> Mapping[str, Any] | None:
        parts: Mapping[str, Mapping[str, Any]] = row.report["breakdowns"].get(tag, {}) if row else {}
        return parts.get(group)

    cells = [
        _cell(key, group["group"], metric, own, part(blind.get(row.key), group["group"]))
        for key, row in enumerate(best)
        for group in groups
        if (own := part(row, group["group"]))
    ]
    displayed = [Group(group["group"], group["name"][lang]) for group in groups]
    return _board(tables, profile, best, [metric], cells)._replace(group_by=tag, groups=displayed)


def _cell(key: int, group: str, metric: str, part: Mapping[str, Any], blind: Mapping[str, Any] | None) -> Cell:
    """A number of a report, or of a group in one, which counts its questions alone."""
    figure, of_blind = part["metrics"].get(metric, {}), blind["metrics"].get(metric, {}) if blind else {}
    return Cell(
        system=key,
        scope="",
        metric=metric,
        group=group,
        value=figure.get("value"),
        low=figure.get("low"),
        high=figure.get("high"),
        n_expected=part["n"] if group else part["n_expected"],
        n_scored=(figure.get("n") or 0) if group else part["n_scored"],
        n_missing=part.get("n_missing"),
        n_failed=part.get("n_failed"),
        n_unparsable=part.get("n_unparsable"),
        n_refused=part.get("n_refused"),
        chance=figure.get("chance"),
        text_only=of_blind.get("value"),
    )


def _board(tables: Tables, profile: str, rows: Sequence[ScoredRow], metrics: list[str], cells: list[Cell]) -> Board:
    return Board(
        title=tables.title,
        profile=profile,
        digest="" if tables.least_group else tables.digest,
        group_by="",
        scopes=[""],
        metrics=metrics,
        systems=[
            System(
                key=key,
                name=row.system,
                slug=row.slug,
                revision=row.revision,
                is_demo=row.is_demo,
                lacks=row.report["n_missing"] > 0,
                row=row.key,
                manner=_manner(row),
                is_blind=row.manner is not None and row.manner["scale"] is None,
            )
            for key, row in enumerate(rows)
        ],
        groups=[],
        cells=cells,
    )


def _manner(row: ScoredRow) -> tuple[str, ...]:
    if row.manner is None:
        return ()
    settings = (str(row.manner[part]) for part in ("setting", "means", "side", "language", "prompt"))
    return (*settings, f"{row.manner['shots']}-shot")


# --- comparison -------------------------------------------------------------------------------------------------------


def _comparable(rows: Sequence[ScoredRow]) -> set[str]:
    """The keys of rows with results by question."""
    reports = {row.scored: row.key for row in rows if row.run is not None}
    submitted = {row.scored: row.key for row in rows if row.run is None}
    with_units = ReportUnits.objects.filter(pk__in=reports).exclude(rights={}).values_list("pk", flat=True)
    others = SubmissionUnits.objects.filter(pk__in=submitted).exclude(rights={}).values_list("pk", flat=True)
    return {*(reports[pk] for pk in with_units), *(submitted[pk] for pk in others)}


def _rights(row: ScoredRow) -> Rights:
    units = (ReportUnits if row.run is not None else SubmissionUnits).objects.filter(pk=row.scored)
    rights: Rights | None = units.values_list("rights", flat=True).first()
    if not rights:
        raise RowNotComparable(row=row.key)
    return rights


def _compared(tables: Tables, profile: str | None, one: str, other: str) -> SystemsCompared:
    _, rows = tables.board(profile)
    by_key = {row.key: row for row in rows}
    if one not in by_key or other not in by_key:
        raise NotFound
    return compared(fourfold(_rights(by_key[one]), _rights(by_key[other])), seed=SEED)
