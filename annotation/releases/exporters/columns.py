"""The columns of published records, for typed formats.

Every record has the shared columns. The occasional ones are in all records of a release or in none, as its protocol was
when it was frozen. The content's own come last; one of them may replace a shared column of the same name, as the
category of a question replaces that of its picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotation.kinds.published import Column, columns
from annotation.releases.exporters.base import Facts
from annotation.releases.rules import AXIS, CANDIDATES, CAPTION, DISTANCE, SCORED_ROUND

# The columns of every kind's records, as ``annotation.releases.rules.record`` builds them.
SHARED: Final[Mapping[str, Column]] = {
    "image": Column("string", "the picture's name in the release; Parquet holds its bytes beside it"),
    "id": Column("int64", "number of the picture in the benchmark"),
    "label": Column("string", "the picture's name there"),
    "item": Column("string", "name of the annotated item"),
    "revision": Column("int64", "which version of the item's content this is, counted from 1"),
    "image_sha256": Column("string", "sha256 of the picture's bytes"),
    "width": Column("int64", "width of the picture in pixels; it is stored upright"),
    "height": Column("int64", "height of the picture in pixels"),
    "category": Column("string", "the picture's category, empty where it has none"),
    "subset": Column("string", "the part of the collection it belongs to, empty where there are no parts"),
    "licence": Column("string", "the picture's own licence"),
    "source": Column({"kind": "string", "url": "string", "author": "string"}, "where the picture comes from"),
    "split": Column("string", "the split; all items of a picture are in the same one"),
    "protocol_version": Column("int64", "version of the protocol"),
}


# The columns that only some protocols call for, as ``annotation.releases.rules.occasional_fields`` builds them.
OCCASIONAL: Final[Mapping[str, Column]] = {
    "slot": Column("int64", "which of the picture's items this is, counted from 0"),
    "language": Column("string", "the language of the texts, a BCP 47 tag"),
    "language_name": Column("string", "its name in English, empty where no team is named for it"),
    "translation_language": Column("string", "the language that they are translated to, a BCP 47 tag; empty for none"),
    "country": Column("string", "the country of the team that wrote them, empty where there are no teams"),
    "continent": Column("string", "that country's continent"),
    DISTANCE: Column("string", "the group of cultural distance of the category, empty where it has none"),
    "research_only": Column("bool", "whether the picture may be used for research only"),
}
# The columns of dialogues, as ``annotation.releases.rules.dialogue_fields`` builds them.
FURTHER: Final[Mapping[str, Column]] = {
    CAPTION: Column("string", "the picture's caption with which the dialogue began"),
    SCORED_ROUND: Column("int64", "the round whose answer is scored, counted from 1; 0 where none is"),
    CANDIDATES: Column(["string"], "the candidate answers of that round, the right one among them, in random order"),
}


def shared_columns(facts: Facts) -> dict[str, Column]:
    """Return the columns of a release's records without those of their content."""
    own = columns(facts.tree)
    optional = {**OCCASIONAL, **FURTHER}
    every = {**SHARED, **{name: column for name, column in optional.items() if name in facts.columns}}
    every |= {
        name: Column("string", f"the picture's {name.removeprefix(AXIS)}, empty where it was not chosen")
        for name in facts.columns
        if name.startswith(AXIS)
    }
    return {name: column for name, column in every.items() if name not in own}


def columns_of(facts: Facts) -> dict[str, Column]:
    """Return the columns of a release's records: the common ones, then those of their content."""
    return {**shared_columns(facts), **columns(facts.tree)}
