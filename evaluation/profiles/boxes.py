"""Boxes that models answer: read from numbers or text, and brought into pixels of the picture."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from evaluation.profiles.base import Gold
from evaluation.profiles.rows import Row, WrongInput

# No two neighbouring parts of the pattern match the same character, and no number is longer than any coordinate, so
# that a response without a box takes time linear in its length.
_NUMBER: Final = r"\d{1,40}(?:\.\d{1,40})?"
_CORNERS: Final = re.compile(
    rf"((?:-|(?<!\d)){_NUMBER})\s*,\s*(-?{_NUMBER})\s*(?:[)\]>]\s*)?(?:,\s*)?(?:[(\[<]\s*)?"
    rf"(-?{_NUMBER})\s*,\s*(-?{_NUMBER})"
)
FORMS: Final = ("xywh", "xyxy", "grid1000", "fraction")


def _are_numbers(value: Any, count: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == count
        and all(isinstance(v, int | float) and not isinstance(v, bool) for v in value)
    )


def box(row: Row, value: Any, name: str) -> list[float]:
    """Read four numbers.

    Raises:
        WrongInput: They are not.
    """
    if _are_numbers(value, 4):
        return [float(v) for v in value]
    raise WrongInput(row.file, row.line, name, "[x, y, width, height]")


def predicted_box(row: Row) -> dict[str, Any]:
    """Read ``response``, four numbers or a text with four numbers; ``box_form`` gives their form (:data:`FORMS`).

    ``xywh`` pixels of the picture, ``xyxy`` two corners in pixels of ``resized: [width, height]`` or the picture,
    ``grid1000`` two corners on Qwen-VL's grid of 1000, ``fraction`` two corners as shares of the sides.
    """
    fields = row.fields
    response = fields.get("response", fields.get("bbox"))
    form = fields.get("box_form", "grid1000" if isinstance(response, str) and "<box>" in response else "xywh")
    if form not in FORMS:
        raise WrongInput(row.file, row.line, "box_form", " or ".join(FORMS))
    resized = fields.get("resized")
    if resized is not None and not (_are_numbers(resized, 2) and min(resized) > 0):
        raise WrongInput(row.file, row.line, "resized", "[width, height]")
    record: dict[str, Any] = {"form": form, "resized": resized, "error": fields.get("error")}
    if isinstance(response, str):
        match = _CORNERS.search(_json_box_as_text(response))
        return record | {"numbers": [float(n) for n in match.groups()] if match else []}
    if response is not None and not isinstance(response, list):
        raise WrongInput(row.file, row.line, "response", "four numbers, or text")
    return record | {"numbers": box(row, response, "response") if response else []}


def _json_box_as_text(text: str) -> str:
    """Return the list of a JSON answer such as ``{"bbox_2d": [x1, y1, x2, y2]}`` as text, else the text itself."""
    try:
        content = json.loads(re.sub(r"^```(?:json)?|```$", "", text.strip(), flags=re.MULTILINE))
    except (ValueError, RecursionError):
        return text
    content = content[0] if isinstance(content, list) and content and isinstance(content[0], dict) else content
    for name in ("bbox_2d", "bbox", "box"):
        if isinstance(content, dict) and isinstance(content.get(name), list):
            return str(content[name])
    return text


def in_pixels(question: Gold, row: Mapping[str, Any]) -> list[float] | None:
    """Convert a predicted box to ``[x, y, width, height]`` in pixels; None without a box or a picture size."""
    numbers = row.get("numbers") or []
    if len(numbers) != 4:
        return None
    if row["form"] == "xywh":
        return list(numbers)
    width, height = question.row.get("width"), question.row.get("height")
    across, down = 1.0, 1.0
    resized = row.get("resized")
    if row["form"] != "xyxy" or resized:
        if not isinstance(width, int | float) or not isinstance(height, int | float):
            return None
        base = {"grid1000": (1000.0, 1000.0), "fraction": (1.0, 1.0)}.get(row["form"]) or tuple(
            map(float, resized or ())
        )
        across, down = width / base[0], height / base[1]
    x1, y1, x2, y2 = numbers
    return [x1 * across, y1 * down, (x2 - x1) * across, (y2 - y1) * down]
