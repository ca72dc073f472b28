"""Shapes shared by the answers about items: picture, rules, content."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import Field, GetCoreSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema
from typing_extensions import TypedDict

from annotation.items.models import Item
from annotation.kinds.context import Direction
from annotation.kinds.registry import KINDS
from curation.core.shapes import LocalisedText, OneOf

# The item's kind defines the keys.
Content: TypeAlias = dict[str, Any]
# A time in a JSON column, where it is stored as text.
TimeText: TypeAlias = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]


class _RulesOfEveryKind:
    """Describes a dictionary as the rules of one of the registered kinds; its ``kind`` is the discriminator."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        shapes: Any = None
        for name in KINDS:
            shapes = KINDS[name].rules_shape if shapes is None else shapes | KINDS[name].rules_shape
        return handler.generate_schema(Annotated[shapes, Field(discriminator="kind")])


RulesRow: TypeAlias = Annotated[dict[str, Any], _RulesOfEveryKind()]


class TextLanguage(TypedDict):
    """The language of an item's texts, a BCP 47 tag (empty if unknown), and the direction in which it is written."""

    lang: str
    dir: Direction


class CategoryBrief(TypedDict):
    """A picture's category."""

    slug: str
    name: LocalisedText


class PictureThumb(TypedDict):
    """A picture as lists show it."""

    id: int
    label: str
    thumb_url: str
    category: CategoryBrief | None


class PictureBrief(PictureThumb):
    """A picture as the workspace shows it; width and height, in pixels, are the clean rendition's.

    ``redaction_no`` counts how often something in it was covered; submissions name the one that was shown.
    """

    view_url: str
    clean_url: str
    width: int
    height: int
    redaction_no: int


class DraftRow(TypedDict):
    """Content that was typed and not submitted."""

    content: Content
    seq: int
    base_no: int
    active_ms: int


class GuidelineBrief(TypedDict):
    """The newest guidelines of a kind, and whether the person has acknowledged them."""

    version: int
    acknowledged: bool


class PlaceRow(TypedDict):
    """An item without its content, for moving around among those of a package or a team."""

    id: int
    label: str
    position: int
    state: Annotated[str, OneOf(Item.State)]


class PlacesAnswer(TypedDict):
    """The items of a package or a team by position."""

    items: list[PlaceRow]
