"""What is taken in, and what is left of it."""

import contextlib
import io
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms, ImageFilter

from curation.benchmarks import rules as protocol
from curation.benchmarks.queries import preset
from curation.images import errors, rules
from curation.images.rules import decoding
from tests import pictures as p
from tests.curation.images.rules.hash_distance import distance

_CONTENT = preset("cvlue").content
LIMITS = protocol.Images.model_validate(_CONTENT["images"])


def limits(**changes):
    return protocol.Images.model_validate(_CONTENT["images"] | changes)


def clean(data, given=LIMITS):
    return rules.clean(data, given)


def opened(cleaned, role="clean"):
    (found,) = [r for r in cleaned.renditions if r.role == role]
    return Image.open(io.BytesIO(found.data))


def refusal(data, given=LIMITS):
    with pytest.raises(rules.InvalidFile) as unfit:
        clean(data, given)
    assert unfit.value.code in errors.FILE_ERRORS
    str(errors.FILE_ERRORS[unfit.value.code](**unfit.value.params))  # its sentence knows all its values
    return unfit.value.code, unfit.value.params


# --- orientation


def corner_picture():
    """Four corners of different colours: red, green, blue, white, clockwise from the top left."""
    array = np.full((300, 400, 3), 128, np.uint8)
    array[:40, :40], array[:40, -40:] = (255, 0, 0), (0, 255, 0)
    array[-40:, -40:], array[-40:, :40] = (0, 0, 255), (255, 255, 255)
    return Image.fromarray(array)


STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_every_orientation_comes_out_upright(orientation, kind):
    turn = STORED[orientation]
    stored = corner_picture() if turn is None else corner_picture().transpose(turn)
    given = Image.Exif()
    given[0x0112] = orientation
    options = {"quality": 98} if kind != "PNG" else {}
    cleaned = clean(
        p.encode(stored, kind, exif=given.tobytes(), **options), limits(bytes={"minimum": 0, "maximum": 10**7})
    )
    assert (cleaned.width, cleaned.height) == (400, 300)
    for role, width in [("clean", 400), ("view", 400), ("thumb", 320)]:
        seen = opened(cleaned, role).convert("RGB")
        assert seen.size == (width, width * 3 // 4)
        right, bottom = seen.width - 10, seen.height - 10
        colours = [seen.getpixel(at) for at in [(10, 10), (right, 10), (right, bottom), (10, bottom)]]
        wanted = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]
        assert np.abs(np.array(colours, int) - np.array(wanted)).max() < 16, (role, colours)


@pytest.mark.parametrize("value", [0, 9, 77])
def test_an_orientation_that_does_not_exist_turns_nothing(value):
    given = Image.Exif()
    given[0x0112] = value
    cleaned = clean(p.jpeg(exif=given.tobytes()))
    assert (cleaned.width, cleaned.height) == (640, 480)


def test_damaged_metadata_is_no_reason_to_refuse():
    data = p.jpeg()
    broken = data[:2] + p.segment(0xE1, b"Exif\0\0MM\0\x2a\xff\xff\xff\xff garbage") + data[2:]
    assert (clean(broken).width, clean(broken).height) == (640, 480)


# --- nothing but pixels


@pytest.mark.parametrize("data", [p.loaded_jpeg(), p.loaded_png(), p.loaded_webp()], ids=["JPEG", "PNG", "WebP"])
def test_nothing_planted_is_found_in_any_served_byte(data):
    assert p.MARK in data or p.MARK in b"".join(_unpacked(data))
    for rendition in clean(data).renditions:
        for bytes_ in [rendition.data, *_unpacked(rendition.data)]:
            assert p.MARK not in bytes_
            for name in [b"Exif", b"http://ns.adobe", b"xmpmeta", b"Photoshop", b"ICC_PROFILE", b"<script", b"iCCP"]:
                assert name not in bytes_
        picture = Image.open(io.BytesIO(rendition.data))
        picture.load()
        assert dict(picture.getexif()) == {}
        allowed = {"jfif", "jfif_version", "jfif_unit", "jfif_density", "loop", "background", "timestamp", "duration"}
        assert set(picture.info) <= allowed


def _unpacked(data):
    """Whatever stands compressed in a file: PNG's text and profiles."""
    at = data.find(b"x\x9c")
    while at != -1:
        with contextlib.suppress(zlib.error):
            yield zlib.decompressobj().decompress(data[at:], 10_000_000)
        at = data.find(b"x\x9c", at + 1)


def test_served_files_end_where_their_picture_ends():
    cleaned = clean(p.loaded_jpeg())
    by_role = {r.role: r.data for r in cleaned.renditions}
    assert by_role["clean"].endswith(b"\xff\xd9")
    for role in ("view", "thumb"):
        assert int.from_bytes(by_role[role][4:8], "little") + 8 == len(by_role[role])


