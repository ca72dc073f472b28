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
#: The forms of a box: ``xywh`` left, top, width and height in pixels, ``xyxy`` two corners in pixels, ``grid1000`` two
#: corners on a grid of 1000 × 1000 over the picture, ``fraction`` two corners as shares of its sides.
FORMS: Final = ("xywh", "xyxy", "grid1000", "fraction")
#: The forms in pixels: of the picture that the model read, or of the original.
PIXELS: Final = ("xywh", "xyxy")
#: What comes before a box in replies of Qwen-VL and InternVL, and of Qwen2-VL; both write on a grid of 1000.
_MARKS: Final = re.compile(r"<box>|<\|box_start\|>")


# Types of a number in JSON; true and false are none.
_NUMBERS: Final = frozenset({int, float})


def _are_numbers(value: Any, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and _NUMBERS.issuperset(map(type, value))


def box(row: Row, value: Any, name: str) -> list[float]:
    """Read four numbers.

    Raises:
        WrongInput: They are not.
    """
    try:
        if _are_numbers(value, 4):
            return list(map(float, value))
    except OverflowError:  # a whole number of more than 300 digits
        pass
    raise WrongInput(row.file, row.line, name, "[x, y, width, height]")


def predicted_box(row: Row) -> dict[str, Any]:
    """Read ``response``, four numbers or a text with four numbers; ``box_form`` gives their form (:data:`FORMS`).

    Pixels are those of ``resized: [width, height]``, without it of the picture. Of a text with a mark of boxes, numbers
    behind the mark count: a text before it repeats the expression, which may have numbers of its own.

    Raises:
        WrongInput: A field is not of this form.
    """
    fields = row.fields
    response = fields.get("response", fields.get("bbox"))
    marked = _MARKS.split(response, maxsplit=1)[1:] if isinstance(response, str) else []
    form = fields.get("box_form", "grid1000" if marked else "xywh")
    if form not in FORMS:
        raise WrongInput(row.file, row.line, "box_form", " or ".join(FORMS))
    resized = fields.get("resized")
    if resized is not None and not (_are_numbers(resized, 2) and min(resized) > 0):
        raise WrongInput(row.file, row.line, "resized", "[width, height]")
    numbers: list[float] = []
    if isinstance(response, str):
        texts = [*marked, _json_box_as_text(response)]
        if match := next(filter(None, map(_CORNERS.search, texts)), None):
            numbers = [float(n) for n in match.groups()]
    elif response is not None and not isinstance(response, list):
        raise WrongInput(row.file, row.line, "response", "four numbers, or text")
    elif response:
        numbers = box(row, response, "response")
    return {"form": form, "resized": resized, "error": fields.get("error"), "numbers": numbers}


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
    width, height = question.row.get("width"), question.row.get("height")
    across, down = 1.0, 1.0
    whole = row.get("resized") if row["form"] in PIXELS else {"grid1000": [1000, 1000], "fraction": [1, 1]}[row["form"]]
    if whole:
        if not isinstance(width, int | float) or not isinstance(height, int | float):
            return None
        across, down = width / whole[0], height / whole[1]
    x1, y1, x2, y2 = numbers
    if row["form"] == "xywh":
        return [x1 * across, y1 * down, x2 * across, y2 * down]
    return [x1 * across, y1 * down, (x2 - x1) * across, (y2 - y1) * down]
