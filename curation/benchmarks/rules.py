"""The protocol: everything about a benchmark that is a decision of its team and not of this software.

A protocol is a YAML file (``fixtures/protocols``). It is strict: a key nobody knows is a fault, numbers are numbers,
every name exists in the three interface languages, and what a name points to is there. The settings of a kind of work
are checked by that kind's own model, which the caller hands in, because kinds live above this room; a kind that is not
built yet is kept as it stands, and so is what stands under ``planned`` in other parts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from curation.core.marked_yaml import Document
from curation.core.sampling import doubts, draw_from


class Part(BaseModel):
    """A part of a protocol: unknown keys are faults, nothing is converted, nothing changes afterwards."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Code = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,47}$")]
Percent = Annotated[int, Field(ge=0, le=100)]


class Localised(Part):
    """A text in the three interface languages."""

    zh_hans: Annotated[str, Field(alias="zh-Hans", min_length=1)]
    zh_hant: Annotated[str, Field(alias="zh-Hant", min_length=1)]
    en: Annotated[str, Field(min_length=1)]


class Named(Part):
    """A code that is stored, and the name that people read."""

    code: Code
    name: Localised


def each_code_once(entries: list[Any]) -> list[Any]:
    """Refuse a list in which two entries carry the same code."""
    codes = [entry.code for entry in entries]
    twice = sorted({code for code in codes if codes.count(code) > 1})
    if twice:
        raise ValueError(f"each code once; twice: {', '.join(twice)}")
    return entries


Choices = Annotated[list[Named], Field(min_length=1), AfterValidator(each_code_once)]


class Meta(Part):
    """What the protocol is, for the list of presets.

    Attributes:
        name: Short name, as the file is called.
        source: The paper or document that the numbers come from.
    """

    name: Name
    title: Localised
    summary: Localised
    source: str


class Languages(Part):
    """Which language people write in; the interface's languages are the same for all benchmarks.

    Attributes:
        content: ``team``: each team in its own.
        translation: The language that everything is written in besides.
    """

    content: Literal["zh-Hans", "zh-Hant", "en", "team"]
    translation: Literal["zh-Hans", "zh-Hant", "en"] | None = None


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


class Taxonomy(Part):
    """The list of categories: a file under ``fixtures/taxonomies``.

    Attributes:
        pairs: A file there with pairs of country and language, one for each team.
    """

    list: Name
    pairs: Name | None = None


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


class Between(Part):
    """Bounds, both included."""

    minimum: Annotated[int, Field(ge=0)]
    maximum: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.minimum > self.maximum:
            raise ValueError(f"minimum not above maximum ({self.minimum} > {self.maximum})")
        return self


class Licence(Part):
    """A licence that pictures may come under.

    Attributes:
        code: Short name; SPDX where there is one.
        releasable: Whether a release may hold such pictures.
    """

    code: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+-]{0,47}$")]
    name: Localised
    releasable: bool


