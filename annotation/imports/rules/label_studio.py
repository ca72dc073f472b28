"""Label Studio's JSON and JSON_MIN exports with texts from ``<TextArea>``.

JSON: tasks ``{"data": {"image": …}, "annotations": [{"result": [{"type": "textarea", "from_name": …, "value": {"text":
[…]}}]}]}``. JSON_MIN: the task's data and the texts by area in one object. The reader takes areas whose names begin
with ``caption``, ``question`` or ``answer``, in the order of the numbers in their names. If no area is named for
captions, all areas count as captions. ``<Choices>`` named by a code of the kind, such as its category, give the code.

Boxes are ``<RectangleLabels>``: ``{"type": "rectanglelabels", "original_width", "original_height", "value": {"x", "y",
"width", "height", "rotation", "rectanglelabels": [category]}}`` with places in percent of the picture's size.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TextIO

from annotation.imports.rules.boxes import Categories, ForeignBox, content_of_boxes, has_boxes, is_number
from annotation.imports.rules.contents import codes_of, content_in, content_of, with_codes
from annotation.imports.rules.rows import Fault, Row, picture_reference, reference_in, slot_of, team_reference
from annotation.kinds.registry import KINDS
from annotation.kinds.texts import text_groups
from annotation.kinds.tree import RecordNode
from curation.lib.json_rows import Scanner

REFERENCES: Final = ("image", "captioning", "img", "picture", "photo", "url", "file_name")
# Keys of a row of JSON_MIN that are not texts.
_NO_TEXT: Final = {
    *REFERENCES,
    *("id", "label", "slot", "sha256", "image_sha256", "annotator", "annotation_id", "created_at", "updated_at"),
    *("lead_time", "file_upload", "inner_id", "project", "agreement"),
    *("team", "pair", "country", "language"),
}
_DIGITS: Final = re.compile(r"([0-9]+)")


class LabelStudio:
    """The format."""

    kinds = tuple(KINDS)

    def rows(self, file: TextIO, tree: RecordNode) -> Iterator[Row]:
        """Yield one row per task, named by its place in the array."""
        scanner = Scanner(file)
        for place, task in enumerate(scanner.elements(), 1):
            yield _row(place, task, tree)
        scanner.end()


def _row(place: int, task: Any, tree: RecordNode) -> Row:
    if not isinstance(task, Mapping):
        return Row(place, fault=Fault("row_not_understood", {}))
    data = task.get("data")
    full = isinstance(data, Mapping)
    values: Mapping[str, Any] = data if isinstance(data, Mapping) else task
    picture = picture_reference(
        sha256=values.get("image_sha256", values.get("sha256")),
        label=values.get("label"),
        reference=reference_in(values, REFERENCES),
    )
    slot = slot_of(values.get("slot"))
    if isinstance(slot, Fault):
        return Row(place, picture, fault=slot)
    if has_boxes(tree):
        drawn = _boxes_of(task, tree)
        if isinstance(drawn, Fault):
            return Row(place, picture, slot, fault=drawn)
        content, size = drawn
        if isinstance(content, Fault):
            return Row(place, picture, slot, fault=content)
        return Row(place, picture, slot, content, team=team_reference(values), size=size)
    if not full and _has_plain_content(tree, task):
        content = content_in(tree, task)
    else:
        answer = _answer_of(task, codes_of(tree)) if full else _Answer(_areas_beside(task), task)
        content = answer if isinstance(answer, Fault) else _content(tree, answer)
    if isinstance(content, Fault):
        return Row(place, picture, slot, fault=content)
    return Row(place, picture, slot, content, team=team_reference(values))


def _boxes_of(
    task: Mapping[str, Any], tree: RecordNode
) -> tuple[Mapping[str, Any] | Fault, tuple[int, int] | None] | Fault:
    """Return the boxes of the one annotation that counts, and the size of the picture that they were drawn on."""
    results = _results_of(task)
    if not results:
        return Fault("row_without_boxes", {})
    if any(result != results[0] for result in results):
        return Fault("several_annotations", {"count": len(results)})
    boxes: list[ForeignBox] = []
    sizes: set[tuple[int, int]] = set()
    for region in results[0]:
        box = _rectangle(region)
        if isinstance(box, Fault):
            return box
        boxes.append(box)
        sizes.add((region["original_width"], region["original_height"]))
    if len(sizes) > 1:
        return Fault("row_not_understood", {})
    return content_of_boxes(boxes, Categories(tree)), next(iter(sizes), None)


def _results_of(task: Mapping[str, Any]) -> list[list[Mapping[str, Any]]]:
    """Return the rectangles of each finished annotation that has any; of several, of those that are ground truth."""
    annotations = task.get("annotations", task.get("completions"))
    finished = [
        a
        for a in (annotations if isinstance(annotations, list) else ())
        if isinstance(a, Mapping) and not a.get("was_cancelled")
    ]
    if len(finished) > 1:
        finished = [a for a in finished if a.get("ground_truth")] or finished
    results = []
    for annotation in finished:
        result = annotation.get("result")
        regions = [
            region
            for region in (result if isinstance(result, list) else ())
            if isinstance(region, Mapping) and region.get("type") == "rectanglelabels"
        ]
        if regions:
            results.append(regions)
    return results


def _rectangle(region: Mapping[str, Any]) -> ForeignBox | Fault:
    value = region.get("value")
    size: list[Any] = [region.get("original_width"), region.get("original_height")]
    places: list[Any] = (
        [value.get(name) for name in ("x", "y", "width", "height")] if isinstance(value, Mapping) else []
    )
    if not isinstance(value, Mapping) or not all(map(is_number, [*places, *size])):
        return Fault("row_not_understood", {})
    labels = _listed(value.get("rectanglelabels"))
    if value.get("rotation") not in (None, 0):
        return Fault("box_turned", {})
    if region.get("image_rotation") not in (None, 0):
        return Fault("box_turned", {})
    if len(labels) != 1:
        return Fault("category_unknown", {"category": ", ".join(map(str, labels))[:100]})
    (x, y, width, height), (across, down) = places, size
    edges = [x * across / 100, y * down / 100, (x + width) * across / 100, (y + height) * down / 100]
    return ForeignBox(labels[0], edges, str(region.get("id") or ""))


def _has_plain_content(tree: RecordNode, task: Mapping[str, Any]) -> bool:
    """Return whether a row has the kind's own content, as JSON lines do."""
    parts = [task.get(name) for name in tree.fields]
    return all(isinstance(p, list) and not any(isinstance(t, Mapping) and "text" in t for t in p) for p in parts)


