"""Validation and cleaning of uploaded pictures: only upright sRGB pixels remain.

Pure functions of bytes. Everything that is served is encoded from bare pixels, so that EXIF, GPS, XMP, IPTC, comments,
embedded thumbnails, profiles and data after the picture's end are gone.
"""

from __future__ import annotations

import hashlib
import io
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np
import pi_heif
from PIL import Image

from curation.benchmarks.rules import Between
from curation.images.rules import decoding
from curation.images.rules.decoding import DECODER_FAULTS, Format, orientation
from curation.images.rules.near_duplicates import Hashes, Pixels, hashes

VIEW_SIDE: Final = 1_600  # longest side of the workspace's rendition, in pixels
THUMB_SIDE: Final = 320  # longest side of the grids' rendition
BLUR_WIDTH: Final = 640  # the width at which sharpness is measured

#: The checks in order; a page shows each when it is done.
CHECKS: Final = (
    "type",
    "size",
    "duplicate",
    "sides",
    "aspect",
    "decodable",
    "metadata",
    "near_duplicate",
    "blurred",
)

pi_heif.register_heif_opener(thumbnails=False)
_PLUGIN: Final[dict[Format, str]] = {"JPEG": "JPEG", "PNG": "PNG", "WebP": "WEBP", "HEIC": "HEIF"}
# Brands of the container (ISO 23008-12, annex B) that telephones use for single pictures.
_HEIC_BRANDS: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"mif1", b"heif"})
# First bytes of file types that people mistake for accepted pictures, for the refusal's sentence.
_OTHER_TYPES: Final = (
    (b"GIF8", "GIF"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"BM", "BMP"),
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP"),
    (b"MZ", "EXE"),
    (b"\x7fELF", "ELF"),
)
_MARKUP: Final = (b"<!doctype html", b"<html>", b"<html ", b"<script>", b"<script ", b"<iframe ", b"<?php")


class FileLimits(Protocol):
    """Limits of a picture file: those of a benchmark's protocol, or of pictures that come from elsewhere."""

    @property
    def formats(self) -> Sequence[str]:
        """File types, detected from the content."""

    @property
    def bytes(self) -> Between:
        """Size of the file."""

    @property
    def side(self) -> Between:
        """Pixels: the minimum of the shorter side and the maximum of the longer one."""

    @property
    def pixels_maximum(self) -> int:
        """Most pixels, width times height; checked before decoding."""

    @property
    def aspect_maximum_percent(self) -> int:
        """Longer side in percent of the shorter one."""