class Site(Part):
    """A place on the web that pictures may come from, and the licences that hold there.

    Attributes:
        hosts: Host names, ``flickr.com`` standing for ``www.flickr.com`` too; a picture's address lies on one of them.
        licences: Codes of the protocol's licences.
    """

    code: Code
    name: Localised
    hosts: Annotated[list[Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$")]], Field(min_length=1)]
    licences: Annotated[list[str], Field(min_length=1)]


class Quota(Part):
    """How many accepted pictures each category needs, and how many it is collected for."""

    per_category_minimum: Annotated[int, Field(ge=0)]
    per_category_target: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.per_category_minimum > self.per_category_target:
            raise ValueError(f"minimum not above target ({self.per_category_minimum} > {self.per_category_target})")
        return self


class Count(Part):
    """Bounds of a count of objects, both included; null is unbounded."""

    minimum: Annotated[int, Field(ge=0)] | None = None
    maximum: Annotated[int, Field(ge=0)] | None = None


class Objects(Part):
    """What a subset asks of the three counts an inspector makes of a picture.

    Attributes:
        all: Objects of any kind.
        listed: Objects of the list's categories.
        main: Objects of the picture's main category.
    """

    all: Count | None = None
    listed: Count | None = None
    main: Count | None = None


class Subset(Part):
    """A part of the pictures, collected under its own rule.

    Attributes:
        objects: The rule's numbers, where it has any; shown to inspectors beside their counts.
    """

    code: Annotated[str, Field(pattern=r"^[A-Z]$")]
    name: Localised
    rule: Localised
    objects: Objects | None = None


class Images(Part):
    """What is taken in and how it is looked at.

    Attributes:
        formats: File types, recognised by their bytes.
        sources: Where pictures may come from: taken by the contributor, given by family or friends, found elsewhere.
        sites: Where pictures found elsewhere may come from; an empty list allows any address.
        quota: Pictures wanted of each category.
        takedown_reasons: Why a picture is withdrawn after it was accepted.
        bytes: Size of the uploaded file in bytes.
        side: Pixels: the shorter side has to reach the minimum, the longer one stays within the maximum.
        pixels_maximum: Width times height; looked at before anything is decoded.
        aspect_maximum_percent: Longer side in percent of the shorter one; 300 means 3 : 1.
        keep_originals: Whether the file as uploaded is kept in the private store; otherwise it is never stored.
        near_duplicate_distance: Bits in which two 64-bit perceptual hashes may differ for the pictures to be laid over
            one another; those that then agree are flagged.
        blur_below: Variance of the Laplacian at 640 pixels' width under which a picture is flagged as blurred.
    """

    formats: Annotated[list[Literal["JPEG", "PNG", "WebP", "HEIC"]], Field(min_length=1)]
    bytes: Between
    side: Between
    pixels_maximum: Annotated[int, Field(ge=1, le=200_000_000)]
    aspect_maximum_percent: Annotated[int, Field(ge=100)]
    keep_originals: bool
    near_duplicate_distance: Annotated[int, Field(ge=0, le=64)]
    blur_below: Annotated[int, Field(ge=0)]
    sources: Annotated[list[Literal["own", "donated", "external"]], Field(min_length=1)]
    licences: Annotated[list[Licence], Field(min_length=1), AfterValidator(each_code_once)]
    sites: Annotated[list[Site], AfterValidator(each_code_once)] = []
    quota: Quota | None = None
    refusal_reasons: Choices
    takedown_reasons: Choices
    subsets: Annotated[list[Subset], AfterValidator(each_code_once)]


class Pool(Part):
    """Items judged one by one by whoever takes a seat, instead of a package by one person.

    Attributes:
        people: How many different people judge each item.
        held: How many items one person may hold at a time.
    """

    people: Annotated[int, Field(ge=1, le=5)] = 1
    held: Annotated[int, Field(ge=1, le=20)] = 5


class PackageTrack(Part):
    """How packages are made and inspected.

    Attributes:
        size: Items in a package.
        sample_percent: Share of a package that the final inspection draws, rounded up.
        pass_over_percent: A package passes when more than this share of the drawn items is right.
        self_check: Whether its writer has to tick every item before handing the package over.
        blind: Whether colleagues' names are hidden from all but those who administer.
        stall_days: After how many days without a move a package counts as stalled.
        review_pool: Reviews come from a pool of items; None: a senior reviews a whole package.
        inspection_pool: Inspections come from a pool of drawn items; None: one inspector judges a draw.
    """

    size: Annotated[int, Field(ge=1, le=1_000)]
    sample_percent: Annotated[int, Field(ge=1, le=100)]
    pass_over_percent: Annotated[int, Field(ge=0, le=99)]
    self_check: bool
    blind: bool = False
    stall_days: Annotated[int, Field(ge=1, le=365)] = 3
    review_pool: Pool | None = None
    inspection_pool: Pool | None = None


class Tracks(Part):
    """How work is vouched for.

    Attributes:
        planned: Tracks that are not built yet, as written.
    """

    package: PackageTrack | None = None
    planned: dict[Literal["peer", "panel", "community"], dict[str, Any]] = {}


class Splits(Part):
    """Shares of the pictures in percent."""

    train: Percent
    valid: Percent
    test: Percent

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.train + self.valid + self.test != 100:
            raise ValueError(f"train, valid and test to add up to 100, got {self.train + self.valid + self.test}")
        return self


class PerCategory(Part):
    """How each category is divided by numbers, where shares of the whole do not say it (VisTai section 3).

    Attributes:
        train: Pictures of each category for the examples, taken first.
        test_minimum: Pictures of each category that the test has before the validation gets any.
        valid_target: Pictures of each category wanted for the validation; where the shares give more, it gets more.
    """

    train: Annotated[int, Field(ge=0, le=100_000)]
    test_minimum: Annotated[int, Field(ge=0, le=100_000)]
    valid_target: Annotated[int, Field(ge=0, le=100_000)]


class PlannedRelease(Part):
    """Gates, formats and settings of releases that are not built yet."""

    gates: list[Code] = []
    exporters: list[Code] = []
    settings: dict[Code, Any] = {}


class Release(Part):
    """What is published, and what has to hold first.

    Attributes:
        licence: The data set's own; ``per-picture``: each picture's.
        splits: Shares of the pictures; with ``per_category`` they divide what its numbers leave open.
        withheld: Splits whose answers are kept out of the public files, in a key file of their own.
        gates: What has to hold for every picture and item before a release can be frozen.
        exporters: Formats of the files.
    """

    licence: str
    splits: Splits
    per_category: PerCategory | None = None
    withheld: list[Literal["train", "valid", "test"]] = []
    gates: Annotated[list[Code], Field(min_length=1)]
    exporters: Annotated[list[Code], Field(min_length=1)]
    planned: PlannedRelease = PlannedRelease()


class PlannedEvaluation(Part):
    """Suites, systems and settings of evaluation that are not built yet."""

    systems: list[Name] = []
    suites: list[Code] = []
    settings: dict[Code, Any] = {}


# Files of predictions that a person may hand in on one day, where a protocol does not say it.
SUBMISSIONS_PER_DAY: Final = 5


class Evaluation(Part):
    """Which systems are tried on accepted work, and how.

    Attributes:
        systems: By slug.
        suites: What is asked of them.
        submissions_per_day: Files of predictions that one person may hand in against the benchmark's releases on one
            day of its zone; 0: none are taken. Each answer tells a little about those that are held back.
    """

    systems: list[Name]
    suites: list[Code]
    submissions_per_day: Annotated[int, Field(ge=0, le=1_000)] = SUBMISSIONS_PER_DAY
    planned: PlannedEvaluation = PlannedEvaluation()


class _File(Part):
    """The whole file; kinds are checked one by one."""

    meta: Meta
    languages: Languages
    roles: Annotated[list[RoleBundle], Field(min_length=1), AfterValidator(each_code_once)]
    teams: Teams | None = None
    people: People | None = None
    consent: Consent | None = None
    taxonomy: Taxonomy
    images: Images
    kinds: dict[str, dict[str, Any]]
    tracks: Tracks
    release: Release
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class Known:
    """What a protocol may name, collected by the caller because all of it lies above this room.

    Attributes:
        kinds: The model of each built kind's settings.
        taxonomies: Lists of categories; ``pairs``: lists of pairs of country and language.
    """

    kinds: Mapping[str, type[BaseModel]]
    taxonomies: Collection[str]
    pairs: Collection[str]
    exporters: Collection[str]
    gates: Collection[str]
    suites: Collection[str]
    systems: Collection[str]


class Warned(NamedTuple):
    """Something that is no fault, but hardly what anybody wants.

    Attributes:
        code: Translated by the browser.
        params: The values in its sentence.
        line: Line of the value, counted from 1.
        path: Its dotted keys.
    """

    code: str
    params: dict[str, int | float]
    line: int
    path: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.path}: {_WARNINGS[self.code].format(**self.params)}"


_WARNINGS: Final[Mapping[str, str]] = {
    "inspection_weak": (
        "of {size} items {sample} are drawn and {errors_allowed} may be wrong; "
        "work that is {right_percent} % right passes in {chance:.0%} of cases"
    ),
    "inspection_harsh": (
        "of {size} items {sample} are drawn and {errors_allowed} may be wrong; "
        "work that is {right_percent} % right passes only in {chance:.0%} of cases"
    ),
}


@dataclass(frozen=True, slots=True)
class Protocol:
    """A checked protocol.

    Attributes:
        name: ``meta.name``.
        source: The file as it was written.
        content: JSON-able; ``kinds`` holds the kinds that are built, ``planned`` the others as they stand.
        warnings: What may be written so and will surprise whoever works by it.
    """

    name: str
    source: str
    content: dict[str, Any]
    warnings: tuple[Warned, ...] = ()

    @property
    def source_sha256(self) -> str:
        """Of the file's bytes in UTF-8, so that a version names exactly what was read."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def planned(self) -> list[str]:
        """What the protocol names and this software does not have yet."""
        return planned_parts(self.content)


def planned_parts(content: Mapping[str, Any]) -> list[str]:
    """Paths of all that a protocol's content keeps for later, for example ``kinds.boxes`` and ``tracks.peer``."""
    release, evaluation = content.get("release", {}), content.get("evaluation", {})
    found = [f"kinds.{kind}" for kind in content.get("planned", {})]
    found += [f"tracks.{track}" for track in content.get("tracks", {}).get("planned", {})]
    found += ["people"] if content.get("people") else []
    for part, planned in (("release", release.get("planned", {})), ("evaluation", evaluation.get("planned", {}))):
        found += [f"{part}.{what}.{name}" for what, names in planned.items() for name in names]
    return sorted(found)


# What work rests on: once there are items, a new version leaves these parts as they are. Work of a kind that was not
# there rests on nothing, so a benchmark can take up another kind, and reasons to skip can be added.
FROZEN: Final = ("kinds", "tracks", "taxonomy", "languages")


class Change(NamedTuple):
    """One difference between two versions.

    Attributes:
        path: Dotted keys; entries with a code go by it: ``images.licences.CC0-1.0.releasable``.
        before: None where the older version has nothing there.
        after: None where the newer version has nothing there.
    """

    path: str
    before: Any
    after: Any

    @property
    def is_frozen(self) -> bool:
        """Whether the change is refused once work has begun."""
        part, *below = self.path.split(".")
        if part == "kinds" and _empty(self.before):
            return len(below) > 1 and below[1] != "skip_reasons"
        return part in FROZEN


def changes(before: Any, after: Any, path: str = "") -> list[Change]:
    """Every difference between two versions' contents, in the order of the newer one.

    What is missing equals what is empty, so that a version stored before a part of the file existed does not differ.
    """
    if _empty(before) and _empty(after):
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*after, *(key for key in before if key not in after)]
        return [c for key in keys for c in changes(before.get(key), after.get(key), f"{path}.{key}".lstrip("."))]
    if _are_coded(before) and _are_coded(after):
        return _changes_of_entries(before, after, path)
    return [] if before == after and type(before) is type(after) else [Change(path, before, after)]


