"""Who takes part: roles as bundles of capabilities, teams, consent, numbers about people."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from curation.benchmarks.rules.parts import Code, Localised, Named, Part, Percent, each_code_once


class Capability(StrEnum):
    """What somebody may do (W-P1); a protocol bundles them into roles, the permission table says what each opens.

    Those that no operation asks for belong to kinds and tracks that are not built yet.
    """

    OWN = "own"  # the whole site's; given by the command line alone, so no protocol can name it
    ADMINISTER = "administer"  # people, teams, protocol, packages, releases
    COLLECT = "collect"  # bring pictures
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


# These concern the benchmark as a whole; all others may be narrowed to one kind of work: ``annotate:captions``.
_OF_THE_WHOLE: Final = frozenset({Capability.ADMINISTER, Capability.COLLECT, Capability.INSPECT_IMAGES})
OWNER: Final = "owner"  # the site's role, the only one that no protocol names


def _known_capability(text: str) -> str:
    name, _, kind = text.partition(":")
    open_to = [c.value for c in Capability if c is not Capability.OWN]
    if name not in open_to:
        raise ValueError(f"one of {', '.join(open_to)}, got {text!r}")
    if ":" in text and (not kind or Capability(name) in _OF_THE_WHOLE):
        raise ValueError(f"{name} without a kind, got {text!r}" if kind else f"a kind behind the colon, got {text!r}")
    return text


def _not_the_owner(code: str) -> str:
    if code == OWNER:
        raise ValueError(f"a code of the benchmark's own; {OWNER} is the site's")
    return code


class RoleBundle(Part):
    """A role of this benchmark: what its people call it and what it may do.

    Attributes:
        capabilities: ``name``, for every kind of work, or ``name:kind``.
    """

    code: Annotated[Code, AfterValidator(_not_the_owner)]
    name: Localised
    capabilities: Annotated[list[Annotated[str, AfterValidator(_known_capability)]], Field(min_length=1)]


class Teams(Part):
    """People who work together, for example on one pair of country and language (CVQA).

    Attributes:
        size_maximum: People in a team, its lead included.
        roles: Codes of the roles that a member gets by joining a team.
        lead_may_invite: Whether a team's lead may invite people into it.
    """

    size_maximum: Annotated[int, Field(ge=1, le=1_000)]
    roles: Annotated[list[Code], Field(min_length=1)]
    lead_may_invite: bool


class Donors(Part):
    """What people say about each picture of their own that they give (W-P2).

    Attributes:
        uses: ``ask``: whether it may be used for research and commercially; ``waive``: they waive their rights in it;
            ``none``: the consent text says all.
    """

    uses: Literal["ask", "waive", "none"]


class Consent(Part):
    """What somebody agrees to before contributing; a new version asks everybody again.

    Attributes:
        eligibility: What they declare about themselves, each by its own tick: fluent, at home in the culture …
    """

    version: Annotated[int, Field(ge=1)]
    text: Localised
    eligibility: Annotated[list[Named], AfterValidator(each_code_once)] = []
    donors: Donors


class Staff(Part):
    """How many people of a role there were or are to be, for one kind of work or, without a kind, for all."""

    role: Code
    kind: Code | None = None
    people: Annotated[int, Field(ge=1)]


class Qualification(Part):
    """What a candidate does before being taken on: so many items, judged by somebody of a role."""

    items: Annotated[int, Field(ge=1)]
    judged_by: Code


class Training(Part):
    """What a trainee does before the first package: so many items, guided by a role, and how many must be right."""

    items: Annotated[int, Field(ge=1)]
    right_percent: Percent
    guided_by: Code


class Credit(Part):
    """What earns somebody a place among the authors: so many validated items, or managing several subsets."""

    validated_items: Annotated[int, Field(ge=1)]
    or_manages_subsets: bool


class Questionnaire(Part):
    """Anonymous questions about who the people are; totals below ``shown_from`` are never shown."""

    questions: Annotated[list[Named], Field(min_length=1), AfterValidator(each_code_once)]
    shown_from: Annotated[int, Field(ge=2)]


class Cost(Part):
    """What the work cost, for reports: whole units of a currency, months."""

    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    amount: Annotated[int, Field(ge=0)]
    months: Annotated[int, Field(ge=1)]


class People(Part):
    """Numbers about people: kept and shown; nothing in this version enforces them yet."""

    staff: list[Staff] = []
    qualification: Qualification | None = None
    training: Training | None = None
    credit: Credit | None = None
    questionnaire: Questionnaire | None = None
    cost: Cost | None = None