class InvalidFile(Exception):
    """The file is rejected; ``code`` and ``params`` are those of the error (``errors.FILE_ERRORS``)."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code = code
        self.params = params
        super().__init__(code)


@dataclass(frozen=True, slots=True)
class Encoded:
    """An encoded file, ready to be stored.

    Attributes:
        role: ``clean``, ``view`` or ``thumb``.
        extension: The extension without the dot.
        width: Width in pixels.
        height: Height in pixels.
    """

    role: str
    extension: str
    data: bytes
    width: int
    height: int

    @property
    def sha256(self) -> str:
        """SHA-256 of the file's bytes, hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The result of cleaning an upload.

    Attributes:
        width: Width of the upright picture in pixels; coordinates refer to it.
        height: Its height.
        hashes: See :mod:`curation.images.rules.near_duplicates`.
        sharpness: See :func:`sharpness`.
        renditions: Clean, view and thumb.
    """

    width: int
    height: int
    hashes: Hashes
    sharpness: float
    renditions: tuple[Encoded, ...]


@dataclass(frozen=True, slots=True)
class CleaningResult:
    """The result of :func:`clean_file`.

    Attributes:
        passed: The checks that passed, in order.
        cleaned: The cleaned picture, or None if the file is rejected.
        invalid: Why it is rejected, or None.
    """

    passed: tuple[str, ...]
    cleaned: Cleaned | None
    invalid: InvalidFile | None


def clean_file(path: Path, limits: FileLimits) -> CleaningResult:
    """Check and clean an uploaded file as :func:`clean` does; to be called in a child process."""
    passed: list[str] = []
    try:
        cleaned = clean(path.read_bytes(), limits, report_passed=passed.append)
    except InvalidFile as invalid:
        return CleaningResult(tuple(passed), None, invalid)
    return CleaningResult(tuple(passed), cleaned, None)


def clean(data: bytes, limits: FileLimits, *, report_passed: Callable[[str], None] = lambda check: None) -> Cleaned:
    """Check an uploaded file against the protocol and encode the files that are served.

    Args:
        data: The file.
        limits: The protocol's limits for pictures.
        report_passed: Called with the name of each passed check of :data:`CHECKS` that belongs here.

    Raises:
        InvalidFile: The file is refused; nothing of it was stored.
    """
    kind = accepted_type(data, limits)
    report_passed("type")
    check_bytes(len(data), limits)
    report_passed("size")
    with _opened(data, kind) as picture:
        _check_pixels(picture, data, kind, limits)
        report_passed("sides")
        _check_aspect(picture, limits)
        report_passed("aspect")
        bare, turned = decoding.bare_srgb(picture), orientation(picture)
        report_passed("decodable")
    # What was decoded is dropped before the picture is turned: large pictures are in memory twice at most.
    del picture
    bare = decoding.upright(bare, turned)
    lossless = kind == "PNG" or (kind == "WebP" and _is_lossless_webp(data))
    grey = decoding.grey(bare)
    cleaned = Cleaned(
        width=bare.width,
        height=bare.height,
        hashes=hashes(grey),
        sharpness=sharpness(grey),
        renditions=encode_renditions(bare, lossless=lossless),
    )
    report_passed("metadata")
    return cleaned


def sniff(data: bytes) -> Format | None:
    """Detect the picture type from a file's first bytes; names and declared types do not count."""
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WebP"
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        return "HEIC"
    return None


def other_type_name(data: bytes) -> str | None:
    """Name the type of a file that is not an accepted picture, from its first bytes; None for an unknown one."""
    return next((name for start, name in _OTHER_TYPES if data.startswith(start)), None)


def sharpness(grey: Pixels) -> float:
    """Compute the Laplacian's variance of a grey picture at a width of at most 640; low means blurred."""
    height, width = grey.shape
    if width > BLUR_WIDTH:
        size = (BLUR_WIDTH, max(1, round(height * BLUR_WIDTH / width)))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return float(cv2.Laplacian(grey, cv2.CV_64F).var())


