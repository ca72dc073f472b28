"""Pictures: licences, sites, quotas, objects, limits of uploads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from curation.benchmarks.rules.parts import Choices, Code, Localised, Part, each_code_once


class Between(Part):
    """A range with both bounds included."""

    minimum: Annotated[int, Field(ge=0)]
    maximum: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.minimum > self.maximum:
            raise ValueError(f"minimum not above maximum ({self.minimum} > {self.maximum})")
        return self


class Licence(Part):
    """A licence of pictures.

    Attributes:
        code: Short name, SPDX if there is one.
        releasable: Whether a release may include such pictures.
    """

    code: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+-]{0,47}$")]
    name: Localised
    releasable: bool


class Site(Part):
    """A website as a source of pictures, with its licences.

    Attributes:
        hosts: Host names; ``flickr.com`` includes ``www.flickr.com``. A picture's address must have one of them.
        licences: Codes of the protocol's licences.
    """

    code: Code
    name: Localised
    hosts: Annotated[list[Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$")]], Field(min_length=1)]
    licences: Annotated[list[str], Field(min_length=1)]


class Quota(Part):
    """Accepted pictures that each category needs, and the number to collect."""

    per_category_minimum: Annotated[int, Field(ge=0)]
    per_category_target: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.per_category_minimum > self.per_category_target:
            raise ValueError(f"minimum not above target ({self.per_category_minimum} > {self.per_category_target})")
        return self


class Count(Part):
    """A range of a count of objects with both bounds included; null is unbounded."""

    minimum: Annotated[int, Field(ge=0)] | None = None
    maximum: Annotated[int, Field(ge=0)] | None = None


class Objects(Part):
    """A subset's limits on the counts of a picture.

    Attributes:
        all: Objects of any kind.
        listed: Objects of the taxonomy's categories.
        categories: Different categories of the taxonomy that the objects belong to.
        main: Objects of the picture's main category.
    """

    all: Count | None = None
    listed: Count | None = None
    categories: Count | None = None
    main: Count | None = None


class Subset(Part):
    """A part of the pictures with its own collection rule.

    Attributes:
        objects: The rule's limits, if it has any; inspectors see them beside their counts.
        quota: The quota of each category in this subset.
    """

    code: Annotated[str, Field(pattern=r"^[A-Z]$")]
    name: Localised
    rule: Localised
    objects: Objects | None = None
    quota: Quota | None = None


class Redaction(Part):
    """How what may not be seen is covered.

    Attributes:
        propose: What detectors look for in each new picture; a person decides on every region.
        style: How regions are covered unless a person chooses otherwise. Text, plates, addresses and small regions are
            always filled.
    """

    propose: list[Literal["faces", "text"]] = []
    style: Literal["fill", "pixelate", "blur"] = "fill"


class Images(Part):
    """Limits and sources of uploads.

    Attributes:
        formats: File types, detected from the content.
        sources: Allowed sources: own, donated by family or friends, found on the web.
        sites: Websites of found pictures; an empty list allows any address.
        quota: The quota of each category.
        takedown_reasons: Reasons for withdrawing an accepted picture.
        bytes: Size of the uploaded file in bytes.
        side: Pixels: the minimum of the shorter side and the maximum of the longer one.
        pixels_maximum: Most pixels, width times height; checked before decoding.
        aspect_maximum_percent: Longer side in percent of the shorter one; 300 means 3 : 1.
        keep_originals: Whether the private store keeps the uploaded file; otherwise it is never stored.
        near_duplicate_distance: Most differing bits of two 64-bit perceptual hashes for a detailed comparison of the
            pictures; if that agrees too, they are flagged.
        redaction: How what may not be seen is covered.
        share: Whether contributors may tick their own pictures for their team's work (``own_tick``); releases always
            need another person's tick.
        blur_below: A picture is flagged as blurred if its Laplacian's variance at 640 pixels' width is lower.
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
    redaction: Redaction | None = None
    share: Literal["nobody", "own_tick"] | None = None
    subsets: Annotated[list[Subset], AfterValidator(each_code_once)]


def main_minimum(content: Mapping[str, Any], subset: str) -> int:
    """Return the fewest objects of its main category that a picture of a subset has; 0 if the protocol asks for none.

    Args:
        content: A stored protocol version's content.
        subset: The subset's code; empty for pictures of none.
    """
    for entry in content.get("images", {}).get("subsets", []):
        if entry["code"] == subset:
            return ((entry.get("objects") or {}).get("main") or {}).get("minimum") or 0
    return 0
