"""Lists of categories (CVLUE: 92 in 15 fields): their form as a file, and what identifies their content."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import Field

from curation.benchmarks.rules import Localised, Name, Part, Slug
from curation.benchmarks.rules.marked_yaml import Document
from curation.taxonomy.rules.scripts import missing_script


class Entry(Part):
    """A category.

    Attributes:
        number: Place in the list; used in the folder names of CVLUE's published form.
        short: A name for narrow tables.
        definition: What belongs to it, as contributors read it.
        group: Cultural distance: ``coco`` (overlaps with MS-COCO, weakest association), ``closest`` (not in the English
            WordNet), ``moderate`` (all others); empty where a list has no such groups.
        published: Items that the published set has of it, by split, for comparison.
        reason: Why this entry or group was chosen, where it is debatable; begins with "inferred" if unpublished.
    """

    slug: Slug
    number: Annotated[int, Field(ge=1, le=1_000_000)]
    name: Localised
    short: Localised | None = None
    definition: Localised | None = None
    group: Literal["coco", "moderate", "closest", ""] = ""
    published: dict[Literal["train", "valid", "test"], int] = {}
    reason: str = ""


class SemanticField(Part):
    """A semantic field with its categories."""

    slug: Slug
    name: Localised
    categories: Annotated[list[Entry], Field(min_length=1)]


class CategoryList(Part):
    """A file of categories."""

    name: Name
    source: str
    fields: Annotated[list[SemanticField], Field(min_length=1)]

    def content(self) -> dict[str, Any]:
        """The list as it is stored; values that are left out are the defaults."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)

    def entries(self) -> list[tuple[SemanticField, Entry]]:
        """Every category with its field, in the order of their numbers."""
        return sorted(
            ((field, entry) for field in self.fields for entry in field.categories), key=lambda e: e[1].number
        )

    def with_facts_of(self, other: CategoryList) -> CategoryList:
        """The list with another one's source, numbers and published counts of the categories that both have.

        Numbers name folders of releases, so a category keeps its own; new ones follow the highest.
        """
        known = {entry.slug: entry for _, entry in other.entries()}
        new = [entry.slug for _, entry in self.entries() if entry.slug not in known]
        highest = max(entry.number for entry in known.values())
        numbers = {slug: number for number, slug in enumerate(new, start=highest + 1)}
        fields = []
        for field in self.fields:
            categories = []
            for entry in field.categories:
                before = known.get(entry.slug)
                facts = (
                    {"number": before.number, "published": before.published}
                    if before
                    else {"number": numbers[entry.slug]}
                )
                categories.append(entry.model_copy(update=facts))
            fields.append(field.model_copy(update={"categories": categories}))
        return self.model_copy(update={"source": other.source, "fields": fields})

    def slugs(self) -> set[str]:
        """The slugs of all categories."""
        return {entry.slug for _, entry in self.entries()}


def content_sha256(content: dict[str, Any]) -> str:
    """Identify a list by its content, whatever file it was read from."""
    return hashlib.sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def parse(source: str, *, file: str) -> CategoryList:
    """Read and check a list of categories.

    Raises:
        FileInvalid: With every fault by line and key.
    """
    return parse_with_lines(source, file=file)[0]


def parse_with_lines(source: str, *, file: str, converts: bool = False) -> tuple[CategoryList, dict[str, int]]:
    """As :func:`parse`, with the line of each category by its slug.

    Args:
        source: The file's text.
        file: The file's name.
        converts: Whether texts that are missing in one Chinese script are converted from the other.
    """
    document = Document(source, file=file)
    if document.value is None:
        document.raise_problems()
    if converts:
        _convert_scripts(document.value)
    checked = document.check(document.value, CategoryList)
    if checked is not None:
        _each_once(document, checked)
    document.raise_problems()
    if checked is None:  # cannot happen without a fault; for the type checker
        raise AssertionError
    return checked, {
        category.slug: document.line(("fields", f, "categories", c))
        for f, field in enumerate(checked.fields)
        for c, category in enumerate(field.categories)
    }


def _convert_scripts(value: Any) -> None:
    """Add the texts that are missing in one Chinese script; what has another form is left for the check."""
    if isinstance(value, list):
        for part in value:
            _convert_scripts(part)
    elif isinstance(value, dict):
        value |= missing_script(value)
        for part in value.values():
            _convert_scripts(part)


def _each_once(document: Document, checked: CategoryList) -> None:
    slugs: dict[str, str] = {}
    numbers: dict[int, str] = {}
    for f, field in enumerate(checked.fields):
        for c, category in enumerate(field.categories):
            path = ("fields", f, "categories", c)
            if category.slug in slugs:
                document.fault((*path, "slug"), f"a unique slug, {category.slug} exists already")
            if category.number in numbers:
                document.fault((*path, "number"), f"a unique number, {numbers[category.number]} has it already")
            slugs[category.slug] = numbers[category.number] = category.slug
