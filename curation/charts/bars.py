"""Bars of counts, each with its number and its share of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from curation.charts.figure import DIGITS, THEMES, frame, labels, short

_WIDTH: Final = 360  # in pixels
_BAR: Final = 18
_STEP: Final = 26  # from one bar to the next
_ROOM: Final = 1.3  # for the number behind the longest bar


def bars(counts: Mapping[str, int], *, title: str, subtitle: str, lang: str, theme: str) -> dict[str, Any]:
    """Define horizontal bars in the order of the counts.

    Args:
        counts: Label → count.
        title: The heading.
        subtitle: What is counted.
        lang: The language of the texts, for the font.
        theme: ``light`` or ``dark``.
    """
    total, colours = sum(counts.values()), THEMES[theme]
    values = [
        {"label": short(label), "count": count, "number": f"{count} ({100 * count / total:.1f}%)"}
        for label, count in counts.items()
    ]
    names = [str(value["label"]) for value in values]
    scale = {"domain": [0, _ROOM * max(counts.values(), default=1)], "nice": False}
    x = {"field": "count", "type": "quantitative", "scale": scale, "axis": None}
    drawn = {
        "width": _WIDTH,
        "height": _STEP * max(1, len(values)),
        "encoding": {
            "y": {"field": "label", "type": "nominal", "sort": names, "title": None, "axis": labels(names)},
            "x": x,
        },
        "layer": [
            {"mark": {"type": "bar", "color": colours.series[0], "height": _BAR}},
            {
                "mark": {"type": "text", "align": "left", "dx": 5, "color": colours.ink, "font": DIGITS},
                "encoding": {"text": {"field": "number"}},
            },
        ],
    }
    return frame(drawn, title=title, subtitle=subtitle, values=values, lang=lang, theme=theme)
