"""Lists of categories as files: 15 fields with 92 categories for CVLUE."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from curation.benchmarks.rules import Localised, Name, Part
from curation.core.marked_yaml import Document

Slug = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]


class Entry(Part):
    """A category.

    Attributes:
        number: Place in the list; stands in the folder names of CVLUE's published form.
        group: Cultural distance: ``coco`` (overlaps with MS-COCO, weakest association), ``closest`` (not in the English
            WordNet), ``moderate`` (all others).
        reason: Why that group, where one could doubt it; begins with "inferred" where nobody published it.
    """

    slug: Slug
    number: Annotated[int, Field(ge=1)]
    name: Localised
    group: Literal["coco", "moderate", "closest"]
    reason: str = ""


class SemanticField(Part):
    """A field of meaning with its categories."""

    slug: Slug
    name: Localised
    categories: Annotated[list[Entry], Field(min_length=1)]


class CategoryList(Part):
    """A whole file."""

    name: Name
    source: str
    fields: Annotated[list[SemanticField], Field(min_length=1)]


def parse(source: str, *, file: str) -> CategoryList:
    """Read and check a list of categories.

    Raises:
        FileInvalid: With every fault by line and key.
    """
    document = Document(source, file=file)
    if document.value is None:
        document.raise_problems()
    checked = document.check(document.value, CategoryList)
    if checked is not None:
        _each_once(document, checked)
    document.raise_problems()
    if checked is None:  # impossible without a fault, said for the type checker
        raise AssertionError
    return checked


def _each_once(document: Document, checked: CategoryList) -> None:
    slugs: dict[str, str] = {}
    numbers: dict[int, str] = {}
    for f, field in enumerate(checked.fields):
        for c, category in enumerate(field.categories):
            where = ("fields", f, "categories", c)
            if category.slug in slugs:
                document.fault((*where, "slug"), f"a slug of its own, {category.slug} is taken")
            if category.number in numbers:
                document.fault((*where, "number"), f"a number of its own, {numbers[category.number]} has it")
            slugs[category.slug] = numbers[category.number] = category.slug
