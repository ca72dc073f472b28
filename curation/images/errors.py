"""Refusals about pictures; each says what would have been taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from curation.core.errors import DomainError


class ImageDuplicate(DomainError):
    """This very file is in the benchmark already."""

    code = "image_duplicate"
    status = 409
    detail = "The same file is {twin} already."


class ImageTypeRefused(DomainError):
    """The bytes are of no type that the protocol takes, whatever the file is called."""

    code = "image_type_refused"
    status = 415
    detail = "The file is {found}; taken are {allowed}."


class ImageUndecodable(DomainError):
    """The file begins like a picture and cannot be read as one."""

    code = "image_undecodable"
    status = 422
    detail = "The picture is damaged or incomplete."


class ImageAnimated(DomainError):
    """More than one frame."""

    code = "image_animated"
    status = 422
    detail = "The picture has {frames} frames; only still pictures are taken."


class ImageTooSmall(DomainError):
    """The shorter side does not reach the protocol's minimum."""

    code = "image_too_small"
    status = 422
    detail = "The picture is {width} x {height}; its shorter side has to reach {minimum} pixels."


class ImageSideTooLong(DomainError):
    """The longer side is above the protocol's maximum."""

    code = "image_side_too_long"
    status = 422
    detail = "The picture is {width} x {height}; its longer side may have {maximum} pixels."


class ImageAspect(DomainError):
    """Too long for its breadth: a panorama or a strip."""

    code = "image_aspect"
    status = 422
    detail = "The picture is {width} x {height}; its longer side may be {maximum_percent} % of the shorter one."


class ImageTooLarge(DomainError):
    """More bytes than the protocol or the server takes."""

    code = "image_too_large"
    status = 413
    detail = "The file has {bytes} bytes; at most {maximum} are taken."


class ImageTooFewBytes(DomainError):
    """Fewer bytes than the protocol takes: what is left of a thumbnail."""

    code = "image_too_few_bytes"
    status = 422
    detail = "The file has {bytes} bytes; at least {minimum} are taken."


class ImageBomb(DomainError):
    """So many pixels that decoding them is refused before it begins."""

    code = "image_bomb"
    status = 422
    detail = "The picture claims {width} x {height} pixels; at most {maximum} in all are decoded."


class LicenceNotAllowed(DomainError):
    """The protocol does not list the licence."""

    code = "licence_not_allowed"
    status = 422
    detail = "The licence {licence} is not in the protocol; listed are {allowed}."


class CategoryUnknown(DomainError):
    """The benchmark has no such category."""

    code = "category_unknown"
    status = 422
    detail = "There is no category {category} in this benchmark."


class SourceAddressMissing(DomainError):
    """A picture from elsewhere has to say from where."""

    code = "source_address_missing"
    status = 422
    detail = "A picture that is not one's own needs the web address it comes from."


class ReasonsRefused(DomainError):
    """A refusal needs reasons from the protocol's list, an acceptance has none."""

    code = "reasons_refused"
    status = 422
    detail = "These reasons do not fit the decision: {reasons}; listed are {allowed}."


# The names under which the pure rules refuse a file (``rules.Unfit``), and the refusal that each becomes.
UNFIT: Final[Mapping[str, type[DomainError]]] = {
    error.code: error
    for error in (
        ImageTypeRefused,
        ImageUndecodable,
        ImageAnimated,
        ImageTooSmall,
        ImageSideTooLong,
        ImageAspect,
        ImageTooLarge,
        ImageTooFewBytes,
        ImageBomb,
    )
}
