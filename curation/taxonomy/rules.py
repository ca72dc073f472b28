"""Files of categories (CVLUE: 92 in 15 fields).

The rooms above register here what they count of a benchmark and which kinds of work have items.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from curation.benchmarks.rules import Localised, Name, Part, Slug
from curation.benchmarks.rules.marked_yaml import Document
from curation.people.rules import notice_type

_counts: dict[str, Any] = {}
# The counts in the list of benchmarks by name: expressions on a row of Benchmark.
COUNTS: Final[Mapping[str, Any]] = MappingProxyType(_counts)
# Each returns the kinds of which a benchmark has items.
KINDS_IN_USE: Final[list[Callable[[Any], Collection[str]]]] = []
# Withdrawn by its proposer, rejected by another administrator; outdated: another version was adopted since.
PROPOSAL_STATES: Final = ("open", "adopted", "withdrawn", "rejected", "outdated")
NOTICES: Final = {
    "roles_changed": notice_type("protocol", "version", "before"),
    "protocol_proposed": notice_type("protocol_proposal", "version"),
    "proposal_rejected": notice_type("protocol_proposal", "version"),
}


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
    number: Annotated[int, Field(ge=1)]
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
    if checked is None:  # cannot happen without a fault; for the type checker
        raise AssertionError
    return checked


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


def register_counts(counts: Mapping[str, Any]) -> None:
    """Add numbers to each row of the list of benchmarks.

    Args:
        counts: Expressions on a row of Benchmark (``OuterRef("pk")``) by the names that the answer gives them.
    """
    _counts.update(counts)


def register_kinds_in_use(kinds_in_use: Callable[[Any], Collection[str]]) -> None:
    """Add a function that returns the kinds of which a benchmark has items, which fix parts of its protocol."""
    if kinds_in_use not in KINDS_IN_USE:
        KINDS_IN_USE.append(kinds_in_use)
