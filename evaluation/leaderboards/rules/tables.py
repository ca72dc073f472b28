"""Boards as CSV for programs and spreadsheets, and as LaTeX for papers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any, Final

from curation.charts.latex import escaped
from curation.lib.spreadsheets import as_text
from evaluation.leaderboards.rules.cells import Board, Cell, display_names
from evaluation.leaderboards.rules.words import WORDS
from evaluation.profiles.base import NO_SHARES

COLUMNS: Final = (
    "release",
    "profile",
    "gallery",
    "row",
    "system",
    "name",
    "revision",
    "manner",
    "scope",
    "metric",
    "group_by",
    "group",
    "group_name",
    "value",
    "low",
    "high",
    "n_expected",
    "n_scored",
    "n_missing",
    "n_failed",
    "n_unparsable",
    "n_refused",
    "chance",
    "text_only",
    "cost",
    "currency",
)


def to_csv(board: Board) -> bytes:
    """Write one line per number, as UTF-8 with a byte-order mark; without it spreadsheets guess the encoding.

    Numbers have Python's full precision; an empty cell is a number that does not exist.
    """
    systems = {system.key: system for system in board.systems}
    groups = {group.key: group.name for group in board.groups}
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for cell in board.cells:
        system = systems[cell.system]
        about = [board.title, board.profile, board.digest, system.row, system.slug, system.name, system.revision]
        about.append(" ".join([*system.manner, *(["text-only"] if system.is_blind else [])]))
        about += [cell.scope, cell.metric, board.group_by, cell.group, groups.get(cell.group, "")]
        numbers = (_number(value) for value in cell[4:])
        writer.writerow([*(as_text(text) for text in about), *numbers, *system.cost])
    return b"\xef\xbb\xbf" + out.getvalue().encode()


SUBMISSION_COLUMNS: Final = (
    *("release", "profile", "submission", "system", "crew", "scope", "metric"),
    *("value", "low", "high", "n", "chance", "expected", "scored", "missing", "unparsable", "refused", "failed"),
)


def submissions_to_csv(title: str, tables: Iterable[Mapping[str, Any]]) -> bytes:
    """Write the listed submissions, one line per number; see :func:`to_csv`."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(SUBMISSION_COLUMNS)
    for table in tables:
        for row in table["rows"]:
            for figure in row["figures"]:
                about = [
                    title,
                    table["profile"],
                    row["id"] or f"run-{row['run']}",
                    row["system"],
                    row["crew"],
                    figure["scope"],
                    figure["metric"],
                ]
                numbers = [_number(figure[part]) for part in ("value", "low", "high", "n", "chance")]
                counts = [row[f"n_{name}"] for name in SUBMISSION_COLUMNS[SUBMISSION_COLUMNS.index("expected") :]]
                writer.writerow([*(as_text(cell) for cell in about), *numbers, *counts])
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)


def to_latex(board: Board, *, lang: str) -> bytes:
    """Write a ``booktabs`` table: systems as lines; for groups, groups as lines and systems as columns.

    Shares are percent with one digit, followed by the 95% interval in brackets. The best of a column (over everything)
    or line (by group) is bold. Where guessing has a level, the last line or column has it.
    """
    body = _by_group(board, lang) if board.group_by else _whole(board, lang)
    words = WORDS[lang]
    head = [
        f"% {_comment(board.title)} | {_comment(board.profile)} | {_comment(board.digest)}",
        f"% {words.interval}",
        "% \\usepackage{booktabs}; Chinese needs XeLaTeX or LuaLaTeX with ctex",
    ]
    return ("\n".join([*head, *body]) + "\n").encode()


def _comment(text: str) -> str:
    return " ".join(text.split())


