"""The chart of a board in Vega-Lite, in any language and theme: shares with whiskers, or a heat map."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from curation.charts.figure import DIGITS, HEADING, LONGEST_LABEL, SHAPES, THEMES, Theme, frame, labels, short, wide
from evaluation.leaderboards.rules.cells import Board, names_apart
from evaluation.leaderboards.rules.words import WORDS
from evaluation.profiles.base import NO_SHARES

# With more groups the chart is a heat map, because the whiskers would overlap.
MOST_WITH_WHISKERS: Final = 8
_WIDTH: Final = 300  # of one panel, in pixels
_LINE: Final = 13  # height of one point with its whisker
_PAD: Final = 12  # between systems


def define(board: Board, *, lang: str, theme: str) -> dict[str, Any]:
    """Define the chart of a board: shares with whiskers, or a heat map for many groups and for groups of questions."""
    colours = THEMES[theme]
    board = board._replace(metrics=charted(board))
    return frame(
        _heat(board, colours, lang) if _is_heat(board) else _whiskers(board, colours, lang),
        title=board.title,
        subtitle=_subtitle(board, lang),
        values=_values(board, lang, first_only=bool(board.group_by)),
        lang=lang,
        theme=theme,
    )


def _is_heat(board: Board) -> bool:
    return len(board.groups) > MOST_WITH_WHISKERS or (board.about_questions and bool(board.group_by))


def charted(board: Board) -> list[str]:
    """Return the metrics that a chart shows: shares with intervals, of groups the first metric alone.

    A heat map shows no intervals, so it needs none: groups of one picture each have none.
    """
    metrics = board.metrics[:1] if board.group_by else board.metrics
    if _is_heat(board):
        return [metric for metric in metrics if metric not in NO_SHARES]
    with_interval = {cell.metric for cell in board.cells if cell.low is not None}
    return [metric for metric in metrics if metric in with_interval and metric not in NO_SHARES]


def _subtitle(board: Board, lang: str) -> str:
    words = WORDS[lang]
    if board.group_by:
        return words.metrics.get(board.metrics[0], board.metrics[0])
    about = words.metrics.get(board.metrics[0], board.metrics[0]) if board.about_questions else words.share
    guessing = "" if board.chance is None else f"; {words.guessing} ({100 * board.chance:.1f})"
    return f"{about} ({words.intervals}{guessing})"


def _rows(board: Board, lang: str) -> dict[int, str]:
    """Return the labels of rows, no two of them equal: names are cut, and what tells rows apart only if it is long."""
    names = names_apart(board.systems, lang)
    rows = {key: short(short(name, LONGEST_LABEL - wide([apart])) + apart) for key, (name, apart) in names.items()}
    counts = Counter(rows.values())
    for system in board.systems:
        if counts[rows[system.key]] > 1:
            number = f" #{system.row}"
            rows[system.key] = short("".join(names[system.key]), LONGEST_LABEL - wide([number])) + number
    return rows


def _values(board: Board, lang: str, *, first_only: bool) -> list[dict[str, Any]]:
    words, called = WORDS[lang], _rows(board, lang)
    groups = {group.key: group.name for group in board.groups}
    return [
        {
            "system": called[cell.system],
            "scope": words.scopes[cell.scope],
            "series": short(groups[cell.group]) if board.group_by else words.metrics.get(cell.metric, cell.metric),
            "value": round(100 * cell.value, 4),
            "low": round(100 * (cell.value if cell.low is None else cell.low), 4),
            "high": round(100 * (cell.value if cell.high is None else cell.high), 4),
        }
        for cell in board.cells
        if cell.value is not None and cell.metric in (board.metrics[:1] if first_only else board.metrics)
    ]


def _whiskers(board: Board, colours: Theme, lang: str) -> dict[str, Any]:
    words = WORDS[lang]
    systems = list(_rows(board, lang).values())
    metrics = [words.metrics.get(metric, metric) for metric in board.metrics]
    series = [short(group.name) for group in board.groups] if board.group_by else metrics
    y = {
        "field": "system",
        "type": "nominal",
        "sort": systems,
        "title": None,
        "axis": labels(systems),
        "scale": {"domain": systems, "padding": 0.15},
    }
    offset = {"field": "series", "type": "nominal", "sort": series, "scale": {"domain": series}}
    colour = {
        "field": "series",
        "type": "nominal",
        "title": words.group.get(board.group_by) or None,
        "scale": {"domain": series, "range": colours.series[: len(series)]},
        "sort": series,
    }
    scale = {"domain": [0, 100], "nice": False}
    x = {"type": "quantitative", "scale": scale, "title": None, "axis": {"tickCount": 5, "labelFont": DIGITS}}
    cap = {"type": "tick", "orient": "vertical", "size": 7, "thickness": 1.4}
    guessing = {
        "mark": {"type": "rule", "strokeDash": [4, 3], "color": colours.faint},
        "encoding": {"x": {"datum": round(100 * (board.chance or 0), 4), **x}},
    }
    points = [
        {
            "mark": {"type": "rule", "strokeWidth": 1.4},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
        },
        {"mark": cap, "encoding": {"x": {"field": "low", **x}}},
        {"mark": cap, "encoding": {"x": {"field": "high", **x}}},
        {
            "mark": {"type": "point", "filled": True, "size": 52, "opacity": 1},
            "encoding": {
                "x": {"field": "value", **x},
                "shape": {**colour, "scale": {"domain": series, "range": SHAPES[: len(series)]}},
            },
        },
    ]
    return {
        "facet": {"column": _facet(board, lang)},
        "spec": {
            "width": _WIDTH,
            "height": max(1, len(systems)) * (max(1, len(series)) * _LINE + _PAD),
            # The line has no place among the systems, so theirs is an encoding of the points alone.
            "layer": [
                *([] if board.chance is None else [guessing]),
                {"encoding": {"y": y, "yOffset": offset, "color": colour}, "layer": points},
            ],
        },
        "spacing": 24,
    }


def _heat(board: Board, colours: Theme, lang: str) -> dict[str, Any]:
    systems = list(_rows(board, lang).values())
    groups = [short(group.name) for group in board.groups]
    # At least as wide as the panel's heading, which would otherwise overlap its neighbour's.
    words = WORDS[lang]
    headings = [words.scopes[scope] for scope in board.scopes]
    column = max(46, (wide(headings, HEADING) + 8) / max(1, len(systems)))
    place = {
        "x": {
            "field": "system",
            "type": "nominal",
            "scale": {"domain": systems},
            "title": None,
            "axis": {
                "orient": "top",
                "labelAngle": -35,
                "labelAlign": "left",
                "minExtent": min(LONGEST_LABEL, wide(systems)) * 0.6 + 8,
                "maxExtent": min(LONGEST_LABEL, wide(systems)) * 0.6 + 8,
            },
        },
        "y": {
            "field": "series",
            "type": "nominal",
            "scale": {"domain": groups},
            "title": None,
            "axis": labels(groups),
        },
    }
    return {
        "facet": {"column": _facet(board, lang)},
        "spec": {
            "width": column * max(1, len(systems)),
            "height": 17 * max(1, len(groups)),
            "encoding": place,
            "layer": [
                {
                    "mark": "rect",
                    "encoding": {
                        "color": {
                            "field": "value",
                            "type": "quantitative",
                            "scale": {"domain": [0, 100], "range": [colours.empty, colours.full]},
                            "title": f"{words.metrics.get(board.metrics[0], board.metrics[0])} (%)",
                            "legend": {"gradientLength": 160},
                        }
                    },
                },
                {
                    "mark": {"type": "text", "fontSize": 11, "font": DIGITS},
                    "encoding": {
                        "text": {"field": "value", "type": "quantitative", "format": ".0f"},
                        "color": {
                            "condition": {"test": "datum.value > 55", "value": colours.on_full},
                            "value": colours.ink,
                        },
                    },
                },
            ],
        },
        "spacing": 24,
        "resolve": {"axis": {"y": "shared"}},
    }


def _facet(board: Board, lang: str) -> dict[str, Any]:
    scopes = [WORDS[lang].scopes[scope] for scope in board.scopes]
    return {"field": "scope", "type": "nominal", "sort": scopes, "title": None}
