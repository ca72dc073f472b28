"""Tables and charts of what profiles score, as files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from curation.core.errors import NotFound
from evaluation.leaderboards.queries.board import FORMATS
from evaluation.leaderboards.queries.files import File, Language, written
from evaluation.leaderboards.queries.profile_tables import (
    MOST_ROWS,
    Tables,
    groups_of,
    headline_of,
    metric_name,
    tags_of,
    text_only_of,
)
from evaluation.leaderboards.rules.cells import Board, Cell, Group, System, display_names
from evaluation.leaderboards.rules.chart import charted
from evaluation.leaderboards.shapes import BoardFile
from evaluation.runs.shapes import RunManner
from evaluation.submissions.queries import ScoredRow, figures

_WHOLE: Final = "leaderboard"
_GROUPS: Final = "groups-"


def files_of(tables: Tables, profile: str, rows: Sequence[ScoredRow], tags: Sequence[str]) -> list[BoardFile]:
    """The files that can be made of a board; figures that are no shares have tables alone."""
    if not rows:
        return []
    query = urlencode({**tables.query, "profile": profile})
    whole = charted(_whole(tables, profile, rows))
    of_groups = FORMATS if headline_of(rows) in whole else FORMATS[:2]
    stems = {_WHOLE: FORMATS if whole else FORMATS[:2], **{f"{_GROUPS}{tag}": of_groups for tag in tags}}
    names = [f"{stem}.{ending}" for stem, endings in stems.items() for ending in endings]
    return [{"name": name, "url": f"{tables.files}{name}?{query}"} for name in names]


def profile_file(tables: Tables, *, name: str, profile: str | None, theme: str = "light", lang: Language) -> File:
    """A table or a chart of a profile's board.

    Raises:
        NotFound: There is no such file, or the profile has no rows.
    """
    profile, rows = tables.board(profile)
    if name not in {file["name"] for file in files_of(tables, profile, rows, tags_of(rows))}:
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
    blind = text_only_of(rows)
    metrics = dict.fromkeys(metric_name(figure) for row in rows for figure in figures(row.report["metrics"]))
    cells = [
        _cell(key, "", metric, row.report, blind[row.key].report if row.key in blind else None)
        for key, row in enumerate(rows)
        for metric in metrics
        if metric in row.report["metrics"]
    ]
    return _board(tables, profile, rows, list(metrics), cells)


def _by_group(tables: Tables, profile: str, rows: Sequence[ScoredRow], tag: str, lang: Language) -> Board:
    best, blind, metric = rows[:MOST_ROWS], text_only_of(rows), headline_of(rows)
    groups, _ = groups_of(tables, best, tag)

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
                manner=_manner(row.manner),
                is_blind=row.manner is not None and row.manner["scale"] is None,
                cost=(row.cost["amount"], row.cost["currency"]) if row.cost else ("", ""),
            )
            for key, row in enumerate(rows)
        ],
        groups=[],
        cells=cells,
    )


def names_of(rows: Iterable[tuple[str, RunManner | None]], lang: Language) -> list[str]:
    """The names of a table's systems in their order; those of equal name get what tells them apart.

    Args:
        rows: Each row's system, and how it was asked; None for what was submitted.
        lang: The language of the words.
    """
    systems = [
        System(
            key=key,
            name=name,
            slug="",
            revision="",
            is_demo=False,
            lacks=False,
            manner=_manner(manner),
            is_blind=manner is not None and manner["scale"] is None,
        )
        for key, (name, manner) in enumerate(rows)
    ]
    return list(display_names(systems, lang).values())


def _manner(manner: RunManner | None) -> tuple[str, ...]:
    if manner is None:
        return ()
    settings = (str(manner[part]) for part in ("setting", "means", "side", "language", "prompt"))
    return (*settings, f"{manner['shots']}-shot")