def _changes_of_entries(before: list[dict[str, Any]], after: list[dict[str, Any]], path: str) -> list[Change]:
    old, new = ({entry["code"]: entry for entry in entries} for entries in (before, after))
    found = changes(old, new, path)
    left = [code for code in old if code in new]
    if left != [code for code in new if code in old]:
        found.append(Change(path, list(old), list(new)))  # the order is what people press keys by
    return found


def _are_coded(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) and "code" in e for e in value)


def _empty(value: Any) -> bool:
    return value is None or value in ({}, [], "")


def consent_sha256(content: Mapping[str, Any]) -> str:
    """Name what people agree to: SHA-256 of the consent's version, text and declarations; empty when nothing is asked.

    What is asked about single pictures (``donors``) is no part of it: each picture carries its own answer.
    """
    consent = content.get("consent")
    if not consent:
        return ""
    agreed = {key: consent.get(key) for key in ("version", "text", "eligibility")}
    return hashlib.sha256(json.dumps(agreed, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def parse(source: str, *, known: Known, file: str = "protocol.yaml") -> Protocol:
    """Read and check a protocol.

    Args:
        source: The file's text.
        known: What the file may name.
        file: Its name, for the faults.

    Raises:
        FileInvalid: With every fault, not only the first.
    """
    document = Document(source, file=file)
    if document.value is None:
        document.raise_problems()
    raw = document.value if isinstance(document.value, dict) else {}
    checked = document.check(document.value, _File)
    if checked is not None:
        for fault in (*_loose_ends(checked), *_unknown_names(checked, known)):
            document.fault(fault.path, fault.expected, fault.code, fault.params)
    named = raw.get("kinds")
    built: dict[str, Any] = {}
    for kind, settings in _settings_of(named):
        if kind in known.kinds:
            model = document.check(settings, known.kinds[kind], at=("kinds", kind))
            built[kind] = model.model_dump(mode="json", by_alias=True) if model else None
    document.raise_problems()
    if checked is None:  # impossible without a fault, said for the type checker
        raise AssertionError
    content = checked.model_dump(mode="json", by_alias=True)
    content["planned"] = {kind: settings for kind, settings in content["kinds"].items() if kind not in known.kinds}
    content["kinds"] = built
    return Protocol(checked.meta.name, source, content, tuple(_warnings(content, document)))


def warnings_of(content: Mapping[str, Any], source: str) -> list[Warned]:
    """The warnings of a version that was stored; ``source`` is its file's text, which tells the lines."""
    return list(_warnings(content, Document(source, file="protocol.yaml")))


def _warnings(content: Mapping[str, Any], document: Document) -> Iterator[Warned]:
    track = content.get("tracks", {}).get("package")
    if not track:
        return
    draw = draw_from(
        track["size"], sample_percent=track["sample_percent"], pass_over_percent=track["pass_over_percent"]
    )
    path = ("tracks", "package", "size")
    for code, params in doubts(draw):
        yield Warned(code, params, document.line(path), ".".join(path))


class Fault(NamedTuple):
    """Something that no part of the file shows by itself: where, what was expected, its code and values."""

    path: tuple[str | int, ...]
    expected: str
    code: str
    params: dict[str, Any]


def _loose_ends(checked: _File) -> Iterator[Fault]:
    """Names in one part of the file that should stand in another and do not."""
    roles, kinds = [role.code for role in checked.roles], list(checked.kinds)
    if not any(Capability.ADMINISTER in role.capabilities for role in checked.roles):
        yield Fault(("roles",), f"a role with the capability {Capability.ADMINISTER}", "nobody_administers", {})
    for r, role in enumerate(checked.roles):
        for c, capability in enumerate(role.capabilities):
            kind = capability.partition(":")[2]
            yield from _missing(kind or None, "kinds", kinds, ("roles", r, "capabilities", c))
    for r, code in enumerate(checked.teams.roles if checked.teams else ()):
        yield from _missing(code, "roles", roles, ("teams", "roles", r))
    if people := checked.people:
        for n, staff in enumerate(people.staff):
            yield from _missing(staff.role, "roles", roles, ("people", "staff", n, "role"))
            yield from _missing(staff.kind, "kinds", kinds, ("people", "staff", n, "kind"))
        if people.qualification:
            yield from _missing(
                people.qualification.judged_by, "roles", roles, ("people", "qualification", "judged_by")
            )
        if people.training:
            yield from _missing(people.training.guided_by, "roles", roles, ("people", "training", "guided_by"))
    licences = [licence.code for licence in checked.images.licences]
    for s, site in enumerate(checked.images.sites):
        for n, code in enumerate(site.licences):
            yield from _missing(code, "licences", licences, ("images", "sites", s, "licences", n))


def _unknown_names(checked: _File, known: Known) -> Iterator[Fault]:
    """Names of things outside the file that are not there."""
    taxonomy, release, evaluation = checked.taxonomy, checked.release, checked.evaluation
    yield from _missing(taxonomy.list, "lists", known.taxonomies, ("taxonomy", "list"))
    yield from _missing(taxonomy.pairs, "lists of pairs", known.pairs, ("taxonomy", "pairs"))
    for part, what, names, there in (
        ("release", "gates", release.gates, known.gates),
        ("release", "exporters", release.exporters, known.exporters),
        ("evaluation", "systems", evaluation.systems, known.systems),
        ("evaluation", "suites", evaluation.suites, known.suites),
    ):
        for n, name in enumerate(names):
            for fault in _missing(name, what, there, (part, what, n)):
                hint = f"; what is not built yet stands under {part}.planned.{what}"
                yield fault._replace(
                    expected=fault.expected + hint,
                    code="name_not_built",
                    params=fault.params | {"planned": f"{part}.planned.{what}"},
                )


def _missing(name: str | None, what: str, there: Collection[str], path: tuple[str | int, ...]) -> Iterator[Fault]:
    if name is not None and name not in there:
        names = ", ".join(there)
        yield Fault(path, f"one of the {what} {names}, got {name!r}", "name_unknown", {"names": names, "got": name})


def _settings_of(named: object) -> Iterable[tuple[str, Any]]:
    return named.items() if isinstance(named, dict) else ()
