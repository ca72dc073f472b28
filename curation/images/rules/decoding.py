"""Decoding a checked picture into bare upright sRGB pixels within bounds on work and memory.

What a file claims is bounded before anything is decoded: pixels, frames, the scans of a JPEG, and the memory that its
decoder will need. Conversions run in strips, so that a large picture is in memory twice and not four times.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageCms

Format = Literal["JPEG", "PNG", "WebP", "HEIC"]

#: Most memory that decoding and converting may take, in bytes, by :data:`_BYTES_PER_PIXEL`.
MOST_DECODING_BYTES: Final = 560_000_000
# Measured on 60 million pixels: the decoder's own buffers, Pillow's four bytes and the four of the converted picture.
# A progressive JPEG keeps its coefficients besides; Pillow decodes WebP as an animation, with three canvases. HEIC is
# an estimate: libheif's planes and their copy as bytes come on top.
_BYTES_PER_PIXEL: Final[dict[str, int]] = {"JPEG": 8, "progressive JPEG": 10, "PNG": 8, "WebP": 20, "HEIC": 14}
#: Most scans of a JPEG. Encoders write about ten; each scan costs a pass over all pixels.
MOST_SCANS: Final = 64
#: Most scans times pixels: twenty passes over 60 million pixels, some five seconds.
MOST_SCANNED_PIXELS: Final = 1_200_000_000

_STRIP: Final = 256  # rows converted at a time
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
# A marker in JPEG's entropy-coded data: 0xFF there is followed by 0 or a restart marker, or it fills up.
_MARKER: Final = re.compile(rb"\xff[^\x00\xd0-\xd8\xff]")
_FIRST_WITH_LENGTH, _START_OF_SCAN, _END_OF_IMAGE = 0xC0, 0xDA, 0xD9
_PROGRESSIVE: Final = frozenset({0xC2, 0xC6, 0xCA, 0xCE})  # start of frame, progressive (ITU T.81, table B.1)

# Decoders raise all of these for malformed files.
DECODER_FAULTS: Final = (
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


def jpeg_scans(data: bytes) -> tuple[int, bool]:
    """Count the scans of a JPEG's first picture without decoding it, and tell whether it is progressive."""
    scans, progressive, at = 0, False, 2
    while marker := _MARKER.search(data, at):
        code, at = data[marker.end() - 1], marker.end()
        if code == _END_OF_IMAGE:
            break
        scans += code == _START_OF_SCAN
        progressive |= code in _PROGRESSIVE
        # Over the segment; entropy-coded data follows a scan's header. Lower codes have no length: decoders skip them.
        at += int.from_bytes(data[at : at + 2], "big") if code >= _FIRST_WITH_LENGTH else 0
    return scans, progressive


def most_pixels(kind: Format, *, progressive: bool = False) -> int:
    """Return the most pixels of a picture that decoding within :data:`MOST_DECODING_BYTES` allows."""
    return MOST_DECODING_BYTES // _BYTES_PER_PIXEL["progressive JPEG" if progressive else kind]


def orientation(picture: Image.Image) -> int:
    """Return the EXIF orientation, 1 to 8; 1 if missing or unreadable.

    HEIC has its own record of the rotation, which its decoder has applied already.
    """
    if picture.format == "HEIF":
        return 1
    try:
        value = picture.getexif().get(_ORIENTATION, 1)
    except DECODER_FAULTS:
        return 1  # damaged metadata does not make the picture unusable
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def bare_srgb(picture: Image.Image) -> Image.Image:
    """Decode to 8-bit sRGB without transparency; the new picture has nothing of the file but pixels."""
    picture.load()
    bare = Image.new("RGB", picture.size)
    try:
        _convert(picture, bare, _by_profile(picture))
    except ImageCms.PyCMSError:
        _convert(picture, bare, None)  # the profile does not fit after all
    return bare


def upright(bare: Image.Image, turned: int) -> Image.Image:
    """Rotate and mirror a picture by its EXIF orientation."""
    turn = _UPRIGHT.get(turned)
    return bare if turn is None else bare.transpose(turn)


def grey(bare: Image.Image) -> npt.NDArray[np.uint8]:
    """Return the picture's brightness, height x width."""
    brightness = np.empty((bare.height, bare.width), np.uint8)
    for top, strip in _strips(bare):
        brightness[top : top + strip.height] = cv2.cvtColor(np.asarray(strip), cv2.COLOR_RGB2GRAY)
    return brightness


_ToSrgb = Callable[[Image.Image], Image.Image]


def _strips(picture: Image.Image) -> Iterator[tuple[int, Image.Image]]:
    width, height = picture.size
    for top in range(0, height, _STRIP):
        yield top, picture.crop((0, top, width, min(height, top + _STRIP)))


def _convert(picture: Image.Image, bare: Image.Image, by_profile: _ToSrgb | None) -> None:
    for top, strip in _strips(picture):
        bare.paste(_to_srgb(strip, by_profile or _rgb), (0, top))


def _to_srgb(strip: Image.Image, by_profile: _ToSrgb) -> Image.Image:
    if strip.mode.startswith("I;16"):
        # Pillow's 16-bit modes are always grey: take the high byte. Mode I has the same values in 32 bits.
        return Image.fromarray((np.asarray(strip, dtype=np.uint32) >> 8).astype(np.uint8)).convert("RGB")
    if strip.mode in {"I", "F"}:
        return Image.fromarray(np.clip(np.asarray(strip) / 257, 0, 255).astype(np.uint8)).convert("RGB")
    if strip.mode in {"P", "PA", "LA", "La", "RGBA", "RGBa"} or "transparency" in strip.info:
        rgba = strip.convert("RGBA")
        # White, the background of pages behind transparent pictures.
        ground = Image.new("RGB", rgba.size, (255, 255, 255))
        ground.paste(by_profile(rgba.convert("RGB")), mask=rgba.getchannel("A"))
        return ground
    return by_profile(strip if strip.mode in {"L", "RGB", "CMYK"} else strip.convert("RGB"))


def _by_profile(picture: Image.Image) -> _ToSrgb | None:
    """Return the conversion by the embedded profile; None without a valid one, which means sRGB."""
    profile = picture.info.get("icc_profile")
    mode = picture.mode if picture.mode in {"L", "RGB", "CMYK"} and "transparency" not in picture.info else "RGB"
    if not (isinstance(profile, bytes) and profile):
        return None
    try:
        embedded = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if embedded.profile.xcolor_space.strip() != {"L": "GRAY", "RGB": "RGB", "CMYK": "CMYK"}[mode]:
            return None
        transform = ImageCms.buildTransform(
            embedded,
            _SRGB,
            mode,
            "RGB",
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
    except (ImageCms.PyCMSError, *DECODER_FAULTS):
        return None
    return lambda strip: ImageCms.applyTransform(strip, transform) or _rgb(strip)


def _rgb(strip: Image.Image) -> Image.Image:
    return strip.convert("RGB")
