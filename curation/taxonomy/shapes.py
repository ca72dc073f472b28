"""Answers about benchmarks, their protocols and their categories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema
from typing_extensions import TypedDict

from curation.core.shapes import LocalisedText, OneOf, PersonBrief
from curation.people.shapes import PairRow
from curation.taxonomy.rules import COUNTS, PROPOSAL_STATES


class PresetRow(TypedDict):
    """A protocol that ships with the software.

    ``kinds`` are the kinds of work that its benchmark does; ``planned_kinds`` those that the protocol names and this
    software does not support yet.
    """

    name: str
    title: LocalisedText
    summary: LocalisedText
    kinds: list[str]
    planned_kinds: list[str]


class BenchmarkField(TypedDict):
    """A semantic field."""

    slug: str
    name: LocalisedText


class PresetAnswer(TypedDict):
    """A preset with its file's text; ``planned`` lists what this software does not support yet.

    ``fields`` are the semantic fields of its list of categories.
    """

    name: str
    source: str
    source_sha256: str
    content: dict[str, Any]
    planned: list[str]
    fields: list[BenchmarkField]


@dataclass(frozen=True)
class KeysOf:
    """Restricts the keys of a dictionary of numbers in a shape: all of ``names`` and no others."""

    names: Iterable[str]

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """List the keys in the API's description."""
        names = list(self.names)
        return {"type": "object", "properties": {name: {"type": "integer"} for name in names}, "required": names}


class BenchmarkRow(TypedDict):
    """A benchmark in the list."""

    slug: str
    title: LocalisedText
    roles: list[str]
    counts: Annotated[dict[str, int], KeysOf(COUNTS)]


class CategoryRow(TypedDict):
    """A category of the benchmark's list; ``search`` has the strings of which a typed part finds it."""

    id: int
    slug: str
    name: LocalisedText
    short: LocalisedText | None
    definition: LocalisedText | None
    field: BenchmarkField
    group: Annotated[str, OneOf(("coco", "moderate", "closest", ""))]
    search: list[str]


class AxisValue(TypedDict):
    """A value of a further dimension."""

    slug: str
    name: LocalisedText


class AxisAnswer(TypedDict):
    """A further dimension of the items, such as the school grade, with its values."""

    code: str
    name: LocalisedText
    values: list[AxisValue]


class ProtocolInForce(TypedDict):
    """The current protocol; ``planned`` lists what this software does not support yet: ``kinds.boxes``."""

    version: int
    name: str
    content: dict[str, Any]
    planned: list[str]


class BenchmarkAnswer(TypedDict):
    """A benchmark with its protocol and categories."""

    slug: str
    title: LocalisedText
    zone: str
    state: Annotated[str, OneOf(("open", "closed"))]
    roles: list[str]
    operations: list[str]
    protocol: ProtocolInForce
    categories: list[CategoryRow]
    axes: list[AxisAnswer]


class ProtocolRow(TypedDict):
    """A version in the list; ``created_by`` is null for versions made before that was recorded."""

    version: int
    name: str
    title: LocalisedText
    source_sha256: str
    created_at: datetime
    created_by: PersonBrief | None
    is_current: bool


class WarningRow(TypedDict):
    """A setting that is allowed but rarely intended, with its line; translated by ``code``."""

    code: str
    params: dict[str, Any]
    line: int
    path: str


class ProtocolAnswer(ProtocolRow):
    """A version with its content; ``source`` is empty for versions made before the text was kept.

    ``pairs`` is what teams write for, where the protocol names a list of pairs.
    """

    content: dict[str, Any]
    source: str
    planned: list[str]
    pairs: list[PairRow]
    warnings: list[WarningRow]


class ProtocolChange(TypedDict):
    """One difference; null where a version has no value. ``is_locked``: refused, because items depend on it."""

    path: str
    before: Any
    after: Any
    is_locked: bool


class RoleChangeRow(TypedDict):
    """The capabilities that a role gains and loses.

    ``role`` is ``.leads`` for the leads of teams, who have no name and gain codes of roles they may invite people with.
    """

    role: str
    name: LocalisedText | None
    gained: list[str]
    lost: list[str]


class ComparisonAnswer(TypedDict):
    """What ``version`` changed against ``other``."""

    version: int
    other: int
    changes: list[ProtocolChange]
    role_changes: list[RoleChangeRow]
    asks_consent_again: bool


class FaultRow(TypedDict):
    """A fault beside its line; ``code`` is empty where only the English message explains it."""

    line: int
    key: str
    message: str
    code: str
    params: dict[str, Any]


class ProtocolEffect(TypedDict):
    """What adopting the text would change in the benchmark.

    ``needs_second``: a role gains capabilities, so that the reader proposes the text. The site's owner adopts it, or
    another administrator if the owner appointed both.
    """

    base_version: int
    changes: list[ProtocolChange]
    role_changes: list[RoleChangeRow]
    needs_second: bool
    asks_consent_again: bool
    is_same_text: bool


class ProposalRow(TypedDict):
    """An open proposal in the list."""

    id: int
    version: int
    proposed_by: PersonBrief
    created_at: datetime
    is_own: bool


class ProposalAnswer(ProposalRow):
    """A proposed text, and what it would change in the version it was written on.

    ``may_adopt``: no role gains capabilities, the reader owns the site, or the owner appointed the reader and another
    administrator who proposes the same text.
    """

    benchmark: str
    state: Annotated[str, OneOf(PROPOSAL_STATES)]
    source: str
    source_sha256: str
    changes: list[ProtocolChange]
    role_changes: list[RoleChangeRow]
    asks_consent_again: bool
    warnings: list[WarningRow]
    may_adopt: bool


class ProtocolCheckAnswer(TypedDict):
    """The first faults of a text and how many there are; without any, what it contains and would change."""

    faults: list[FaultRow]
    fault_count: int
    title: LocalisedText | None
    planned: list[str]
    warnings: list[WarningRow]
    effect: ProtocolEffect | None


class CategoryListFault(TypedDict):
    """A fault of a list beside its cell; ``message`` explains it in English where the code is one of YAML files."""

    line: int
    column: str
    code: str
    params: dict[str, Any]
    message: str


class CategoryListCheckAnswer(TypedDict):
    """The first faults of a list, how many there are, and its cells by column."""

    faults: list[CategoryListFault]
    fault_count: int
    rows: list[dict[str, str]]


class CategoryListRow(TypedDict):
    """A version of a list of categories; ``protocol_versions`` name it, ``in_use``: the current one does.

    ``dimensions`` are the names of those dimensions of the current protocol whose values it has.
    """

    name: str
    version: int
    origin: Annotated[str, OneOf(("shipped", "file", "board"))]
    sha256: str
    categories: int
    fields: int
    created_at: datetime
    created_by: PersonBrief | None
    in_use: bool
    dimensions: list[LocalisedText]
    protocol_versions: list[int]


class CategoryListAnswer(CategoryListRow):
    """A version with its cells by column, a category a row."""

    rows: list[dict[str, str]]
