"""The protocol: everything about a benchmark that is a decision of its team and not of this software.

A protocol is a YAML file (``fixtures/protocols``). It is strict: a key nobody knows is a fault, numbers are numbers,
every name exists in the three interface languages. The settings of a kind of work are checked by that kind's own
model, which the caller hands in, because kinds live above this room; a kind that is not built yet is kept as it stands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from curation.core.marked_yaml import Document


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
    """Which language people write in; the interface's languages are the same for all benchmarks."""

    content: Literal["zh-Hans", "zh-Hant", "en"]


class RoleName(Part):
    """A role of this benchmark and what its people call it."""

    code: Literal["admin", "curator", "senior", "annotator", "contributor"]
    name: Localised


class Consent(Part):
    """What somebody agrees to before contributing; a new version asks everybody again."""

    version: Annotated[int, Field(ge=1)]
    text: Localised


class Taxonomy(Part):
    """The list of categories: a file under ``fixtures/taxonomies``."""

    list: Name


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


class Subset(Part):
    """A part of the pictures, collected under its own rule."""

    code: Annotated[str, Field(pattern=r"^[A-Z]$")]
    name: Localised
    rule: Localised


class Images(Part):
    """What is taken in and how it is looked at.

    Attributes:
        formats: File types, recognised by their bytes.
        bytes: Size of the uploaded file in bytes.
        side: Pixels: the shorter side has to reach the minimum, the longer one stays within the maximum.
        pixels_maximum: Width times height; looked at before anything is decoded.
        aspect_maximum_percent: Longer side in percent of the shorter one; 300 means 3 : 1.
        keep_originals: Whether the file as uploaded is kept in the private store; otherwise it is never stored.
        near_duplicate_distance: Bits in which two 64-bit perceptual hashes may differ and still be flagged as near.
        blur_below: Variance of the Laplacian at 640 pixels' width under which a picture is flagged as blurred.
    """

    formats: Annotated[list[Literal["JPEG", "PNG", "WebP"]], Field(min_length=1)]
    bytes: Between
    side: Between
    pixels_maximum: Annotated[int, Field(ge=1, le=200_000_000)]
    aspect_maximum_percent: Annotated[int, Field(ge=100)]
    keep_originals: bool
    near_duplicate_distance: Annotated[int, Field(ge=0, le=64)]
    blur_below: Annotated[int, Field(ge=0)]
    licences: Annotated[list[Licence], Field(min_length=1), AfterValidator(each_code_once)]
    refusal_reasons: Choices
    subsets: Annotated[list[Subset], AfterValidator(each_code_once)]


class PackageTrack(Part):
    """How packages are made and inspected.

    Attributes:
        size: Items in a package.
        sample_percent: Share of a package that the final inspection draws, rounded up.
        pass_over_percent: A package passes when more than this share of the drawn items is right.
        self_check: Whether its writer has to tick every item before handing the package over.
    """

    size: Annotated[int, Field(ge=1, le=1_000)]
    sample_percent: Annotated[int, Field(ge=1, le=100)]
    pass_over_percent: Annotated[int, Field(ge=0, le=99)]
    self_check: bool


class Tracks(Part):
    """How work is vouched for."""

    package: PackageTrack


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


class Release(Part):
    """What is published, and what has to hold first."""

    licence: str
    splits: Splits
    gates: Annotated[list[Code], Field(min_length=1)]
    exporters: Annotated[list[Code], Field(min_length=1)]


class Evaluation(Part):
    """Which systems are tried on accepted work, and how."""

    systems: list[Name]
    suites: list[Code]


class _File(Part):
    """The whole file; kinds are checked one by one."""

    meta: Meta
    languages: Languages
    roles: Annotated[list[RoleName], Field(min_length=1), AfterValidator(each_code_once)]
    consent: Consent
    taxonomy: Taxonomy
    images: Images
    kinds: dict[str, dict[str, Any]]
    tracks: Tracks
    release: Release
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class Protocol:
    """A checked protocol.

    Attributes:
        name: ``meta.name``.
        source_sha256: Of the file's bytes in UTF-8, so that a version names exactly what was read.
        content: JSON-able; ``kinds`` holds the kinds that are built, ``planned`` the others as they stand.
    """

    name: str
    source_sha256: str
    content: dict[str, Any]

    @property
    def planned(self) -> list[str]:
        """Kinds of work that the protocol names and this software does not have yet."""
        return sorted(self.content["planned"])


def parse(source: str, *, kinds: Mapping[str, type[BaseModel]], file: str = "protocol.yaml") -> Protocol:
    """Read and check a protocol.

    Args:
        source: The file's text.
        kinds: The model of each built kind's settings.
        file: Its name, for the faults.

    Raises:
        FileInvalid: With every fault, not only the first.
    """
    document = Document(source, file=file)
    if document.value is None:
        document.raise_problems()
    raw = document.value if isinstance(document.value, dict) else {}
    checked = document.check(document.value, _File)
    named = raw.get("kinds")
    built: dict[str, Any] = {}
    for kind, settings in _settings_of(named):
        if kind in kinds:
            model = document.check(settings, kinds[kind], at=("kinds", kind))
            built[kind] = model.model_dump(mode="json", by_alias=True) if model else None
    document.raise_problems()
    if checked is None:  # impossible without a fault, said for the type checker
        raise AssertionError
    content = checked.model_dump(mode="json", by_alias=True)
    content["planned"] = {kind: settings for kind, settings in content["kinds"].items() if kind not in kinds}
    content["kinds"] = built
    return Protocol(checked.meta.name, hashlib.sha256(source.encode()).hexdigest(), content)


def _settings_of(named: object) -> Iterable[tuple[str, Any]]:
    return named.items() if isinstance(named, dict) else ()
