"""What a kind of work is: its content, its rules, what it exports. Pure Python; knows nothing of Django or people."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, Protocol, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, GetJsonSchemaHandler, WithJsonSchema

LANGUAGES = ("zh-Hans", "zh-Hant", "en")


def _all_languages(names: dict[str, str]) -> dict[str, str]:
    if set(names) != set(LANGUAGES):
        raise ValueError(f"a text for each of {', '.join(LANGUAGES)}")
    return names


Names = Annotated[
    dict[str, str],
    AfterValidator(_all_languages),
    WithJsonSchema(
        {
            "type": "object",
            "properties": {language: {"type": "string"} for language in LANGUAGES},
            "required": list(LANGUAGES),
        }
    ),
]


class Settings(BaseModel):
    """Base of a kind's part of the protocol: unknown keys are refused, values cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Reason(Settings):
    """An entry of a list that people choose from."""

    code: str
    name: Names


def _each_code_once(reasons: list[Reason]) -> list[Reason]:
    codes = [r.code for r in reasons]
    if twice := sorted({c for c in codes if codes.count(c) > 1}):
        raise ValueError(f"each code once; twice: {', '.join(twice)}")
    return reasons


Reasons = Annotated[list[Reason], AfterValidator(_each_code_once)]


class KindSettings(Settings):
    """What every kind's settings have.

    Attributes:
        human_checks: What only people can judge, shown beside the work.
        review_reasons: What a judge chooses from.
        skip_reasons: What an annotator chooses from who cannot or will not write an item.
    """

    human_checks: Reasons = []
    review_reasons: Reasons
    skip_reasons: Reasons = []

    @property
    def reason_codes(self) -> list[str]:
        """Codes of the reasons of a judge, in order."""
        return [r.code for r in self.review_reasons]


class Rules(Settings):
    """The rules as the workspace shows them: a kind adds its numbers and says its name in ``kind``.

    Attributes:
        kind: Name of the kind; tells the shapes apart.
        slots: How many texts, pairs … one item asks for.
    """

    kind: str
    slots: int
    human_checks: list[Reason]
    review_reasons: list[Reason]
    skip_reasons: list[Reason]

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """OpenAPI 3.0 has no ``const``: the kind's name is an enumeration of one."""
        schema = handler.resolve_ref_schema(handler(core))
        if "const" in schema["properties"]["kind"]:
            schema["properties"]["kind"] = {"type": "string", "enum": [schema["properties"]["kind"]["const"]]}
        return schema

    @classmethod
    def of(cls, settings: KindSettings) -> Self:
        """Take what is shown from the settings, which name it alike."""
        return cls(**{name: getattr(settings, name) for name in cls.model_fields if name != "kind"})


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one text field, in UTF-16 code units so that a browser can mark it directly."""

    field: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule has to say about content.

    Attributes:
        code: Stable name; the browser translates it.
        field: Where, for example ``captions.2``.
        severity: ``error`` stops handing in, ``warn`` only tells.
        params: Values for the sentence.
        spans: What to mark.
        overridable: Whether the author may go on by giving a reason that reviewers see (W-K2).
    """

    code: str
    field: str
    severity: Literal["error", "warn"]
    params: dict[str, Any] = dataclasses.field(default_factory=dict)
    spans: tuple[Span, ...] = ()
    overridable: bool = False

    def as_json(self) -> dict[str, Any]:
        """The finding as it is stored and sent."""
        return asdict(self) | {"spans": [asdict(s) for s in self.spans]}


# What a column holds: a simple type (string, int64, float64, bool), a list of one shape, or named parts.
Shape: TypeAlias = "str | list[Shape] | dict[str, Shape]"


@dataclass(frozen=True, slots=True)
class Column:
    """A part of the content as releases publish it.

    Attributes:
        shape: Its type, for formats that have types.
        meaning: What it holds, in English, for the data set's card.
    """

    shape: Shape
    meaning: str


class MalformedContent(ValueError):
    """Content that is not even of the kind's shape; ``args[0]`` says what was expected."""


class Kind(Protocol):
    """One kind of annotation; one file each, listed in :mod:`annotation.kinds.registry`."""

    @property
    def name(self) -> str:
        """As the protocol calls it."""
        ...

    @property
    def prefix(self) -> str:
        """Beginning of items' labels."""
        ...

    @property
    def content_schema(self) -> int:
        """Version of the content's shape."""
        ...

    @property
    def settings(self) -> type[KindSettings]:
        """Its part of the protocol."""
        ...

    @property
    def rules_shape(self) -> type[Rules]:
        """The shape of :meth:`rules`; the API's description is made from it."""
        ...

    def shape(self, content: Mapping[str, Any], settings: Any) -> dict[str, Any]:
        """Return content of the right shape, texts untouched (a draft).

        Raises:
            MalformedContent: Other keys, types or counts than the kind has.
        """
        ...

    def clean(self, content: Mapping[str, Any], settings: Any) -> dict[str, Any]:
        """Return content as a revision stores it (NFC, stripped).

        Raises:
            MalformedContent: As :meth:`shape`.
            TextRefused: Characters that are never stored.
        """
        ...

    def check(self, content: Mapping[str, Any], settings: Any, *, complete: bool) -> list[Finding]:
        """Apply the automatic rules; ``complete`` also asks that nothing is missing."""
        ...

    def rules(self, settings: Any) -> Rules:
        """The rules as the workspace shows them."""
        ...

    @property
    def columns(self) -> Mapping[str, Column]:
        """What a content adds to a published record: its keys, all of them, by name."""
        ...

    def texts(self, content: Mapping[str, Any]) -> dict[str, list[str]]:
        """The texts of a content under the names that suites, statistics and lists use, the foremost first."""
        ...

    def from_texts(self, texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """The content that :meth:`texts` tells apart; :meth:`shape` says whether it is one.

        Raises:
            MalformedContent: Other names than the kind has, or texts that do not belong together.
        """
        ...

    def withhold(self, record: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Take the answers out of a published record.

        Returns:
            The record as everybody gets it, of the same columns, and the answers alone.
        """
        ...


def open_findings(findings: list[Finding], reasons: Mapping[str, str]) -> list[Finding]:
    """Errors that stop handing in: those not overridable, or overridable ones without a reason."""
    return [f for f in findings if f.severity == "error" and not (f.overridable and reasons.get(f.code, "").strip())]
