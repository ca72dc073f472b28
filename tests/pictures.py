"""Pictures for tests: files made by code with everything a camera could add, and uploads of them."""

from __future__ import annotations

import io
import struct
import uuid
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms, PngImagePlugin

from curation.benchmarks.queries import preset
from curation.images import models
from curation.images.services import (
    Verdict,
    append_part,
    check_upload,
    clear_images,
    create_upload,
    describe_uploads,
    judge_images,
    upload_image,
)
from curation.taxonomy.models import Category
from tests.people import world

# Planted in every place that metadata can stand; none of it may be found in any served byte.
MARK = b"PLANTED-SECRET-7261"

#: Where a marked picture has its pattern.
BOX = (200.0, 150.0, 120.0, 100.0)


def pixels(width=640, height=480, seed=1):
    """Smooth colour fields with some texture: compresses like a photograph, and each seed looks different."""
    random = np.random.default_rng(seed)
    coarse = Image.fromarray(random.integers(0, 256, (6, 8, 3), dtype=np.uint8)).resize((width, height), 3)
    noise = random.integers(-12, 13, (height, width, 1))
    return np.clip(np.asarray(coarse, dtype=np.int16) + noise, 0, 255).astype(np.uint8)


def encode(array, kind="JPEG", **options):
    out = io.BytesIO()
    picture = array if isinstance(array, Image.Image) else Image.fromarray(array)
    picture.save(out, kind, **options)
    return out.getvalue()


def jpeg(seed=1, width=640, height=480, **options):
    return encode(pixels(width, height, seed), quality=90, **options)


def jpeg_of_scans(scans, width=640, height=480):
    """A progressive JPEG whose last scan is repeated: few bytes more each, and each costs a pass over all pixels."""
    data = encode(np.full((height, width), 128, np.uint8), progressive=True, quality=90)
    last, end = data.rindex(b"\xff\xda"), data.rindex(b"\xff\xd9")
    return data[:end] + data[last:end] * (scans - data.count(b"\xff\xda")) + data[end:]


def exif(orientation=1):
    """EXIF with position, camera, owner, comment and an embedded thumbnail that holds the mark."""
    data = Image.Exif()
    data[0x0112] = orientation
    data[0x010E] = MARK.decode() + " description"
    data[0x010F] = MARK.decode() + " camera"
    data[0x013B] = MARK.decode() + " owner"
    data.get_ifd(0x8825).update({1: "N", 2: (31.0, 13.0, 49.0), 3: "E", 4: (121.0, 28.0, 25.0), 29: "2024:01:01"})
    data.get_ifd(0x8769).update({0x9286: MARK + b" user comment", 0xA431: MARK.decode() + " serial"})
    return data.tobytes()