class _Answer(NamedTuple):
    """The texts of a row by area, and its choices by control."""

    areas: dict[str, list[Any]]
    choices: Mapping[str, Any]


def _content(tree: RecordNode, answer: _Answer) -> Mapping[str, Any] | Fault:
    return with_codes(tree, content_of(tree, _texts(tree, answer.areas)), answer.choices)


def _answer_of(task: Mapping[str, Any], codes: Collection[str]) -> _Answer | Fault:
    """Return the texts and the choices of ``codes`` of the one annotation that counts."""
    annotations = task.get("annotations", task.get("completions"))
    if not isinstance(annotations, list):
        return Fault("row_without_text", {})
    finished = [a for a in annotations if isinstance(a, Mapping) and not a.get("was_cancelled")]
    if len(finished) > 1:
        finished = [a for a in finished if a.get("ground_truth")] or finished
    results = [a.get("result") for a in finished]
    answers = [_Answer(areas, _choices_in(result, codes)) for result in results if (areas := _areas_in(result))]
    if not answers:
        return Fault("row_without_text", {})
    # Different texts by several people for one picture: the import must not choose between them.
    if any(answer != answers[0] for answer in answers):
        return Fault("several_annotations", {"count": len(answers)})
    return answers[0]


def _areas_in(result: Any) -> dict[str, list[Any]]:
    areas: dict[str, list[Any]] = {}
    for region in result if isinstance(result, list) else ():
        if not isinstance(region, Mapping) or region.get("type", "textarea") != "textarea":
            continue
        value = region.get("value")
        name = region.get("from_name")
        if isinstance(value, Mapping) and isinstance(name, str):
            areas.setdefault(name, []).extend(_listed(value.get("text")))
    return areas


def _choices_in(result: Any, codes: Collection[str]) -> dict[str, Any]:
    choices: dict[str, Any] = {}
    for region in result if isinstance(result, list) else ():
        if not isinstance(region, Mapping) or region.get("type") != "choices" or region.get("from_name") not in codes:
            continue
        value = region.get("value")
        if isinstance(value, Mapping):
            choices[region["from_name"]] = next(iter(_listed(value.get("choices"))), "")
    return choices


def _areas_beside(task: Mapping[str, Any]) -> dict[str, list[Any]]:
    areas: dict[str, list[Any]] = {}
    for name, value in task.items():
        if name in _NO_TEXT:
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, Mapping) and "text" in part:
                areas.setdefault(name, []).extend(_listed(part["text"]))
            elif isinstance(part, str):
                areas.setdefault(name, []).append(part)
    return areas


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _texts(tree: RecordNode, areas: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Return a row's texts by their names in files, from the areas whose names begin with these."""
    names = list(text_groups(tree).values())
    texts = {name: _joined(areas, name.removesuffix("s")) for name in names}
    if len(names) == 1 and not texts[names[0]]:
        texts[names[0]] = _joined(areas, "")
    return texts


def _joined(areas: Mapping[str, list[Any]], begins: str) -> list[Any]:
    chosen = sorted((name for name in areas if name.lower().startswith(begins)), key=_in_order)
    return [text for name in chosen for text in areas[name]]


def _in_order(name: str) -> list[tuple[int, str]]:
    """Sort ``caption10`` after ``caption9``."""
    return [(int(part), "") if part.isascii() and part.isdigit() else (-1, part) for part in _numbers(name)]


def _numbers(name: str) -> Iterable[str]:
    return (part[:18] for part in _DIGITS.split(name) if part)
