"""What every chart shares: its frame in Vega-Lite with fonts and colours, and the estimated widths of its labels.

Text stays text. Sizes that depend on text are estimated from its characters and never measured, so that a drawing is
the same whichever fonts a machine has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from unicodedata import east_asian_width

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.json"
HEADING: Final = 13  # size of a panel's heading, in pixels
LONGEST_LABEL: Final = 260
_FONT: Final = 12

FONTS: Final[Mapping[str, str]] = {
    "zh-Hans": '"Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif',
    "zh-Hant": '"Noto Sans CJK TC", "Noto Sans TC", "PingFang TC", "Microsoft JhengHei", sans-serif',
    "en": '"Noto Sans", "Segoe UI", "Noto Sans CJK SC", "PingFang SC", sans-serif',
}
# Digits need no Chinese font, which would make each text five times as slow to draw.
DIGITS: Final = "sans-serif"


class Theme(NamedTuple):
    """Colours; shapes distinguish the series too. A heat map goes from ``empty`` to ``full``."""

    ground: str
    ink: str
    faint: str
    line: str
    series: list[str]
    empty: str
    full: str
    on_full: str


THEMES: Final[Mapping[str, Theme]] = {
    "light": Theme(
        "#ffffff",
        "#1b1f24",
        "#656d76",
        "#e0e4e8",
        ["#0b5cad", "#b45309", "#11734b", "#7a3e9d", "#8c2f39", "#4d555e", "#0e7490", "#6b5b00"],
        "#f4f7fb",
        "#08306b",
        "#ffffff",
    ),
    "dark": Theme(
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


def frame(
    drawn: Mapping[str, Any],
    *,
    title: str,
    subtitle: str,
    values: Sequence[Mapping[str, Any]],
    lang: str,
    theme: str,
) -> dict[str, Any]:
    """Put a chart's marks into a frame: title, colours, fonts.

    Args:
        drawn: The chart's own part in Vega-Lite.
        title: The heading.
        subtitle: What the numbers are.
        values: The rows of data.
        lang: The language of the texts, for the font.
        theme: ``light`` or ``dark``.
    """
    colours = THEMES[theme]
    return {
        "$schema": SCHEMA,
        "title": {"text": title, "subtitle": subtitle, "anchor": "start"},
        "background": colours.ground,
        "padding": 12,
        "data": {"values": list(values)},
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
            "header": {"labelColor": colours.ink, "labelFontSize": HEADING, "title": None},
        },
        **drawn,
    }


def labels(texts: Sequence[str]) -> dict[str, Any]:
    """Return an axis whose width is estimated from its labels."""
    extent = min(LONGEST_LABEL, wide(texts)) + 8
    return {"minExtent": extent, "maxExtent": extent, "ticks": False, "domain": False, "labelPadding": 6}


def wide(texts: Sequence[str], size: int = _FONT) -> float:
    """Estimate the width of the widest text in pixels."""
    return max((sum(size if east_asian_width(c) in "WF" else 0.58 * size for c in text) for text in texts), default=0)


def short(text: str, longest: float = LONGEST_LABEL) -> str:
    """Shorten a label to the longest allowed width, with an ellipsis."""
    if wide([text]) <= longest:
        return text
    prefix = ""
    for character in text:
        if wide([prefix + character + "…"]) > longest:
            break
        prefix += character
    return prefix + "…"
