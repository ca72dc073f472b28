"""Which pictures: licences, sites, quotas, objects, what is asked of each."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from curation.benchmarks.rules.parts import Choices, Code, Localised, Part, each_code_once


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
