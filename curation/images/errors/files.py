"""Errors about the content of an uploaded picture file."""

from curation.core.errors import DomainError


class ImageDuplicate(DomainError):
    """The benchmark has this very file already; ``twin`` and ``twin_id`` are None where the person may not see it."""

    status = 409
    detail = "The benchmark has the same file already."


class ImageTypeRefused(DomainError):
    """The content is of a type that the protocol does not accept, whatever the file's name."""

    status = 415
    detail = "The file is {found}; accepted are {allowed}."


class ImageUndecodable(DomainError):
    """The file starts like a picture but cannot be decoded."""

    status = 422
    detail = "The picture is damaged or incomplete."


class ImageAnimated(DomainError):
    """The picture has more than one frame."""

    status = 422
    detail = "The picture has {frames} frames; only still pictures are accepted."


class ImageTooSmall(DomainError):
    """The shorter side is below the protocol's minimum."""

    status = 422
    detail = "The picture is {width} x {height}; its shorter side must have at least {minimum} pixels."


class ImageSideTooLong(DomainError):
    """The longer side is above the protocol's maximum."""

    status = 422
    detail = "The picture is {width} x {height}; its longer side may have at most {maximum} pixels."


class ImageAspect(DomainError):
    """The picture is too long for its width: a panorama or a strip."""

    status = 422
    detail = "The picture is {width} x {height}; its longer side may be {maximum_percent}% of the shorter one."


class ImageTooLarge(DomainError):
    """The file has more bytes than the protocol or the server accepts."""

    status = 413
    detail = "The file has {bytes} bytes; at most {maximum} are accepted."


class ImageTooFewBytes(DomainError):
    """The file has fewer bytes than the protocol accepts; it is probably a thumbnail."""

    status = 422
    detail = "The file has {bytes} bytes; at least {minimum} are required."


class ImageBomb(DomainError):
    """The header announces more pixels than are ever decoded."""

    status = 422
    detail = "The picture claims {width} x {height} pixels; at most {maximum} in all are decoded."


class ImageTooManyScans(DomainError):
    """A JPEG in more passes than any encoder writes; each costs as much as decoding the picture."""

    status = 422
    detail = "The JPEG has {scans} scans; at most {maximum} are decoded at its size."


class ImageTooCostly(DomainError):
    """Decoding was stopped at its limit of time or memory, or the decoder crashed."""

    status = 422
    detail = "The picture takes too much time or memory to open, or crashes its decoder."


class FileIsWebPage(DomainError):
    """The content is HTML, whatever the file's name."""

    status = 415
    detail = "The file is a web page, whatever its name; accepted are {allowed}."


class FileIsSvg(DomainError):
    """The content is an SVG drawing, whose scripts a browser would run."""

    status = 415
    detail = "The file is an SVG drawing, which can contain scripts; accepted are {allowed}."


class FileIsTwoThings(DomainError):
    """A picture that other programs could read as an archive, a document or a web page."""

    status = 415
    detail = "The file is a {found} picture and {also} at the same time."