def _whole(board: Board, lang: str) -> list[str]:
    words, called = WORDS[lang], display_names(board.systems, lang)
    columns = [(scope, metric) for scope in board.scopes for metric in board.metrics]
    cells = {(cell.system, cell.scope, cell.metric): cell for cell in board.cells}
    best = {c: _best([cells.get((s.key, *c)) for s in board.systems]) for c in columns}
    width = len(board.metrics)
    scopes = () if board.about_questions else board.scopes
    spans = " & ".join(f"\\multicolumn{{{width}}}{{c}}{{{escaped(words.scopes[s])}}}" for s in scopes)
    rules = " ".join(f"\\cmidrule(lr){{{2 + i * width}-{1 + (i + 1) * width}}}" for i in range(len(scopes)))
    lines = [f"\\begin{{tabular}}{{l{'r' * len(columns)}}}", "\\toprule"]
    lines += [f" & {spans} \\\\", rules] if scopes else []
    names = [words.metrics.get(metric, metric) for _, metric in columns]
    lines += [" & ".join([escaped(words.system), *map(escaped, names)]) + " \\\\", "\\midrule"]
    for system in board.systems:
        values = [_latex(cells.get((system.key, *c)), best[c]) for c in columns]
        lines.append(" & ".join([escaped(called[system.key]), *values]) + " \\\\")
    lines += _guessing(board, columns, lang)
    return [*lines, "\\bottomrule", "\\end{tabular}"]


def _guessing(board: Board, columns: list[tuple[str, str]], lang: str) -> list[str]:
    """Return the line with what guessing gives by each metric, if it gives anything by one."""
    chances = {(cell.scope, cell.metric): cell.chance for cell in board.cells if cell.chance is not None}
    if not chances:
        return []
    values = [_percent(chances[column]) if column in chances else "--" for column in columns]
    return ["\\midrule", " & ".join([escaped(WORDS[lang].guess), *values]) + " \\\\"]


def _by_group(board: Board, lang: str) -> list[str]:
    words, called = WORDS[lang], display_names(board.systems, lang)
    metric = board.metrics[0]
    chances = {cell.group: cell.chance for cell in board.cells if cell.metric == metric and cell.chance is not None}
    guess = [escaped(words.guess)] if chances else []
    cells = {(cell.system, cell.scope, cell.group): cell for cell in board.cells if cell.metric == metric}
    lines = []
    for scope in board.scopes:
        title = ", ".join([*([words.scopes[scope]] if scope else []), words.metrics.get(metric, metric)])
        width = len(board.systems) + len(guess)
        lines += [f"% {title}", f"\\begin{{tabular}}{{l{'r' * width}}}", "\\toprule"]
        lines.append(f"\\multicolumn{{{1 + width}}}{{l}}{{{escaped(title)}}} \\\\")
        names = [escaped(called[system.key]) for system in board.systems]
        lines.append(" & ".join([escaped(words.group[board.group_by]), *names, *guess]) + " \\\\")
        lines.append("\\midrule")
        for group in board.groups:
            of = [cells.get((s.key, scope, group.key)) for s in board.systems]
            best = _best(of)
            values = [_latex(cell, best) for cell in of]
            values += [_percent(chances[group.key]) if group.key in chances else "--"] if guess else []
            lines.append(" & ".join([escaped(group.name), *values]) + " \\\\")
        lines += ["\\bottomrule", "\\end{tabular}"]
    return lines


def _best(cells: list[Cell | None]) -> str | None:
    """Return the highest share as printed, so that equal shares are all bold; None for fewer than two values."""
    shares = [cell for cell in cells if cell is not None and cell.metric not in NO_SHARES]
    values = [cell.value for cell in shares if cell.value is not None]
    return _percent(max(values)) if len(values) > 1 else None


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _latex(cell: Cell | None, best: str | None) -> str:
    if cell is None or cell.value is None:
        return "--"
    if cell.metric in NO_SHARES:
        return f"{cell.value:.1f}"
    percent = _percent(cell.value)
    percent = f"\\textbf{{{percent}}}" if percent == best else percent
    if cell.low is None or cell.high is None:
        return percent
    return f"{percent} {{\\scriptsize [{_percent(cell.low)}, {_percent(cell.high)}]}}"
