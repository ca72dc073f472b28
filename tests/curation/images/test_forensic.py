"""Every byte that is served, taken apart: pixels and what it takes to read them, and nothing else."""

import io
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from curation.images.services import finalize_uploads
from tests import pictures
from tests.people import signed_in
from tests.pictures import MARK, XMP, encode, exif, pixels, profile

pytestmark = pytest.mark.django_db
HEIC = Path(__file__).parent / "rules" / "rotated.heic"
LOADED = {"exif": exif(1), "icc_profile": profile()}


def with_thumbnail():
    """A JPEG whose EXIF carries a smaller picture, as cameras write it (EXIF 2.32, section 4.5.5)."""
    thumb = encode(pixels(160, 120, 9), quality=80) + MARK
    directory = b"Exif\0\0MM\0*" + struct.pack(">I", 8) + b"\0\0" + thumb
    plain = pictures.jpeg(7)
    return plain[:2] + pictures.segment(0xE1, directory) + plain[2:]


FILES = {
    "jpeg": pictures.loaded_jpeg,
    "jpeg with a thumbnail": with_thumbnail,
    "progressive": lambda: encode(pixels(seed=2), quality=90, progressive=True, xmp=XMP, comment=MARK, **LOADED),
    "cmyk": lambda: encode(Image.fromarray(pixels(seed=3)).convert("CMYK"), quality=90, exif=exif(1), comment=MARK),
    "png": pictures.loaded_png,
    "palette": lambda: encode(Image.fromarray(pixels(seed=4)).quantize(64), "PNG", **LOADED),
    "16 bit": lambda: encode(Image.fromarray(pixels(seed=5)[..., 0].astype(np.uint16) * 257), "PNG", exif=exif(1)),
    "webp": pictures.loaded_webp,
    "lossless webp": lambda: encode(pixels(seed=6), "WEBP", lossless=True, xmp=XMP, **LOADED),
    "heic": HEIC.read_bytes,
}


def jpeg_parts(data):
    """Markers of a JPEG's segments, and how many bytes stand behind its end."""
    assert data[:2] == b"\xff\xd8"
    at, found = 2, []
    while data[at + 1] != 0xDA:
        assert data[at] == 0xFF
        found.append(data[at + 1])
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return found, len(data) - data.index(b"\xff\xd9", at) - 2


def png_parts(data):
    """Names of a PNG's chunks, and how many bytes stand behind its end."""
    at, found = 8, []
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        found.append(name.decode())
        at += 12 + length
        if name == b"IEND":
            break
    return found, len(data) - at


def webp_parts(data):
    """Names of a WebP's chunks, and how many bytes stand behind its end."""
    end, at, found = 8 + int.from_bytes(data[4:8], "little"), 12, []
    while at < end:
        found.append(data[at : at + 4].decode())
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8 + length + (length & 1)
    return found, len(data) - end


# JFIF's header, quantisation, Huffman tables and the frame's size: what a decoder needs.
JPEG_NEEDS = {0xE0, 0xDB, 0xC0, 0xC2, 0xC4}


@pytest.mark.parametrize("name", FILES)
def test_nothing_but_the_picture_is_left(db, make_world, name):
    here = make_world(bytes={"minimum": 1, "maximum": 10**8}, keep_originals=True)
    data = FILES[name]()
    waiting = pictures.ready(here.contributor, data)
    sender, curator = signed_in(here.contributor), signed_in(here.curator)
    served = [b"".join(sender.get(f"/api/v1/uploads/{waiting.pk}/thumb").streaming_content)]
    taken = finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[waiting.pk])[0].image_id
    shown = curator.get(f"/api/v1/images/{taken}").json()
    assert shown["original_kept"]
    served += [b"".join(curator.get(r["url"]).streaming_content) for r in shown["renditions"]]
    assert len(served) == 4
    for file in served:
        assert MARK not in file
        assert b"Exif" not in file
        assert b"xmp" not in file.lower() or b"xmpmeta" not in file
        picture = Image.open(io.BytesIO(file))
        assert set(picture.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density", "background", "timestamp"} | {
            "loop",
            "duration",
        }
        parts, behind = {"JPEG": jpeg_parts, "PNG": png_parts, "WEBP": webp_parts}[picture.format](file)
        assert behind == 0
        if picture.format == "JPEG":
            assert set(parts) <= JPEG_NEEDS
        else:
            assert set(parts) <= {"IHDR", "IDAT", "IEND", "VP8 ", "VP8L"}
    # The file as uploaded is kept here by the protocol, and no address serves it.
    sha256 = shown["sha256"]
    for address in (f"/media/originals/{here.benchmark.pk}/{sha256[:2]}/{sha256}", f"/media/{taken}/0-original.jpg"):
        assert curator.get(address).status_code == 404
