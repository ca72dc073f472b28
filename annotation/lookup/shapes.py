"""What a person finds in a benchmark."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from annotation.items.models import Item
from annotation.items.shapes import CategoryBrief, TextLanguage
from annotation.packages.models import Package
from curation.core.shapes import OneOf, PersonBrief
from curation.images.models import Image


class ItemMatch(TypedDict):
    """An item; ``text`` is the passage that matches, or the beginning of an item found by its label."""

    id: int
    label: str
    kind: str
    state: Annotated[str, OneOf(Item.State)]
    language: TextLanguage | None
    text: str


class PackageMatch(TypedDict):
    """A package, found by its label."""

    id: int
    label: str
    kind: str
    state: Annotated[str, OneOf(Package.State)]


class ImageMatch(TypedDict):
    """A picture, found by its label."""

    id: int
    label: str
    state: Annotated[str, OneOf(Image.State)]


class LookupAnswer(TypedDict):
    """What matches a query, the newest items first.

    ``newest_only``: single characters were compared with the newest items only, and there are older ones.
    """

    items: list[ItemMatch]
    packages: list[PackageMatch]
    images: list[ImageMatch]
    categories: list[CategoryBrief]
    people: list[PersonBrief]
    newest_only: bool
