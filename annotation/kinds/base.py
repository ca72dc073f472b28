"""The interface of kinds of annotation: content, rules, export. Pure Python, without Django or people."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from annotation.kinds.context import Context, Need
from annotation.kinds.names import Names
from annotation.kinds.tree import RecordNode


class Settings(BaseModel):
    """Base of a kind's part of the protocol: it rejects unknown keys and is immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Reason(Settings):
    """An entry of a list of choices."""

    code: str
    name: Names


def _each_code_once(reasons: list[Reason]) -> list[Reason]:
    codes = [r.code for r in reasons]
    if twice := sorted({c for c in codes if codes.count(c) > 1}):
        raise ValueError(f"each code once; twice: {', '.join(twice)}")
    return reasons


Reasons = Annotated[list[Reason], AfterValidator(_each_code_once)]


class KindSettings(Settings):
    """Settings that every kind has.

    Attributes:
        human_checks: Rules that only people can check; the workspace lists them.
        review_reasons: The reasons that a reviewer chooses from.
        skip_reasons: The reasons that an annotator chooses from to skip an item.
    """

    human_checks: Reasons = []
    review_reasons: Reasons
    skip_reasons: Reasons = []

    @property
    def reason_codes(self) -> list[str]:
        """The codes of the review reasons, in order."""
        return [r.code for r in self.review_reasons]


class DoubledSettings(KindSettings):
    """Settings of a kind whose items two people may do independently, so that their agreement can be measured.

    Attributes:
        double_percent: Share of a build's items, rounded up, that are also given to a second person; 0: none.
    """

    double_percent: int = Field(default=0, ge=0, le=100)


class Rules(Settings):
    """The rules that the workspace shows: a kind adds its numbers and its name in ``kind``.

    Attributes:
        kind: Name of the kind; it discriminates the union of shapes.
        content: The fields of a content.
    """

    kind: str
    content: RecordNode
    human_checks: list[Reason]
    review_reasons: list[Reason]
    skip_reasons: list[Reason]

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    @classmethod
    def of(cls, settings: KindSettings, content: RecordNode) -> Self:
        """Copy the rules from settings, whose fields have the same names.

        Args:
            settings: The kind's part of the protocol.
            content: The kind's resolved tree.
        """
        names = cls.model_fields.keys() - {"kind", "content"}
        return cls(content=content, **{name: getattr(settings, name) for name in names})


@dataclass(frozen=True, slots=True)
class Span:
    """A range of one text field, in UTF-16 code units, so that a browser can mark it directly."""

    field: str
    start: int
    end: int


class SpanRow(TypedDict):
    """A stretch of a text field in UTF-16 code units."""

    field: str
    start: int
    end: int


class FindingRow(TypedDict):
    """What a rule says."""

    code: str
    field: str
    severity: Literal["error", "warn"]
    params: dict[str, Any]
    spans: list[SpanRow]
    overridable: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a rule for a content.

    Attributes:
        code: Stable code; the browser translates it.
        field: The field, for example ``captions.2``.
        severity: ``error`` prevents submission, ``warn`` does not.
        params: Values for the sentence.
        spans: The ranges to mark.
        overridable: Whether the author may submit anyway with a reason, which reviewers see.
    """

    code: str
    field: str
    severity: Literal["error", "warn"]
    params: dict[str, Any] = dataclasses.field(default_factory=dict)
    spans: tuple[Span, ...] = ()
    overridable: bool = False

    def as_json(self) -> FindingRow:
        """Return the finding as it is stored and sent."""
        return {
            "code": self.code,
            "field": self.field,
            "severity": self.severity,
            "params": self.params,
            "spans": [{"field": s.field, "start": s.start, "end": s.end} for s in self.spans],
            "overridable": self.overridable,
        }


class Kind(Protocol):
    """One kind of annotation; each has a file and an entry in :mod:`annotation.kinds.registry`."""

    @property
    def name(self) -> str:
        """The name in the protocol."""
        ...

    @property
    def prefix(self) -> str:
        """The prefix of items' labels."""
        ...

    @property
    def content_schema(self) -> int:
        """Version of the content's shape."""
        ...

    @property
    def settings(self) -> type[KindSettings]:
        """The kind's part of the protocol."""
        ...

    @property
    def rules_shape(self) -> type[Rules]:
        """The shape of :meth:`rules`, from which the API's description is generated."""
        ...

    @property
    def needs(self) -> tuple[Need, ...]:
        """What its rules ask of the context beside picture and languages; each costs a query, so most need nothing."""
        ...

    @property
    def base(self) -> str | None:
        """The kind on whose accepted content an item of this kind rests; None for kinds that rest on the picture."""
        ...

    def tree(self, settings: Any, context: Context) -> RecordNode:
        """Return the fields of a content; they depend on the settings and on the languages of the context."""
        ...

    def check(self, content: Mapping[str, Any], settings: Any, context: Context, *, complete: bool) -> list[Finding]:
        """Apply the automatic rules to accepted content; ``complete`` also rejects missing parts."""
        ...

    def rules(self, settings: Any, context: Context) -> Rules:
        """Return the rules that the workspace shows."""
        ...


def open_findings(findings: list[Finding], reasons: Mapping[str, str]) -> list[Finding]:
    """Return the errors that prevent submission: not overridable, or overridable and without a reason."""
    return [f for f in findings if f.severity == "error" and not (f.overridable and reasons.get(f.code, "").strip())]