def test_photographs_stay_jpeg_and_what_came_without_loss_stays_exact():
    drawn = p.pixels(seed=4)
    for data, extension in [
        (p.encode(drawn, "PNG"), "png"),
        (p.encode(drawn, "WEBP", lossless=True), "png"),
        (p.encode(drawn, "WEBP", lossless=True, exif=p.exif(1)), "png"),
        (p.encode(drawn, "WEBP", quality=90), "jpg"),
        (p.encode(drawn, "JPEG", quality=95), "jpg"),
    ]:
        cleaned = clean(data)
        assert cleaned.renditions[0].extension == extension
        kept = np.asarray(opened(cleaned).convert("RGB"), int)
        assert np.abs(kept - drawn).max() == 0 if extension == "png" else np.abs(kept - drawn).mean() < 4


def test_sizes_of_the_renditions():
    cleaned = clean(p.jpeg(width=2400, height=1200))
    assert [(r.role, r.extension, r.width, r.height) for r in cleaned.renditions] == [
        ("clean", "jpg", 2400, 1200),
        ("view", "webp", 1600, 800),
        ("thumb", "webp", 320, 160),
    ]
    assert [r.width for r in clean(p.jpeg(width=300, height=300)).renditions] == [300, 300, 300]


def test_the_same_upload_gives_the_same_bytes():
    assert clean(p.loaded_jpeg()) == clean(p.loaded_jpeg())


# --- colours


def mean(cleaned):
    return np.asarray(opened(cleaned).convert("RGB"), float).mean(axis=(0, 1))


def flat(mode, colour, **options):
    return Image.new(mode, (640, 480), colour), options


SMALL = limits(bytes={"minimum": 0, "maximum": 10**8})


@pytest.mark.parametrize(
    ("mode", "colour", "kind", "wanted"),
    [
        ("L", 200, "JPEG", (200, 200, 200)),
        ("L", 200, "PNG", (200, 200, 200)),
        ("1", 1, "PNG", (255, 255, 255)),
        ("P", 0, "PNG", (0, 0, 0)),
        ("LA", (100, 0), "PNG", (255, 255, 255)),
        ("RGBA", (255, 0, 0, 255), "PNG", (255, 0, 0)),
        ("RGBA", (255, 0, 0, 0), "PNG", (255, 255, 255)),
        ("RGBA", (0, 0, 0, 128), "WEBP", (127, 127, 127)),
        ("CMYK", (0, 255, 255, 0), "JPEG", (255, 0, 0)),
        ("I;16", 40_000, "PNG", (156, 156, 156)),
    ],
)
def test_every_mode_becomes_rgb(mode, colour, kind, wanted):
    picture = Image.new(mode, (640, 480), colour)
    cleaned = clean(p.encode(picture, kind), SMALL)
    assert opened(cleaned).mode == "RGB"
    assert np.abs(mean(cleaned) - wanted).max() < 3


def test_a_palette_with_a_transparent_colour_lies_on_white():
    picture = Image.new("P", (640, 480), 1)
    picture.putpalette([0, 0, 0, 10, 20, 30])
    assert np.abs(mean(clean(p.encode(picture, "PNG", transparency=1), SMALL)) - 255).max() < 1
    assert np.abs(mean(clean(p.encode(picture, "PNG"), SMALL)) - (10, 20, 30)).max() < 1


def test_a_foreign_or_broken_profile_is_left_out():
    wide = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ"))
    grey = Image.new("RGB", (640, 480), (120, 120, 120))
    untouched = clean(p.encode(grey, "PNG"), SMALL)
    foreign = clean(p.encode(grey, "PNG", icc_profile=wide.tobytes()), SMALL)
    assert np.abs(mean(untouched) - 120).max() < 1
    assert np.abs(mean(foreign) - 120).max() < 1  # its colour space is not RGB: taken as sRGB
    damaged = clean(p.encode(grey, "PNG", icc_profile=b"no profile at all"), SMALL)
    assert np.abs(mean(damaged) - 120).max() < 1


def test_a_linear_profile_brightens_what_it_describes():
    linear = _rgb_profile_with_gamma_one()
    dark = Image.new("RGB", (640, 480), (55, 55, 55))  # 0.2157 linear is 0.5 in sRGB's curve
    assert np.abs(mean(clean(p.encode(dark, "PNG", icc_profile=linear), SMALL)) - 128).max() < 3


