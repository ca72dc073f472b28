"""The definition of each chart in Vega-Lite, in any language and theme; SVG and PNG are drawn from it.

Text stays text. Sizes that depend on text are estimated from its characters and never measured, so that a drawing is
the same whichever fonts a machine has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from unicodedata import east_asian_width

from evaluation.charts.cells import Board, display_names
from evaluation.charts.words import WORDS

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.json"
# With more groups the chart is a heat map, because the whiskers would overlap.
MOST_WITH_WHISKERS: Final = 8
_WIDTH = 300  # of one panel, in pixels
_LINE = 13  # height of one point with its whisker
_PAD = 12  # between systems
_FONT = 12
_HEADING = 13
_LONGEST_LABEL = 260

FONTS: Final[Mapping[str, str]] = {
    "zh-Hans": '"Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif',
    "zh-Hant": '"Noto Sans CJK TC", "Noto Sans TC", "PingFang TC", "Microsoft JhengHei", sans-serif',
    "en": '"Noto Sans", "Segoe UI", "Noto Sans CJK SC", "PingFang SC", sans-serif',
}
# Digits need no Chinese font, which would make each text five times as slow to draw.
DIGITS: Final = "sans-serif"


class _Theme(NamedTuple):
    """Colours; shapes distinguish the series too. A heat map goes from ``empty`` to ``full``."""

    ground: str
    ink: str
    faint: str
    line: str
    series: list[str]
    empty: str
    full: str
    on_full: str


THEMES: Final[Mapping[str, _Theme]] = {
    "light": _Theme(
        "#ffffff",
        "#1b1f24",
        "#656d76",
        "#e0e4e8",
        ["#0b5cad", "#b45309", "#11734b", "#7a3e9d", "#8c2f39", "#4d555e", "#0e7490", "#6b5b00"],
        "#f4f7fb",
        "#08306b",
        "#ffffff",
    ),
    "dark": _Theme(
        "#1b1f25",
        "#e6e9ed",
        "#a9b2bd",
        "#2c323a",
        ["#6cb2ff", "#f2a65a", "#5cc38f", "#cf9bf0", "#f0868f", "#b4bdc7", "#5ed0e6", "#e0cf6a"],
        "#20262e",
        "#8cc8ff",
        "#0e1013",
    ),
}
SHAPES: Final = [
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
]


def define(board: Board, *, lang: str, theme: str) -> dict[str, Any]:
    """Define the chart of a board: recall with whiskers, or a heat map for many groups."""
    colours, words = THEMES[theme], WORDS[lang]
    heat = len(board.groups) > MOST_WITH_WHISKERS
    drawn = _heat(board, colours, lang) if heat else _whiskers(board, colours, lang)
    return {
        "$schema": SCHEMA,
        "title": {
            "text": board.title,
            "subtitle": board.metrics[0] if board.group_by else words.share,
            "anchor": "start",
        },
        "background": colours.ground,
        "padding": 12,
        "data": {"values": _values(board, lang, first_only=bool(board.group_by))},
        "config": {
            "font": FONTS[lang],
            "view": {"stroke": colours.line},
            "title": {
                "color": colours.ink,
                "subtitleColor": colours.faint,
                "fontSize": 15,
                "subtitleFontSize": _FONT,
                "offset": 14,
            },
            "axis": {
                "labelColor": colours.ink,
                "titleColor": colours.faint,
                "gridColor": colours.line,
                "domainColor": colours.line,
                "tickColor": colours.line,
                "labelFontSize": _FONT,
                "titleFontSize": _FONT,
                "titleFontWeight": "normal",
                "labelLimit": 0,
            },
            "legend": {
                "labelColor": colours.ink,
                "titleColor": colours.faint,
                "labelFontSize": _FONT,
                "titleFontSize": _FONT,
                "titleFontWeight": "normal",
                "labelLimit": 0,
                "orient": "bottom",
            },
            "header": {"labelColor": colours.ink, "labelFontSize": _HEADING, "title": None},
        },
        **drawn,
    }


def _values(board: Board, lang: str, *, first_only: bool) -> list[dict[str, Any]]:
    words, labels = WORDS[lang], display_names(board, lang)
    groups = {group.key: group.name for group in board.groups}
    return [
        {
            "system": _short(labels[cell.system]),
            "scope": words.scopes[cell.scope],
            "series": _short(groups[cell.group]) if board.group_by else cell.metric,
            "value": round(100 * cell.value, 4),
            "low": round(100 * (cell.value if cell.low is None else cell.low), 4),
            "high": round(100 * (cell.value if cell.high is None else cell.high), 4),
        }
        for cell in board.cells
        if cell.value is not None and not (first_only and cell.metric != board.metrics[0])
    ]


def _whiskers(board: Board, colours: _Theme, lang: str) -> dict[str, Any]:
    words = WORDS[lang]
    systems = [_short(name) for name in display_names(board, lang).values()]
    series = [_short(group.name) for group in board.groups] if board.group_by else list(board.metrics)
    y = {
        "field": "system",
        "type": "nominal",
        "sort": systems,
        "title": None,
        "axis": _labels(systems),
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
    return {
        "facet": {"column": _facet(board, lang)},
        "spec": {
            "width": _WIDTH,
            "height": max(1, len(systems)) * (max(1, len(series)) * _LINE + _PAD),
            "encoding": {"y": y, "yOffset": offset, "color": colour},
            "layer": [
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
            ],
        },
        "spacing": 24,
    }


def _heat(board: Board, colours: _Theme, lang: str) -> dict[str, Any]:
    systems = [_short(name) for name in display_names(board, lang).values()]
    groups = [_short(group.name) for group in board.groups]
    # At least as wide as the panel's heading, which would otherwise overlap its neighbour's.
    headings = [WORDS[lang].scopes[scope] for scope in board.scopes]
    column = max(46, (_wide(headings, _HEADING) + 8) / max(1, len(systems)))
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
                "minExtent": min(_LONGEST_LABEL, _wide(systems)) * 0.6 + 8,
                "maxExtent": min(_LONGEST_LABEL, _wide(systems)) * 0.6 + 8,
            },
        },
        "y": {
            "field": "series",
            "type": "nominal",
            "scale": {"domain": groups},
            "title": None,
            "axis": _labels(groups),
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
                            "title": f"{board.metrics[0]} (%)",
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


def _labels(texts: list[str]) -> dict[str, Any]:
    """Return an axis whose width is estimated from its labels."""
    extent = min(_LONGEST_LABEL, _wide(texts)) + 8
    return {"minExtent": extent, "maxExtent": extent, "ticks": False, "domain": False, "labelPadding": 6}


def _wide(texts: list[str], size: int = _FONT) -> float:
    """Estimate the width of the widest text in pixels."""
    return max((sum(size if east_asian_width(c) in "WF" else 0.58 * size for c in text) for text in texts), default=0)


def _short(text: str) -> str:
    """Shorten a label to the longest allowed width, with an ellipsis."""
    if _wide([text]) <= _LONGEST_LABEL:
        return text
    prefix = ""
    for character in text:
        if _wide([prefix + character + "…"]) > _LONGEST_LABEL:
            break
        prefix += character
    return prefix + "…"
