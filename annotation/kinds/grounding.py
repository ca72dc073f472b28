"""Grounding: for each object of the picture's main category, an expression that fits no other (CVLUE appendix A.2.4).

A content rests on accepted boxes: an expression has the key and the box of its object there, so that the content is
complete in itself, and changed boxes can be noticed. Whether an expression fits is decided by a second person's click
(``annotation.clicks``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import Field

from annotation.kinds.base import Finding, KindSettings, Rules
from annotation.kinds.comparison import key_of
from annotation.kinds.context import Context, Need
from annotation.kinds.fields import other_script, refusals
from annotation.kinds.tree import KeyedNode, NumbersNode, RecordNode, TextNode, resolve
from curation.core import text

MOST_EXPRESSIONS: Final = 20  # that a protocol may ask for; the numbers of expressions in files depend on it


class GroundingSettings(KindSettings):
    """The protocol's settings of grounding.

    Attributes:
        expressions_maximum: Most expressions of a picture; of more objects its author chooses as many.
        minimum_characters: Fewest characters of an expression.
        other_script_percent: The most letters of another script than the language's, in percent of an expression's
            letters; more get a warning. None: not checked.
    """

    expressions_maximum: int = Field(ge=1, le=MOST_EXPRESSIONS)
    minimum_characters: int = Field(default=1, ge=1, le=50)
    other_script_percent: int | None = Field(default=None, ge=0, le=100)


class GroundingRules(Rules):
    """The rules of grounding that the workspace shows."""

    kind: Literal["grounding"] = "grounding"
    expressions_maximum: int
    minimum_characters: int
    other_script_percent: int | None = None


def objects_of(context: Context) -> list[Mapping[str, Any]] | None:
    """Return the boxes of the picture's main category that a content rests on; None without a base."""
    if context.base is None:
        return None
    return [box for box in context.base["boxes"] if box["category"] == context.main_category]


def texts_by_key(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the expressions of a content by the key of the object that each is about."""
    return {expression["key"]: expression["text"] for expression in content["expressions"]}


def objects_on(base: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return all boxes of accepted boxes, of any category: the smallest that holds a click decides."""
    return list(base["boxes"])


def _counted(written: Sequence[Mapping[str, Any]], objects: int, most: int) -> Iterator[Finding]:
    """Report too few or too many expressions: each object has one, or as many as the protocol allows."""
    expected = max(min(objects, most), 1)
    params = {"count": len(written), "expected": expected}
    if len(written) < expected:
        yield Finding("expressions_too_few", "expressions", "error", params)
    if len(written) > most:
        yield Finding("expressions_too_many", "expressions", "error", params)


def _texts(
    expressions: Sequence[Mapping[str, Any]], settings: GroundingSettings, context: Context, *, complete: bool
) -> Iterator[Finding]:
    earlier: dict[tuple[str, ...], int] = {}
    for n, expression in enumerate(expressions):
        value, field = expression["text"], f"expressions.{expression['key']}.text"
        if text.shows_nothing(value):
            if complete:
                yield Finding("expression_empty", field, "error")
            continue
        yield from refusals(value, field)
        if (count := text.count_characters(value)) < settings.minimum_characters:
            params = {"count": count, "minimum": settings.minimum_characters}
            yield Finding("expression_too_short", field, "error", params)
        yield from other_script(value, field, context.language.tag, settings.other_script_percent)
        first = earlier.setdefault(key_of(value), n)
        if first != n:
            yield Finding("expressions_equal", field, "error", {"other": first})


class Grounding:
    """The kind of expressions that each fit one object."""

    name = "grounding"
    prefix = "ref"
    content_schema = 1
    settings = GroundingSettings
    rules_shape = GroundingRules
    needs: tuple[Need, ...] = ("base",)
    base = "boxes"

    def tree(self, settings: GroundingSettings, context: Context) -> RecordNode:
        """See :class:`annotation.kinds.base.Kind`."""
        expression = RecordNode(fields={"text": TextNode(), "box": NumbersNode(count=4, answer=True)})
        meaning = (
            "the expressions, each with the box of the only object that it fits: x and y of the upper left corner, "
            "width and height in pixels"
        )
        return RecordNode(fields={"expressions": KeyedNode(of=expression, meaning=meaning)})

    def check(
        self, content: Mapping[str, Any], settings: GroundingSettings, context: Context, *, complete: bool
    ) -> list[Finding]:
        """See :class:`annotation.kinds.base.Kind`."""
        expressions = content["expressions"]
        findings = list(_texts(expressions, settings, context, complete=complete))
        if (objects := objects_of(context)) is None:
            return findings
        boxes = {box["key"]: box["box"] for box in objects}
        findings += [
            Finding("object_unknown", f"expressions.{expression['key']}.box", "error")
            for expression in expressions
            if boxes.get(expression["key"]) != expression["box"]
        ]
        if complete:
            findings += _counted(expressions, len(objects), settings.expressions_maximum)
        return findings

    def rules(self, settings: GroundingSettings, context: Context) -> GroundingRules:
        """See :class:`annotation.kinds.base.Kind`."""
        return GroundingRules.of(settings, resolve(self.tree(settings, context), context))


KIND: Final = Grounding()
