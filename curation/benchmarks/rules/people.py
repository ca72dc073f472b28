"""People: roles as bundles of capabilities, teams, consent, numbers about people."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from curation.benchmarks.rules.parts import Code, LabelledCode, Localised, Part, Percent, each_code_once


class Capability(StrEnum):
    """What a person may do. A protocol bundles capabilities into roles; the permission table maps them to operations.

    Capabilities without an operation belong to kinds and tracks that are not implemented yet.
    """

    OWN = "own"  # for the whole site; only the command line grants it, so no protocol can name it
    ADMINISTER = "administer"  # people, teams, protocol, packages, releases
    COLLECT = "collect"  # add pictures
    INSPECT_IMAGES = "inspect_images"
    ANNOTATE = "annotate"
    REVIEW = "review"
    INSPECT = "inspect"  # the final inspection of packages
    MODERATE = "moderate"
    VERIFY = "verify"
    CLICK = "click"
    QUESTION = "question"
    ANSWER = "answer"
    RATE = "rate"
    LABEL_ERRORS = "label_errors"
    TEACH = "teach"
    REVIEW_TRANSLATIONS = "review_translations"


# These apply to the benchmark as a whole; all others may be limited to one kind: ``annotate:captions``.
_OF_THE_WHOLE: Final = frozenset({Capability.ADMINISTER, Capability.COLLECT, Capability.INSPECT_IMAGES})
# Roles that no protocol names: the site's, and that of people outside the team who submit predictions.
OWNER: Final = "owner"
OUTSIDER: Final = "outsider"


def _known_capability(text: str) -> str:
    name, _, kind = text.partition(":")
    open_to = [c.value for c in Capability if c is not Capability.OWN]
    if name not in open_to:
        raise ValueError(f"one of {', '.join(open_to)}, got {text!r}")
    if ":" in text and (not kind or Capability(name) in _OF_THE_WHOLE):
        raise ValueError(f"{name} without a kind, got {text!r}" if kind else f"a kind behind the colon, got {text!r}")
    return text


def _not_reserved(code: str) -> str:
    if code in (OWNER, OUTSIDER):
        raise ValueError(f"a code of the benchmark's own; {code} is reserved")
    return code


class RoleBundle(Part):
    """A role of this benchmark: its name and its capabilities.

    Attributes:
        capabilities: ``name`` for every kind, or ``name:kind``.
    """

    code: Annotated[Code, AfterValidator(_not_reserved)]
    name: Localised
    capabilities: Annotated[list[Annotated[str, AfterValidator(_known_capability)]], Field(min_length=1)]


class Teams(Part):
    """Groups of people who work together, for example on one pair of country and language (CVQA).

    Attributes:
        size_maximum: Most people in a team, including its lead.
        roles: Codes of the roles that joining a team grants.
        lead_may_invite: Whether a team's lead may invite people into it.
    """

    size_maximum: Annotated[int, Field(ge=1, le=1_000)]
    roles: Annotated[list[Code], Field(min_length=1)]
    lead_may_invite: bool


class Donors(Part):
    """Declarations about people's own pictures.

    Attributes:
        uses: ``ask``: whether research and commercial use are allowed; ``waive``: they waive their rights; ``none``:
            the consent text covers everything.
    """

    uses: Literal["ask", "waive", "none"]


class Consent(Part):
    """The text that people consent to before they contribute; a new version requires consent again.

    Attributes:
        eligibility: Declarations about themselves, each with its own checkbox: fluent, at home in the culture …
    """

    version: Annotated[int, Field(ge=1)]
    text: Localised
    eligibility: Annotated[list[LabelledCode], AfterValidator(each_code_once)] = []
    donors: Donors


class Staff(Part):
    """The number of people with a role, for one kind or, without a kind, for all."""

    role: Code
    kind: Code | None = None
    people: Annotated[int, Field(ge=1)]


class Qualification(Part):
    """The test of a candidate before acceptance: a number of items, reviewed by a person with a role."""

    items: Annotated[int, Field(ge=1)]
    judged_by: Code


class Training(Part):
    """The training before the first package: a number of items, guided by a role, and how many must be right."""

    items: Annotated[int, Field(ge=1)]
    right_percent: Percent
    guided_by: Code


class Credit(Part):
    """The conditions of authorship: a number of validated items, or managing several subsets."""

    validated_items: Annotated[int, Field(ge=1)]
    or_manages_subsets: bool


class Questionnaire(Part):
    """Anonymous questions about people; totals below ``shown_from`` are never shown."""

    questions: Annotated[list[LabelledCode], Field(min_length=1), AfterValidator(each_code_once)]
    shown_from: Annotated[int, Field(ge=2)]


class Cost(Part):
    """The cost of the work, for reports: whole units of a currency, months."""

    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    amount: Annotated[int, Field(ge=0)]
    months: Annotated[int, Field(ge=1)]


class People(Part):
    """Numbers about people, for display only; this version does not enforce them."""

    staff: list[Staff] = []
    qualification: Qualification | None = None
    training: Training | None = None
    credit: Credit | None = None
    questionnaire: Questionnaire | None = None
    cost: Cost | None = None
