"""Validation and cleaning of uploaded pictures: only upright sRGB pixels remain.

Pure functions of bytes. Everything that is served is encoded from bare pixels, so that EXIF, GPS, XMP, IPTC, comments,
embedded thumbnails, profiles and data after the picture's end are gone.
"""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal

import cv2
import numpy as np
import pi_heif
from PIL import Image, ImageCms

from curation.benchmarks.rules import Images
from curation.images.rules.near_duplicates import Hashes, Pixels, hashes

Format = Literal["JPEG", "PNG", "WebP", "HEIC"]

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

_SRGB: Final = ImageCms.createProfile("sRGB")
_ORIENTATION: Final = 0x0112  # EXIF tag
# The transposition to upright by EXIF orientation (EXIF 2.32, section 4.6.4).
_UPRIGHT: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# Decoders raise all of these for malformed files.
_DECODER_FAULTS: Final = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


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


def clean(data: bytes, limits: Images, *, report_passed: Callable[[str], None] = lambda check: None) -> Cleaned:
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
        _check_pixels(picture, limits)
        report_passed("sides")
        _check_aspect(picture, limits)
        report_passed("aspect")
        pixels = _upright_srgb(picture)
        report_passed("decodable")
    height, width = pixels.shape[:2]
    lossless = kind == "PNG" or (kind == "WebP" and _is_lossless_webp(data))
    cleaned = Cleaned(
        width=width,
        height=height,
        hashes=hashes(pixels),
        sharpness=sharpness(pixels),
        renditions=_renditions(pixels, lossless=lossless),
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


def other_type_name(data: bytes) -> str:
    """Name the type of a file that is not an accepted picture, from its first bytes."""
    return next((name for start, name in _OTHER_TYPES if data.startswith(start)), "no known picture type")


def sharpness(pixels: Pixels) -> float:
    """Compute the Laplacian's variance of the grey picture at a width of at most 640; low means blurred."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    height, width = grey.shape
    if width > BLUR_WIDTH:
        grey = cv2.resize(grey, (BLUR_WIDTH, max(1, round(height * BLUR_WIDTH / width))), interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(grey, cv2.CV_64F).var())


def accepted_type(data: bytes, limits: Images) -> Format:
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


def check_bytes(size: int, limits: Images) -> None:
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
    except _DECODER_FAULTS as error:
        raise InvalidFile("image_undecodable") from error


def _check_pixels(picture: Image.Image, limits: Images) -> None:
    width, height = picture.size
    if width * height > limits.pixels_maximum:
        raise InvalidFile("image_bomb", width=width, height=height, maximum=limits.pixels_maximum)
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


def _check_aspect(picture: Image.Image, limits: Images) -> None:
    width, height = _upright_size(picture)
    if max(width, height) * 100 > limits.aspect_maximum_percent * min(width, height):
        raise InvalidFile("image_aspect", width=width, height=height, maximum_percent=limits.aspect_maximum_percent)


def _upright_size(picture: Image.Image) -> tuple[int, int]:
    """Return width and height of the upright picture."""
    width, height = picture.size
    return (height, width) if _orientation(picture) >= 5 else (width, height)


def _orientation(picture: Image.Image) -> int:
    """Return the EXIF orientation, 1 to 8; 1 if missing or unreadable.

    HEIC has its own record of the rotation, which its decoder has applied already.
    """
    if picture.format == "HEIF":
        return 1
    try:
        value = picture.getexif().get(_ORIENTATION, 1)
    except _DECODER_FAULTS:
        return 1  # damaged metadata does not make the picture unusable
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _upright_srgb(picture: Image.Image) -> Pixels:
    """Decode, rotate to upright and convert to 8-bit sRGB without transparency; only pixels remain."""
    turn = _UPRIGHT.get(_orientation(picture))
    picture.load()
    rgb = _to_srgb(picture)
    if turn is not None:
        rgb = rgb.transpose(turn)
    return np.ascontiguousarray(np.asarray(rgb, dtype=np.uint8))


def _to_srgb(picture: Image.Image) -> Image.Image:
    profile = picture.info.get("icc_profile")
    if picture.mode.startswith("I;16"):
        # Pillow's 16-bit modes are always grey: take the high byte. Mode I has the same values in 32 bits.
        return Image.fromarray((np.asarray(picture, dtype=np.uint32) >> 8).astype(np.uint8)).convert("RGB")
    if picture.mode in {"I", "F"}:
        return Image.fromarray(np.clip(np.asarray(picture) / 257, 0, 255).astype(np.uint8)).convert("RGB")
    if picture.mode in {"P", "PA", "LA", "La", "RGBA", "RGBa"} or "transparency" in picture.info:
        rgba = picture.convert("RGBA")
        opaque = _by_profile(rgba.convert("RGB"), profile)
        # White, the background of pages behind transparent pictures.
        ground = Image.new("RGB", rgba.size, (255, 255, 255))
        ground.paste(opaque, mask=rgba.getchannel("A"))
        return ground
    return _by_profile(picture, profile)


def _by_profile(picture: Image.Image, profile: object) -> Image.Image:
    """Convert colours with the embedded profile; without a valid one, assume sRGB."""
    plain = picture if picture.mode in {"L", "RGB", "CMYK"} else picture.convert("RGB")
    if isinstance(profile, bytes) and profile:
        try:
            embedded = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            space = {"L": "GRAY", "RGB": "RGB", "CMYK": "CMYK"}[plain.mode]
            if embedded.profile.xcolor_space.strip() == space:
                converted = ImageCms.profileToProfile(
                    plain,
                    embedded,
                    _SRGB,
                    renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
                    outputMode="RGB",
                    flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
                )
                return converted if converted is not None else _rgb(plain)
        except (ImageCms.PyCMSError, *_DECODER_FAULTS):
            return _rgb(plain)
    return _rgb(plain)


def _rgb(picture: Image.Image) -> Image.Image:
    """Return the picture in RGB, without a copy if it is already, because copies of large pictures need much memory."""
    return picture if picture.mode == "RGB" else picture.convert("RGB")


def _is_lossless_webp(data: bytes) -> bool:
    """Return whether the pixels are in a VP8L chunk."""
    at = 12
    while at + 8 <= len(data):
        name, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if name in {b"VP8L", b"VP8 "}:
            return name == b"VP8L"
        at += 8 + length + (length & 1)
    return False


def _renditions(pixels: Pixels, *, lossless: bool) -> tuple[Encoded, ...]:
    """Encode clean, view and thumb, each from the one before, so that memory holds a large picture once.

    Lossless uploads (drawings, screenshots, scans) become PNG. Photographs become JPEG at quality 95 with full colour
    resolution, which looks the same as the upload and keeps files small.
    """
    bare = Image.fromarray(pixels)
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