def accepted_type(data: bytes, limits: FileLimits) -> Format:
    """Return the file's type if the protocol accepts it and the file is nothing else as well.

    Raises:
        InvalidFile: Another type; a web page or drawing that may contain scripts; a picture that other programs could
            read as an archive, a document or a web page.
    """
    kind = sniff(data)
    if kind is None:
        head = data[:4_096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        if b"<svg" in head:
            raise InvalidFile("file_is_svg", allowed=list(limits.formats))
        if any(mark in head for mark in _MARKUP):
            raise InvalidFile("file_is_web_page", allowed=list(limits.formats))
    if kind is None or kind not in limits.formats:
        raise InvalidFile("image_type_refused", found=kind or other_type_name(data), allowed=list(limits.formats))
    if (other_type := _second_type(data)) is not None:
        raise InvalidFile("file_is_two_things", found=kind, also=other_type)
    return kind


def _second_type(data: bytes) -> str | None:
    """Name another type that a program could read the picture as; ZIP is read from the end, the others anywhere."""
    if b"%PDF-" in data[:1_024]:
        return "PDF"
    if any(mark in data.lower() for mark in _MARKUP):
        return "HTML"
    return "ZIP" if zipfile.is_zipfile(io.BytesIO(data)) else None


def check_bytes(size: int, limits: FileLimits) -> None:
    """Compare a file's size with the protocol.

    Raises:
        InvalidFile: The file has too many or too few bytes.
    """
    if size > limits.bytes.maximum:
        raise InvalidFile("image_too_large", bytes=size, maximum=limits.bytes.maximum)
    if size < limits.bytes.minimum:
        raise InvalidFile("image_too_few_bytes", bytes=size, minimum=limits.bytes.minimum)


@contextmanager
def _opened(data: bytes, kind: Format) -> Iterator[Image.Image]:
    """Open a picture and read its header only, with the one decoder for its first bytes."""
    try:
        with warnings.catch_warnings():
            # The protocol's own limit is checked next; Pillow's default only warns.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data), formats=[_PLUGIN[kind]])
            with picture:
                yield picture
    except InvalidFile:
        raise
    except Image.DecompressionBombError as error:
        raise InvalidFile("image_bomb", width=0, height=0, maximum=Image.MAX_IMAGE_PIXELS or 0) from error
    except DECODER_FAULTS as error:
        raise InvalidFile("image_undecodable") from error


def _check_pixels(picture: Image.Image, data: bytes, kind: Format, limits: FileLimits) -> None:
    width, height = picture.size
    scans, progressive = decoding.jpeg_scans(data) if kind == "JPEG" else (1, False)
    maximum = min(limits.pixels_maximum, decoding.most_pixels(kind, progressive=progressive))
    if width * height > maximum:
        raise InvalidFile("image_bomb", width=width, height=height, maximum=maximum)
    most_scans = min(decoding.MOST_SCANS, decoding.MOST_SCANNED_PIXELS // (width * height))
    if scans > most_scans:
        raise InvalidFile("image_too_many_scans", scans=scans, maximum=most_scans)
    # Telephones add a second picture (a depth or brightness map) to a JPEG or HEIC. That is not an animation, and only
    # the first picture is read.
    frames = getattr(picture, "n_frames", 1)
    if frames > 1 and picture.format in {"PNG", "WEBP"}:
        raise InvalidFile("image_animated", frames=frames)
    width, height = _upright_size(picture)
    if min(width, height) < limits.side.minimum:
        raise InvalidFile("image_too_small", width=width, height=height, minimum=limits.side.minimum)
    if max(width, height) > limits.side.maximum:
        raise InvalidFile("image_side_too_long", width=width, height=height, maximum=limits.side.maximum)


def _check_aspect(picture: Image.Image, limits: FileLimits) -> None:
    width, height = _upright_size(picture)
    if max(width, height) * 100 > limits.aspect_maximum_percent * min(width, height):
        raise InvalidFile("image_aspect", width=width, height=height, maximum_percent=limits.aspect_maximum_percent)


def _upright_size(picture: Image.Image) -> tuple[int, int]:
    """Return width and height of the upright picture."""
    width, height = picture.size
    return (height, width) if orientation(picture) >= 5 else (width, height)


def _is_lossless_webp(data: bytes) -> bool:
    """Return whether the pixels are in a VP8L chunk."""
    at = 12
    while at + 8 <= len(data):
        name, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if name in {b"VP8L", b"VP8 "}:
            return name == b"VP8L"
        at += 8 + length + (length & 1)
    return False


def encode_renditions(bare: Image.Image, *, lossless: bool) -> tuple[Encoded, ...]:
    """Encode clean, view and thumb, each from the one before, so that memory holds a large picture once.

    Lossless uploads (drawings, screenshots, scans) become PNG. Photographs become JPEG at quality 95 with full colour
    resolution, which looks the same as the upload and keeps files small.
    """
    if lossless:
        clean_one = _encoded(bare, "clean", "png", "PNG", compress_level=6)
    else:
        clean_one = _encoded(bare, "clean", "jpg", "JPEG", quality=95, subsampling=0)
    bare.thumbnail((VIEW_SIDE, VIEW_SIDE), Image.Resampling.LANCZOS)
    view = _encoded(bare, "view", "webp", "WEBP", quality=84, method=4)
    bare.thumbnail((THUMB_SIDE, THUMB_SIDE), Image.Resampling.LANCZOS)
    return clean_one, view, _encoded(bare, "thumb", "webp", "WEBP", quality=78, method=4)


def _encoded(bare: Image.Image, role: str, extension: str, form: str, **options: Any) -> Encoded:
    out = io.BytesIO()
    bare.save(out, form, **options)
    return Encoded(role, extension, out.getvalue(), bare.width, bare.height)
