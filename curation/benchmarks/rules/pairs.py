"""Files of pairs of country and language; CVQA has 39, and one team writes for each."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from curation.benchmarks.rules.marked_yaml import Document
from curation.benchmarks.rules.parts import Localised, Name, Part, Slug

# A BCP 47 tag of a language, optionally with its script and the region in which it is spoken.
LANGUAGE_TAG: Final = r"^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$"
Script = Literal[
    "amharic",
    "arabic",
    "bengali",
    "chinese",
    "cyrillic",
    "devanagari",
    "hangul",
    "japanese",
    "latin",
    "perso_arabic",
    "sinhalese",
    "tamil",
    "telugu",
]


class Pair(Part):
    """A language as spoken in a country, for which one team writes (CVQA).

    Attributes:
        tag: The language's BCP 47 tag, with the country as its region.
        script: The script of the language there.
    """

    slug: Slug
    tag: Annotated[str, Field(pattern=LANGUAGE_TAG)]
    country: Localised
    language: Localised
    continent: Literal["africa", "asia", "europe", "latin_america"]
    script: Script


class PairList(Part):
    """A file of pairs."""

    name: Name
    source: str
    pairs: Annotated[list[Pair], Field(min_length=1)]


def parse_pairs(source: str, *, file: str) -> PairList:
    """Read and check a list of pairs.

    Raises:
        FileInvalid: With every fault by line and key.
    """
    document = Document(source, file=file)
    if document.value is None:
        document.raise_problems()
    checked = document.check(document.value, PairList)
    slugs: set[str] = set()
    for n, pair in enumerate(checked.pairs if checked else ()):
        if pair.slug in slugs:
            document.fault(("pairs", n, "slug"), f"a unique slug, {pair.slug} exists already")
        slugs.add(pair.slug)
    document.raise_problems()
    if checked is None:  # cannot happen without a fault; for the type checker
        raise AssertionError
    return checked