def _rgb_profile_with_gamma_one():
    """sRGB's profile with its tone curves replaced by straight lines."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    count = int.from_bytes(data[128:132], "big")
    for i in range(count):
        at = 132 + 12 * i
        name, offset, size = data[at : at + 4], *np.frombuffer(bytes(data[at + 4 : at + 12]), ">u4")
        if name in (b"rTRC", b"gTRC", b"bTRC"):
            data[offset : offset + size] = (b"curv" + bytes(8)).ljust(size, b"\0")
    return bytes(data)


# --- refusals


def test_types_are_known_by_their_bytes():
    assert refusal(b"<html><script>alert(1)</script></html>" * 100)[0] == "file_is_web_page"
    assert refusal(b"\n<!-- x --><svg xmlns='http://www.w3.org/2000/svg' onload='x'/>" * 100)[0] == "file_is_svg"
    allowed = ["JPEG", "PNG", "WebP", "HEIC"]
    assert refusal(p.encode(p.pixels(), "GIF")) == ("image_type_refused", {"found": "GIF", "allowed": allowed})
    assert refusal(p.encode(p.pixels(), "TIFF"))[1]["found"] == "TIFF"
    assert refusal(b"\x7fELF" + bytes(5_000))[1]["found"] == "ELF"
    assert refusal(b"just some words " * 500)[1] == {"found": None, "allowed": allowed}
    assert refusal(p.encode(p.pixels(), "PNG"), limits(formats=["JPEG"])) == (
        "image_type_refused",
        {"found": "PNG", "allowed": ["JPEG"]},
    )


def test_a_picture_that_is_something_else_too_is_refused():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.txt", "a")
    for more, also in [
        (archive.getvalue(), "ZIP"),
        (b"<SCRIPT>alert(1)</script>", "HTML"),
        (b"<?php system($_GET['x']); ?>", "HTML"),
    ]:
        assert refusal(p.jpeg() + more) == ("file_is_two_things", {"found": "JPEG", "also": also})
    commented = p.jpeg()[:2] + p.segment(0xFE, b"<html><body onload=x>") + p.jpeg()[2:]
    assert refusal(commented)[1]["also"] == "HTML"
    assert refusal(p.jpeg()[:2] + p.segment(0xFE, b"%PDF-1.7") + p.jpeg()[2:])[1]["also"] == "PDF"


def test_heic_is_read_upright_and_bare():
    path = Path(__file__).with_name("rotated.heic")
    cleaned = clean(path.read_bytes(), SMALL)
    assert (cleaned.width, cleaned.height) == (300, 400)
    assert opened(cleaned).format == "JPEG"
    for rendition in cleaned.renditions:
        assert p.MARK not in rendition.data


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_truncated_files(kind, share):
    data = p.encode(p.pixels(), kind)
    assert refusal(data[: int(len(data) * share)], SMALL) == ("image_undecodable", {})


@pytest.mark.parametrize("head", [b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP"])
def test_a_right_beginning_alone_is_no_picture(head):
    assert refusal(head + bytes(5_000)) == ("image_undecodable", {})
    assert refusal(head + b"\xff" * 5_000) == ("image_undecodable", {})


def test_too_many_pixels_are_refused_before_they_are_decoded():
    code, params = refusal(p.png_claiming(9_000, 9_000), SMALL)
    assert (code, params) == ("image_bomb", {"width": 9_000, "height": 9_000, "maximum": 60_000_000})
    assert refusal(p.png_claiming(60_000, 60_000), SMALL)[0] == "image_bomb"  # beyond Pillow's own limit
    assert refusal(p.png_claiming(2**31 - 1, 2**31 - 1), SMALL)[0] in {"image_bomb", "image_undecodable"}


def test_a_jpeg_of_many_scans_is_refused_before_it_is_decoded():
    assert clean(p.jpeg_of_scans(64), SMALL).width == 640
    assert refusal(p.jpeg_of_scans(65), SMALL) == ("image_too_many_scans", {"scans": 65, "maximum": 64})
    # At 307,200 pixels a scan, the passes over all pixels count.
    few = 307_200 * 12
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoding, "MOST_SCANNED_PIXELS", few)
        assert clean(p.jpeg_of_scans(12), SMALL).width == 640
        assert refusal(p.jpeg_of_scans(13), SMALL) == ("image_too_many_scans", {"scans": 13, "maximum": 12})


def test_scans_are_counted_as_decoders_read_them():
    data = p.jpeg_of_scans(40)
    assert decoding.jpeg_scans(data) == (40, True)
    assert decoding.jpeg_scans(p.jpeg()) == (1, False)
    # Neither an embedded thumbnail nor the film that telephones append is decoded.
    assert decoding.jpeg_scans(p.jpeg(exif=p.exif())) == (1, False)
    assert decoding.jpeg_scans(p.jpeg() + b"\xff\xda\0\x08" * 500) == (1, False)
    # A marker without a length is skipped by decoders, and must not hide the scans that seem to be its segment.
    first = data.index(b"\xff\xda")
    hidden = data[:first] + b"\xff\x01\xff\xff" + data[first:]
    assert decoding.jpeg_scans(hidden) == (40, True)


@pytest.mark.parametrize(
    ("kind", "options", "bytes_per_pixel"),
    [("JPEG", {}, 8), ("JPEG", {"progressive": True}, 10), ("PNG", {}, 8), ("WEBP", {}, 20)],
)
def test_the_memory_that_decoding_needs_is_bounded(kind, options, bytes_per_pixel, monkeypatch):
    monkeypatch.setattr(decoding, "MOST_DECODING_BYTES", 640 * 480 * bytes_per_pixel)
    assert clean(p.encode(p.pixels(), kind, **options), SMALL).width == 640
    wide = p.encode(p.pixels(width=641), kind, **options)
    assert refusal(wide, SMALL) == ("image_bomb", {"width": 641, "height": 480, "maximum": 640 * 480})


def test_a_text_that_expands_is_refused():
    def chunk(name, data):
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    data = p.encode(p.pixels(), "PNG")
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200_000_000), 9))
    assert refusal(data[:33] + bomb + data[33:], SMALL)[0] == "image_undecodable"


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_animations(kind, count):
    frames = [Image.fromarray(p.pixels(seed=s)) for s in range(count)]
    data = p.encode(frames[0], kind, save_all=True, append_images=frames[1:], duration=50)
    assert refusal(data, SMALL) == ("image_animated", {"frames": count})


def test_a_telephones_second_picture_is_no_animation():
    frames = [Image.fromarray(p.pixels(seed=s)) for s in (1, 2)]
    data = p.encode(frames[0], "MPO", save_all=True, append_images=frames[1:])
    cleaned = clean(data)
    assert (cleaned.width, opened(cleaned).format) == (640, "JPEG")


def test_sizes_and_proportions():
    assert refusal(p.jpeg(width=255, height=300)) == (
        "image_too_small",
        {"width": 255, "height": 300, "minimum": 256},
    )
    clean(p.jpeg(width=256, height=300))
    clean(p.jpeg(width=900, height=300))
    assert refusal(p.jpeg(width=901, height=300)) == (
        "image_aspect",
        {"width": 901, "height": 300, "maximum_percent": 300},
    )
    narrow = limits(side={"minimum": 100, "maximum": 640})
    clean(p.jpeg(width=640, height=480), narrow)
    assert refusal(p.jpeg(width=480, height=641), narrow) == (
        "image_side_too_long",
        {"width": 480, "height": 641, "maximum": 640},
    )


def test_sizes_are_told_as_the_person_sees_the_picture():
    given = Image.Exif()
    given[0x0112] = 6
    code, params = refusal(p.jpeg(width=901, height=300, exif=given.tobytes()))
    assert (code, params["width"], params["height"]) == ("image_aspect", 300, 901)


def test_bytes():
    data = p.jpeg()
    clean(data, limits(bytes={"minimum": len(data), "maximum": len(data)}))
    assert refusal(data, limits(bytes={"minimum": 1, "maximum": len(data) - 1})) == (
        "image_too_large",
        {"bytes": len(data), "maximum": len(data) - 1},
    )
    assert refusal(data, limits(bytes={"minimum": len(data) + 1, "maximum": 10**7})) == (
        "image_too_few_bytes",
        {"bytes": len(data), "minimum": len(data) + 1},
    )


# --- near duplicates and sharpness


def test_the_hash_stays_near_when_a_picture_is_made_worse_and_far_for_another():
    one = clean(p.jpeg(seed=1)).hashes
    picture = Image.fromarray(p.pixels(seed=1))
    for worse in [
        p.encode(picture, quality=30),
        p.encode(picture.resize((400, 300)), quality=80),
        p.encode(picture.filter(ImageFilter.GaussianBlur(2)), quality=80),
        p.encode(picture.point(lambda v: min(255, v + 15)), quality=80),
        p.encode(picture, "PNG"),
    ]:
        assert distance(one, clean(worse).hashes) <= 4
    others = [clean(p.jpeg(seed=s)).hashes for s in range(2, 8)]
    assert min(distance(one, other) for other in others) > 10


def test_the_hash_is_a_signed_64_bit_number():
    hashes = [clean(p.jpeg(seed=s, width=300, height=300)).hashes.whole for s in range(12)]
    assert all(-(2**63) <= h < 2**63 for h in hashes)
    assert all(h >= 0 for h in hashes)  # the first bit is that of the constant part, which is always 0


def test_sharpness_falls_when_a_picture_is_blurred_and_grows_not_with_its_size():
    sharp = Image.fromarray(p.pixels(seed=3))
    assert rules.sharpness(np.asarray(sharp.convert("L"))) > 100
    assert rules.sharpness(np.asarray(sharp.convert("L").filter(ImageFilter.GaussianBlur(3)))) < 20
    assert rules.sharpness(np.full((300, 300), 90, np.uint8)) == 0