def profile():
    """An sRGB profile that carries the mark in its description."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    return bytes(data) + MARK


XMP = (
    b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    b'<rdf:Description dc:creator="' + MARK + b'"/></rdf:RDF></x:xmpmeta>'
)


def segment(marker, payload):
    """A JPEG segment."""
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(payload) + 2) + payload


def loaded_jpeg(orientation=6, seed=1):
    """A JPEG with the mark in EXIF, XMP, IPTC, a profile, a comment, an unknown segment and behind the end."""
    plain = jpeg(seed, exif=exif(orientation), icc_profile=profile(), xmp=XMP)
    iptc = b"Photoshop 3.0\x008BIM\x04\x04\x00\x00" + struct.pack(">I", len(MARK) + 5)
    iptc += b"\x1c\x02\x50" + struct.pack(">H", len(MARK)) + MARK
    more = segment(0xED, iptc) + segment(0xFE, MARK + b" comment") + segment(0xEA, MARK + b" maker")
    return plain[:2] + more + plain[2:] + b"behind the end " + MARK


def loaded_png(seed=1):
    """A PNG with the mark in every kind of text chunk, EXIF, a profile, an unknown chunk and behind the end."""
    info = PngImagePlugin.PngInfo()
    info.add_text("Author", MARK.decode())
    info.add_text("Comment", MARK.decode(), zip=True)
    info.add_itxt("XML:com.adobe.xmp", XMP.decode())
    info.add(b"prVt", MARK)
    plain = encode(pixels(seed=seed), "PNG", pnginfo=info, exif=exif(1), icc_profile=profile())
    return plain + MARK


def loaded_webp(seed=1):
    """A WebP with the mark in EXIF, XMP and a profile."""
    return encode(pixels(seed=seed), "WEBP", quality=90, exif=exif(1), icc_profile=profile(), xmp=XMP)


def png_claiming(width, height):
    """A PNG whose header claims a size that its data does not have: cheap to send, dear to decode."""

    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 100_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def picture_world(slug="cvlue", prefix="", **changes):
    """A benchmark with the real protocol and one category; ``changes`` replace parts of its section on pictures."""
    content = preset("cvlue").content
    content["images"] |= changes
    here = world(content, slug=slug, prefix=prefix)
    Category.objects.create(
        benchmark=here.benchmark,
        slug="lantern",
        number=75,
        name={"zh-Hans": "花灯", "zh-Hant": "花燈", "en": "lantern"},
        field="celebrations",
        field_name={"zh-Hans": "节庆", "zh-Hant": "節慶", "en": "Celebrations"},
        distance="moderate",
    )
    return here


def upload(actor, data=None, slug="cvlue", **changes):
    """Bring a picture in as a service call; returns what it returns."""
    given = {"source": "own", "licence": "own-work", "category": "lantern", "client_key": uuid.uuid4()} | changes
    return upload_image(actor=actor, benchmark_slug=slug, file=io.BytesIO(jpeg() if data is None else data), **given)


def image(actor, seed=1, **changes):
    """Bring in a picture of that seed and return its row."""
    return models.Image.objects.get(pk=upload(actor, jpeg(seed), **changes).image_id)


def begin(actor, data, slug="cvlue", filename="photo.jpg", **changes):
    """Send a file in one part and return its upload, whose checks have still to be done."""
    given = {"client_key": uuid.uuid4(), "length": len(data)} | changes
    begun = create_upload(actor=actor, benchmark_slug=slug, filename=filename, **given)
    if data:
        append_part(actor=actor, upload_id=begun.upload.pk, offset=0, announced=len(data), source=io.BytesIO(data))
    return models.Upload.objects.get(pk=begun.upload.pk)


def ready(actor, data=None, slug="cvlue", **details):
    """Bring an upload as far as it goes before it is taken."""
    upload = begin(actor, jpeg() if data is None else data, slug)
    check_upload(upload.pk)
    said = {"source": "own", "licence": "own-work", "category": "lantern"} | details
    describe_uploads(actor=actor, benchmark_slug=slug, ids=[upload.pk], details=said)
    return models.Upload.objects.get(pk=upload.pk)


def judge(curator, image, outcome="accepted", reasons=(), key=None, **changes):
    """Decide on one picture as somebody who saw its newest state; raises what the decision is refused with."""
    shown = models.Image.objects.select_related("benchmark").get(pk=getattr(image, "pk", image))
    given = {"image_id": shown.pk, "no": shown.verdict_no, "client_key": key or uuid.uuid4()} | changes
    verdict = Verdict(outcome=outcome, reasons=list(reasons), **given)
    (judged,) = judge_images(actor=curator, benchmark_slug=shown.benchmark.slug, verdicts=[verdict])
    if judged.error is not None:
        raise judged.error
    return shown.pk


def clear(curator, image, key=None):
    """Mark one picture as showing nothing personal; raises what the mark is refused with."""
    shown = models.Image.objects.select_related("benchmark").get(pk=getattr(image, "pk", image))
    marks = [(shown.pk, key or uuid.uuid4())]
    (cleared,) = clear_images(actor=curator, benchmark_slug=shown.benchmark.slug, marks=marks)
    if cleared.error is not None:
        raise cleared.error
    return shown.pk


def marked():
    """A picture whose region :data:`BOX` has a pattern that is found again in any encoding."""
    array = pixels(640, 480, 3)
    left, top, wide, high = (int(value) for value in BOX)
    pattern = np.indices((high, wide)).sum(axis=0) // 10 % 2
    array[top : top + high, left : left + wide] = np.where(pattern[..., None], [255, 0, 255], [0, 255, 0])
    return array


def shows_pattern(data):
    """Whether bytes decode to a picture that has the pattern's colours."""
    try:
        picture = Image.open(io.BytesIO(data)).convert("RGB")
    except OSError:
        return False
    array = np.asarray(picture).astype(int)
    green = (array[..., 1] > 180) & (array[..., 0] < 90) & (array[..., 2] < 90)
    return bool(green.mean() > 0.003)


def files_with_pattern(*roots):
    """Every file below some folders that shows the pattern or holds the mark."""
    return [
        path
        for root in roots
        for path in Path(root).rglob("*")
        if path.is_file() and (shows_pattern(data := path.read_bytes()) or MARK in data)
    ]


def files(media: Path):
    """Every file below the media folder."""
    return sorted(p.relative_to(media).as_posix() for p in media.rglob("*") if p.is_file())
